/** The servers of docker-compose.yml, and the service's own image, in containers that live as long as a test file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  GenericContainer,
  getContainerRuntimeClient,
  ImageName,
  Network,
  type StartedNetwork,
  Wait,
} from 'testcontainers';
import type { Credentials } from '../../../src/app/bootstrap.ts';
import { type Client, clientOf } from '../http/client.ts';
import { testMasterKey } from '../processes/service.ts';
import { eventually } from '../resources/flows.ts';
import { patienceMs } from '../time/patience.ts';

const root = join(import.meta.dirname, '../../..');
const composeFile = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
/** EventStoreDB has images for this platform only. */
const eventStoreDbPlatform = 'linux/amd64';
const servicePort = 8080;
const stopMaxMs = 15_000;

/** The name and tag that docker-compose.yml gives an image. */
function imageOf(name: string): string {
  const image = new RegExp(`image: (${name}:\\S+)`).exec(composeFile)?.[1];
  if (!image) throw new Error(`docker-compose.yml names no image ${name}`);
  return image;
}

/** Why no test can run in containers here; `undefined` where they can. A reason is printed. */
export async function whyNoDocker(): Promise<string | undefined> {
  return reasonOf('tests in containers', getContainerRuntimeClient());
}

/** Why EventStoreDB cannot be started in a container here; `undefined` where it can. A reason is printed. */
export async function whyNoEventStoreDb(): Promise<string | undefined> {
  const image = imageOf('eventstore/eventstore');
  const pull = async () => {
    const runtime = await getContainerRuntimeClient();
    await runtime.image.pull(ImageName.fromString(image), { force: false, platform: eventStoreDbPlatform });
  };
  return reasonOf(`tests on ${image}`, pull());
}

async function reasonOf(what: string, attempt: Promise<unknown>): Promise<string | undefined> {
  try {
    await attempt;
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`skipping ${what}: ${reason}\n`);
    return reason;
  }
}

/** The addresses of the servers, as the environment of a service. */
type Addresses = {
  readonly DATABASE_URL: string;
  readonly REDIS_URL: string;
  readonly EVENTSTORE_URL?: string;
};

export type Servers = {
  readonly network: StartedNetwork;
  /** For a service in this process. */
  readonly outside: Addresses;
  /** For a service in a container on `network`. */
  readonly inside: Addresses;
  /** Gives a command to Redis and answers what it printed. */
  redis(...command: string[]): Promise<string>;
  stop(): Promise<void>;
};

type Stoppable = { stop(): Promise<unknown> };
type Server = Stoppable & { getHost(): string; getFirstMappedPort(): number };

const addressOf = (server: Server) => `${server.getHost()}:${server.getFirstMappedPort()}`;

