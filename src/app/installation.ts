/** What a process finds or makes on its machine: a database when none is given, the master key, and the first token. */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Log } from '../infrastructure/observe/log.ts';
import {
  claimDataDirectory,
  keepSecret,
  readSecret,
  replaceSecret,
} from '../infrastructure/postgres/data-directory.ts';
import { startEmbeddedPostgres } from '../infrastructure/postgres/embedded.ts';
import { runningPostgres } from '../infrastructure/postgres/running.ts';
import { type MasterKeys, newMasterKey } from '../infrastructure/secrets/sealing.ts';
import { newSecret } from '../kernel/ids.ts';
import { newClientId } from '../use-cases/tokens/issue.ts';
import type { Credentials } from './bootstrap.ts';
import type { Config } from './config.ts';

export type Installation = {
  readonly databaseUrl: string;
  readonly masterKeys: MasterKeys;
  readonly credentials: Credentials;
  readonly credentialsFile: { readonly path: string; readonly created: boolean } | undefined;
  readonly close: () => Promise<void>;
};

export async function openDataDirectory(config: Config, log: Log): Promise<Installation> {
  const database = config.databaseUrl
    ? { databaseUrl: config.databaseUrl, close: async () => {} }
    : await embeddedDatabase(config.dataDirectory, log);
  const masterKeys = config.masterKey
    ? { current: config.masterKey, previous: config.previousMasterKeys }
    : await keptMasterKeys(config.dataDirectory);
  const common = { ...database, masterKeys };
  if (config.bootstrap) return { ...common, credentials: config.bootstrap, credentialsFile: undefined };
  const path = join(resolve(config.dataDirectory), 'credentials');
  await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 });
  const { text, created } = await keepSecret(path, () => `${newClientId()}:${newSecret()}`);
  const [clientId = '', clientSecret = ''] = text.split(':');
  return { ...common, credentials: { clientId, clientSecret }, credentialsFile: { path, created } };
}

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

/**
 * The database of a command that an operator runs: that of a service which is running on the data directory, or one of
 * its own where none is.
 */
export async function joinDatabase(
  { databaseUrl, dataDirectory }: Config,
  log: Log,
): Promise<Pick<Installation, 'databaseUrl' | 'close'>> {
  if (databaseUrl) return { databaseUrl, close: async () => {} };
  const running = await runningPostgres(join(resolve(dataDirectory), 'postgres'));
  return running ? { databaseUrl: running, close: async () => {} } : embeddedDatabase(dataDirectory, log);
}

/** Whether a database is named, or the data directory has one. */
export const hasDatabase = ({ databaseUrl, dataDirectory }: Config): boolean =>
  databaseUrl !== undefined || existsSync(join(resolve(dataDirectory), 'postgres', 'cluster', 'PG_VERSION'));

async function embeddedDatabase(directory: string, log: Log) {
  const claimed = await claimDataDirectory(directory);
  try {
    const postgres = await startEmbeddedPostgres(join(claimed.path, 'postgres'), log);
    const close = async () => {
      await postgres.stop();
      await claimed.release();
    };
    return { databaseUrl: postgres.url, close };
  } catch (error) {
    await claimed.release();
    throw error;
  }
}
