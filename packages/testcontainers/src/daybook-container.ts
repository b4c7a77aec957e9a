/** Daybook as a module of Testcontainers. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type Daybook } from '@daybook/client';
import { AbstractStartedContainer, GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import {
  dataDirectory,
  failed,
  isAtWork,
  restoringSnapshot,
  supervisor,
  supervisorPath,
  takingSnapshot,
} from './supervisor.ts';

const port = 8080;
const basePath = '/2025-10-13';
const startMaxMs = 120_000;
const lookMs = 100;

type Credentials = { readonly clientId: string; readonly clientSecret: string };

/**
 * A sandbox in a container: with a Postgres of its own inside, so that it needs no other, or on servers that it is given.
 * The image is the one that the Dockerfile of Daybook builds with `--target sandbox`.
 */
export class DaybookContainer extends GenericContainer {
  readonly #variables: Record<string, string> = { DAYBOOK_SANDBOX_TIME_SCALE: '0.02' };

  constructor(image = 'daybook:sandbox') {
    super(image);
    this.withExposedPorts(port);
    this.withWaitStrategy(Wait.forHttp('/readyz', port));
    this.withStartupTimeout(startMaxMs);
  }

  /** What every wait of the sandbox is multiplied by, 0 to 1000; 0.02 unless said otherwise. */
  withTimeScale(scale: number): this {
    this.#variables.DAYBOOK_SANDBOX_TIME_SCALE = String(scale);
    return this;
  }

  /**
   * Identifiers follow from it: with a clock that stands still, the same calls give the same each time, those that take an
   * idempotency key where it is the same too.
   */
  withSeed(seed: string): this {
    this.#variables.DAYBOOK_SANDBOX_SEED = seed;
    return this;
  }

  /** A Postgres in place of the one inside, at an address that the container reaches. */
  withDatabase(url: string): this {
    this.#variables.DATABASE_URL = url;
    return this;
  }

  /** Keeps the log in EventStoreDB, `esdb://…`. */
  withEventStoreDB(url: string): this {
    this.#variables.EVENTSTORE_URL = url;
    return this;
  }

  /** Keeps the queues in Redis, `redis://…`. */
  withRedis(url: string): this {
    this.#variables.REDIS_URL = url;
    return this;
  }

  override async start(): Promise<StartedDaybookContainer> {
    // The platform's identifier follows from the client id.
    const ofClient = 'DAYBOOK_SANDBOX_SEED' in this.#variables ? 'seeded' : randomUUID();
    const credentials = { clientId: `test-${ofClient}`, clientSecret: randomUUID() };
    const isAlone = ['DATABASE_URL', 'EVENTSTORE_URL', 'REDIS_URL'].every(
      (name) => !(name in { ...this.#variables, ...this.environment }),
    );
    // What is made for this start is not found by the next one.
    const one = Object.create(this) as this;
    one.createOpts = { ...this.createOpts };
    one.withEnvironment({
      DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
      DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
      DAYBOOK_MASTER_KEY: randomBytes(32).toString('base64'),
      DAYBOOK_WEBHOOK_ALLOW_PRIVATE: 'true',
      ...(isAlone && { DAYBOOK_DATA_DIR: dataDirectory }),
      ...this.#variables,
      ...this.environment,
    });
    if (isAlone) superviseForSnapshots(one);
    const { DAYBOOK_BOOTSTRAP_CLIENT_ID: clientId = '', DAYBOOK_BOOTSTRAP_CLIENT_SECRET: clientSecret = '' } =
      one.environment;
    return new StartedDaybookContainer(await super.start.call(one), { clientId, clientSecret }, isAlone);
  }
}

function superviseForSnapshots(container: GenericContainer): void {
  container.withCopyContentToContainer([{ content: supervisor, target: supervisorPath, mode: 0o755 }]);
  container.withCommand(['sh', supervisorPath]);
}

export class StartedDaybookContainer extends AbstractStartedContainer {
  readonly #credentials: Credentials;
  readonly #isAlone: boolean;
  #snapshotName = 'snapshot';

  constructor(container: StartedTestContainer, credentials: Credentials, isAlone: boolean) {
    super(container);
    this.#credentials = credentials;
    this.#isAlone = isAlone;
  }

  getPort(): number {
    return this.getMappedPort(port);
  }

  /** The address of the interface, with its version. */
  getBaseUrl(): string {
    return `${this.#origin()}${basePath}`;
  }

  getClientId(): string {
    return this.#credentials.clientId;
  }

  getClientSecret(): string {
    return this.#credentials.clientSecret;
  }

  /** A client of `@daybook/client` with all permissions. */
  client(): Daybook {
    return createClient({ baseUrl: this.getBaseUrl(), ...this.#credentials });
  }

  /** The name that `snapshot` and `restoreSnapshot` use where they are given none. */
  withSnapshotName(name: string): this {
    this.#snapshotName = name;
    return this;
  }

  /** Keeps everything that the service has, in place of a snapshot of the same name. The service is away for some seconds. Throws where its files cannot be copied, and goes on as it was. */
  async snapshot(name = this.#snapshotName): Promise<void> {
    await this.#between(takingSnapshot(name), name);
  }

  /** Everything is as it was at the snapshot. Throws where there is none of this name, or it cannot be copied, and goes on as it was. */
  async restoreSnapshot(name = this.#snapshotName): Promise<void> {
    await this.#between(restoringSnapshot(name), name);
  }

  async #between(command: string, name: string): Promise<void> {
    if (!this.#isAlone)
      throw new Error('a snapshot is of the Postgres inside the container; this one uses other servers');
    const { exitCode, output } = await this.exec(['sh', '-c', command]);
    if (exitCode !== 0) throw new Error(`there is no snapshot ${name} ${output}`.trim());
    const end = performance.now() + startMaxMs;
    while (!(await this.#isReadyAgain())) {
      if (performance.now() > end) throw new Error('the service did not come back after the snapshot');
      await sleep(lookMs);
    }
    const copied = await this.exec(['sh', '-c', failed]);
    if (copied.exitCode !== 0)
      throw new Error(`the files of ${name} were not copied: ${copied.output}`.trim());
  }

  async #isReadyAgain(): Promise<boolean> {
    const { exitCode } = await this.exec(['sh', '-c', isAtWork]);
    if (exitCode === 0) return false;
    return fetch(`${this.#origin()}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  #origin(): string {
    return `http://${this.getHost()}:${this.getPort()}`;
  }
}