/** Starts Postgres and Redis, and EventStoreDB when asked to, all of them empty. */
export async function startServers({ eventStoreDb = false } = {}): Promise<Servers> {
  const started: Stoppable[] = [];
  const keep = async <S extends Stoppable>(starting: Promise<S>): Promise<S> => {
    const server = await starting;
    started.push(server);
    return server;
  };
  const stop = async () => {
    for (const server of started.splice(0).toReversed()) await server.stop();
  };
  try {
    const network = await keep(new Network().start());
    const postgres = await keep(postgresIn(network).start());
    const redis = await keep(redisIn(network).start());
    const eventStore = eventStoreDb ? await keep(eventStoreDbIn(network).start()) : undefined;
    const outside = {
      postgres: addressOf(postgres),
      redis: addressOf(redis),
      eventStore: eventStore && addressOf(eventStore),
    };
    const inside = {
      postgres: 'postgres:5432',
      redis: 'redis:6379',
      eventStore: eventStore && 'eventstore:2113',
    };
    return {
      network,
      outside: addresses(outside),
      inside: addresses(inside),
      redis: async (...command) => (await redis.exec(['redis-cli', ...command])).stdout,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Places = { readonly postgres: string; readonly redis: string; readonly eventStore: string | undefined };

const addresses = ({ postgres, redis, eventStore }: Places): Addresses => ({
  DATABASE_URL: `postgres://daybook:daybook@${postgres}/daybook`,
  REDIS_URL: `redis://${redis}`,
  ...(eventStore && { EVENTSTORE_URL: `esdb://${eventStore}?tls=false` }),
});

const postgresIn = (network: StartedNetwork) =>
  server(imageOf('postgres'), 5432, 'pg_isready --host 127.0.0.1 --username daybook --dbname daybook')
    .withEnvironment({ POSTGRES_USER: 'daybook', POSTGRES_PASSWORD: 'daybook', POSTGRES_DB: 'daybook' })
    .withNetwork(network)
    .withNetworkAliases('postgres');

const redisIn = (network: StartedNetwork) =>
  server(imageOf('redis'), 6379, 'redis-cli ping | grep -q PONG')
    .withCommand([
      'redis-server',
      '--appendonly',
      'yes',
      '--maxmemory-policy',
      'noeviction',
      '--protected-mode',
      'no',
    ])
    .withNetwork(network)
    .withNetworkAliases('redis');

const eventStoreDbIn = (network: StartedNetwork) =>
  server(imageOf('eventstore/eventstore'), 2113, 'curl --fail --silent http://localhost:2113/health/live')
    .withPlatform(eventStoreDbPlatform)
    .withEnvironment({
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_CLUSTER_SIZE: '1',
      EVENTSTORE_RUN_PROJECTIONS: 'None',
      EVENTSTORE_MAX_APPEND_SIZE: '8388608',
    })
    .withNetwork(network)
    .withNetworkAliases('eventstore');

const server = (image: string, port: number, healthy: string) =>
  new GenericContainer(image)
    .withExposedPorts(port)
    .withHealthCheck({ test: ['CMD-SHELL', healthy], interval: 250, timeout: 5_000, retries: 400 })
    .withWaitStrategy(Wait.forHealthCheck())
    .withStartupTimeout(patienceMs);

/** Builds an image of the Dockerfile, the service's unless another target is named, and answers its name. */
export async function buildImage(target?: 'sandbox'): Promise<string> {
  const name = target ? `daybook:test-${target}` : 'daybook:test';
  const file = GenericContainer.fromDockerfile(root);
  await (target ? file.withTarget(target) : file).build(name, { deleteOnExit: false });
  return name;
}

/** What an image says of itself. */
export async function inspectImage(name: string) {
  const runtime = await getContainerRuntimeClient();
  return runtime.image.inspect(ImageName.fromString(name));
}

export type DaybookContainer = {
  /** What it has printed so far, logs included. */
  readonly output: () => string;
  /** Where the interface is found from here; `undefined` where the process does not serve it. */
  readonly url: string | undefined;
  exec(...command: string[]): Promise<string>;
  /** What its health check says. */
  health(): Promise<string | undefined>;
  /** Sends SIGTERM and answers the exit code. */
  stop(): Promise<number>;
};

type DaybookOptions = {
  readonly image: string;
  /** Without them it has what its image brings. */
  readonly beside?: { readonly servers: Servers; readonly credentials: Credentials };
  readonly variables?: Readonly<Record<string, string>>;
  /** `uid:gid`; the image's own unless it is given. */
  readonly user?: string;
};

/** Starts the service in a container and waits for its ready line. */
export async function startDaybook(options: DaybookOptions): Promise<DaybookContainer> {
  const { image, beside, variables = {}, user } = options;
  let output = '';
  const made = new GenericContainer(image);
  if (user) made.withUser(user);
  const container = await (beside ? made.withNetwork(beside.servers.network) : made)
    .withEnvironment({
      ...(beside && {
        ...beside.servers.inside,
        DAYBOOK_BOOTSTRAP_CLIENT_ID: beside.credentials.clientId,
        DAYBOOK_BOOTSTRAP_CLIENT_SECRET: beside.credentials.clientSecret,
        DAYBOOK_MASTER_KEY: testMasterKey,
      }),
      DAYBOOK_SANDBOX_TIME_SCALE: '0.02',
      ...variables,
    })
    .withExposedPorts(servicePort)
    .withLogConsumer((stream) => {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    })
    .withWaitStrategy(Wait.forLogMessage(/Daybook is ready/))
    .withStartupTimeout(patienceMs)
    .start()
    .catch((cause: unknown) => {
      throw new Error(`it did not get ready, and said:\n${output}`, { cause });
    });
  // The lines come on a connection of their own, which may be behind the one that was waited for.
  await eventually(
    async () => output,
    (text) => /Daybook is ready.*\n/.test(text),
  );
  const printed = /Daybook is ready at (\S+)/.exec(output)?.[1];
  const here = `http://${container.getHost()}:${container.getMappedPort(servicePort)}`;
  return {
    output: () => output,
    url: printed && here + new URL(printed).pathname,
    exec: async (...command) => (await container.exec(command)).stdout.trim(),
    async health() {
      const runtime = await getContainerRuntimeClient();
      return (await runtime.container.getById(container.getId()).inspect()).State.Health?.Status;
    },
    async stop() {
      const runtime = await getContainerRuntimeClient();
      const stopped = runtime.container.getById(container.getId());
      await container.stop({ remove: false, timeout: stopMaxMs });
      const { State } = await stopped.inspect();
      await stopped.remove({ v: true });
      return State.ExitCode;
    },
  };
}

/** A client of the service in a container that serves the interface. */
export function clientIn({ url }: DaybookContainer, credentials: Credentials): Client {
  if (!url) throw new Error('this container does not serve the interface');
  return clientOf(url, credentials);
}
