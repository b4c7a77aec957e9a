/** What a process finds or makes on its machine: a database when none is given, the master key, and the first token. */
import { existsSync } from 'node:fs';
import { rm, unlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { unlessAborted } from '../infrastructure/deadlines/within.ts';
import type { Log } from '../infrastructure/observe/log.ts';
import {
  claimDataDirectory,
  type DataDirectory,
  keepSecret,
  makeDirectory,
  readSecret,
  replaceSecret,
} from '../infrastructure/postgres/data-directory.ts';
import { startEmbeddedPostgres } from '../infrastructure/postgres/embedded.ts';
import { runningPostgres } from '../infrastructure/postgres/running.ts';
import { servicePasswordFile } from '../infrastructure/postgres/server/roles.ts';
import { type MasterKeys, newMasterKey, parseMasterKey } from '../infrastructure/secrets/sealing.ts';
import { derivedUuid, newSecret } from '../kernel/ids.ts';
import { newClientId } from '../use-cases/tokens/issue.ts';
import type { Credentials } from './bootstrap.ts';
import type { Config } from './config.ts';
import { cannotStart } from './start/cannot-start.ts';
import { inDirectory, toldOfEmbedded } from './start/directory.ts';
import { forgetFormerDatabase, formerDatabase } from './start/former-database.ts';
import { requireServers } from './start/servers.ts';

export type Installation = {
  readonly databaseUrl: string;
  readonly masterKeys: MasterKeys;
  readonly credentials: Credentials;
  /** Where a token is kept that was made here. */
  readonly credentialsFile: CredentialsFile | undefined;
  /** Tells who wants the same data directory where this process serves. */
  readonly servesAt: DataDirectory['servesAt'];
  /** `CannotStart` in place of an error that comes of a Postgres of its own; any other as it is. Not after `close`. */
  readonly explained: (error: unknown) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

export type CredentialsFile = {
  readonly path: string;
  /** Whether nobody has been shown the token yet; true once only, also of several processes. */
  readonly takeFirstShowing: () => Promise<boolean>;
};

/**
 * Throws `CannotStart` where a server does not answer or the data directory cannot be used. The signal ends the start of
 * an embedded Postgres.
 */
export async function openDataDirectory(
  config: Config,
  log: Log,
  signal?: AbortSignal,
): Promise<Installation> {
  await unlessAborted(signal, requireServers(config));
  return inDirectory(config.dataDirectory, () => openInstallation(config, log, signal));
}

async function openInstallation(config: Config, log: Log, signal?: AbortSignal): Promise<Installation> {
  await requireDatabaseOf(config);
  const masterKeys = config.masterKey
    ? { current: config.masterKey, previous: config.previousMasterKeys }
    : await ownMasterKeys(config.dataDirectory);
  const database = config.databaseUrl
    ? givenDatabase(config.databaseUrl)
    : await ownDatabase(config.dataDirectory, log, signal);
  try {
    return { ...database, masterKeys, ...(await firstToken(config)) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

const givenDatabase = (databaseUrl: string) => ({
  databaseUrl,
  servesAt: async () => {},
  explained: async (error: unknown) => error,
  close: async () => {},
});

async function firstToken(config: Config): Promise<Pick<Installation, 'credentials' | 'credentialsFile'>> {
  if (config.bootstrap) return { credentials: config.bootstrap, credentialsFile: undefined };
  const path = credentialsPath(config.dataDirectory);
  await makeDirectory(resolve(config.dataDirectory));
  const text = await keptCredentials(path, config.sandboxSeed);
  const colon = text.indexOf(':');
  const [clientId, clientSecret] = [text.slice(0, colon), text.slice(colon + 1)];
  const credentialsFile = { path, takeFirstShowing: () => takeAway(unshownMark(path)) };
  return { credentials: { clientId, clientSecret }, credentialsFile };
}

const credentialsPath = (directory: string) => join(resolve(directory), 'credentials');

/**
 * Throws `CannotStart` where the directory was an installation's and there is no database in it: on an empty one the
 * same token would be taken, and what was paid before would be paid again. A log elsewhere has all of it.
 */
async function requireDatabaseOf(config: Config): Promise<void> {
  const { dataDirectory: directory, databaseUrl, eventStoreUrl } = config;
  if (databaseUrl || eventStoreUrl || hasCluster(directory)) return;
  const data = resolve(directory);
  const former = await formerDatabase(directory);
  if (former !== undefined)
    throw cannotStart({
      variable: 'DAYBOOK_DATA_DIR',
      tried: `${data} is of an installation with ${former}, and DATABASE_URL is not set`,
      next: `Set DATABASE_URL to that, or delete ${data} to start with nothing`,
    });
  if (!(await wasUsed(directory))) return;
  throw cannotStart({
    variable: 'DAYBOOK_DATA_DIR',
    tried: `${data} is of an installation whose database is not in ${clusterOf(directory)}, and DATABASE_URL is not set`,
    next: `Put it back, set DATABASE_URL to where it is, or delete ${data} to start with nothing`,
  });
}

/** Both are made when there is a database: the first token, and the password of the service's role in one of its own. */
async function wasUsed(directory: string): Promise<boolean> {
  if (existsSync(servicePasswordFile(postgresOf(directory)))) return true;
  const path = credentialsPath(directory);
  return existsSync(path) && Boolean(await readSecret(path));
}

/** The mark is there before the token is, and until somebody was shown it: a start that fails in between does not count. */
async function keptCredentials(path: string, seed: string | undefined): Promise<string> {
  const known = await readSecret(path);
  if (known !== undefined) return tokenIn(known, path);
  await writeFile(unshownMark(path), '', { mode: 0o600 });
  // The platform's id follows from the client id. The secret follows from nothing.
  const clientId = seed === undefined ? newClientId() : `daybook-${derivedUuid('client-id', seed)}`;
  return (await keepSecret(path, () => `${clientId}:${newSecret()}`)).text;
}

/** Throws `CannotStart` for what is no token: one of a part of it would be another platform's, or nobody's. */
function tokenIn(text: string, path: string): string {
  if (/^[^:\s]+:\S{16,}$/.test(text)) return text;
  throw cannotStart({
    variable: 'DAYBOOK_DATA_DIR',
    tried: `what is in the file ${path} is no token, id:secret`,
    next: 'Put the file back, or delete it to get the token of another platform',
  });
}

const unshownMark = (path: string) => `${path}.not-shown`;

const takeAway = (path: string): Promise<boolean> =>
  unlink(path).then(
    () => true,
    () => false,
  );

/** Those that an operator's command finds: none where the environment gives none, and the data directory keeps none. */
export async function foundMasterKeys(
  config: Pick<Config, 'masterKey' | 'previousMasterKeys' | 'dataDirectory'>,
): Promise<MasterKeys | undefined> {
  if (config.masterKey) return { current: config.masterKey, previous: config.previousMasterKeys };
  const isKept = existsSync(masterKeyPath(config.dataDirectory));
  return isKept ? keptMasterKeys(config.dataDirectory) : undefined;
}

/**
 * Those of a start. The first start makes the key, and has it before there is a database that something is sealed in.
 * Throws `CannotStart` where there is a database and its key is gone: a new one would open nothing of it.
 */
async function ownMasterKeys(directory: string): Promise<MasterKeys> {
  const [data, path] = [resolve(directory), masterKeyPath(directory)];
  if (hasCluster(directory) && !existsSync(path))
    throw cannotStart({
      variable: 'DAYBOOK_DATA_DIR',
      tried: `${data} has a database, and the file ${path} that its secrets are sealed under is gone`,
      next: putKeyBack,
    });
  await makeDirectory(data);
  const keys = await keptMasterKeys(directory);
  if (parseMasterKey(keys.current) === undefined)
    throw cannotStart({
      variable: 'DAYBOOK_DATA_DIR',
      tried: `what is in the file ${path} is no master key`,
      next: putKeyBack,
    });
  return keys;
}

const putKeyBack =
  'Put the file back, from where it is kept beside the backups, or set DAYBOOK_MASTER_KEY to what was in it';

/** With the embedded database, which only this data directory's process uses. */
export async function keptMasterKeys(directory: string): Promise<MasterKeys> {
  const path = masterKeyPath(directory);
  const current = (await keepSecret(path, newMasterKey)).text;
  // A rotation that was cut short leaves the key that it replaces.
  const previous = await readSecret(`${path}.previous`);
  return { current, previous: previous ? [previous] : [] };
}

/** A new key, with the one that it replaces; those of a rotation that was cut short go on. */
export async function nextMasterKeys(directory: string): Promise<MasterKeys> {
  const path = masterKeyPath(directory);
  const kept = await keptMasterKeys(directory);
  if (kept.previous?.some((former) => former !== kept.current)) return kept;
  await keepSecret(`${path}.previous`, () => kept.current);
  await replaceSecret(path, newMasterKey());
  return keptMasterKeys(directory);
}

/** For when nothing is sealed under it any more. */
export const forgetPreviousMasterKey = (directory: string): Promise<void> =>
  rm(`${masterKeyPath(directory)}.previous`, { force: true });

const masterKeyPath = (directory: string) => join(resolve(directory), 'master-key');

/** With the address of the administrator of an embedded database: a given one has the role that it is given with. */
type Joined = Pick<Installation, 'databaseUrl' | 'close'> & { readonly administratorUrl: string };

type Place = Pick<Config, 'databaseUrl' | 'dataDirectory'>;

/**
 * The database of a command that an operator runs: that of a service which is running on the data directory, or one of
 * its own where none is.
 */
export async function joinDatabase({ databaseUrl, dataDirectory }: Place, log: Log): Promise<Joined> {
  if (databaseUrl) {
    await requireServers({ databaseUrl });
    return { databaseUrl, administratorUrl: databaseUrl, close: async () => {} };
  }
  const running = await runningPostgres(postgresOf(dataDirectory));
  if (running) {
    const { url, administratorUrl } = running;
    return { databaseUrl: url, administratorUrl, close: async () => {} };
  }
  return inDirectory(dataDirectory, () => embeddedDatabase(dataDirectory, log));
}

/** Whether a database is named, or the data directory has one. */
export const hasDatabase = ({ databaseUrl, dataDirectory }: Place): boolean =>
  databaseUrl !== undefined || hasCluster(dataDirectory);

const hasCluster = (directory: string): boolean => existsSync(join(clusterOf(directory), 'PG_VERSION'));

const clusterOf = (directory: string) => join(postgresOf(directory), 'cluster');

const postgresOf = (directory: string) => join(resolve(directory), 'postgres');

/** What the service needs of it. */
async function ownDatabase(directory: string, log: Log, signal?: AbortSignal) {
  const { databaseUrl, servesAt, explained, close } = await embeddedDatabase(directory, log, signal);
  await forgetFormerDatabase(directory);
  return { databaseUrl, servesAt, explained, close };
}

async function embeddedDatabase(directory: string, log: Log, signal?: AbortSignal) {
  const claimed = await claimDataDirectory(directory);
  try {
    const postgres = await startEmbeddedPostgres(join(claimed.path, 'postgres'), log, {}, signal);
    const close = async () => {
      await postgres.stop();
      await claimed.release();
    };
    const { nearUrl: databaseUrl, administratorUrl } = postgres;
    const explained = async (error: unknown) => toldOfEmbedded(await postgres.explained(error));
    return { databaseUrl, administratorUrl, servesAt: claimed.servesAt, explained, close };
  } catch (error) {
    await claimed.release();
    throw error;
  }
}
