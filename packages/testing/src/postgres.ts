/** One Postgres for all runs of a user: started by the first, and kept until nobody has used it for a while. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '../../../src/infrastructure/postgres/pool.ts';
import { runningPostgres } from '../../../src/infrastructure/postgres/running.ts';
import { makeOurs } from './ours.ts';

const startMaxMs = 120_000;
const lookMs = 50;
/** One that is just ending holds the directory, and the next one has to be started again. */
const startAgainMs = 2_000;
const statementMaxMs = 60_000;

/** Names of databases say when they were made, so that a keeper knows which are left from runs before it. */
export const databaseName = (): string => `run_${Date.now()}_${randomUUID().replaceAll('-', '')}`;

/** When the database of a run was made, in milliseconds; nothing for other databases. */
export const madeAt = (name: string): number | undefined => {
  const [, ms] = /^run_(\d+)_/.exec(name) ?? [];
  return ms === undefined ? undefined : Number(ms);
};

const keeper = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './keeper.ts' : './keeper.js', import.meta.url),
);

/** Below `XDG_CACHE_HOME` where that is an absolute path, as its specification has it, else below the home directory. */
export function usualDirectory({ XDG_CACHE_HOME: named = '' }: NodeJS.ProcessEnv = process.env): string {
  const caches = isAbsolute(named) ? named : join(homedir(), '.cache');
  return join(caches, 'daybook-testing', 'clusters-18');
}

export type Database = { readonly url: string; drop(): Promise<void> };

/** An empty database in the Postgres of a directory, which is started where it does not run. Throws `NotOurs`. */
export async function createDatabase(directory: string): Promise<Database> {
  await makeOurs(directory);
  const server = await warmPostgres(directory);
  const name = databaseName();
  const url = new URL(server.url);
  await runOn(server.administratorUrl, `create database ${name} owner ${url.username}`);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => runOn(server.administratorUrl, `drop database if exists ${name} with (force)`),
  };
}

type Addresses = NonNullable<Awaited<ReturnType<typeof runningPostgres>>>;

async function warmPostgres(directory: string): Promise<Addresses> {
  const end = performance.now() + startMaxMs;
  for (let startAt = 0; performance.now() < end; await sleep(lookMs)) {
    const addresses = await runningPostgres(join(directory, 'postgres'));
    if (addresses) return addresses;
    if (performance.now() < startAt) continue;
    startKeeper(directory);
    startAt = performance.now() + startAgainMs;
  }
  throw new Error(`no Postgres came up in ${directory} within ${startMaxMs / 1_000} s; see keeper.log there`);
}

/** On its own: it outlives this run. Where another one has the directory, it ends at once. */
function startKeeper(directory: string): void {
  spawn(process.execPath, [keeper, directory], { detached: true, stdio: 'ignore' }).unref();
}

/** Runs one statement on a connection of its own. */
export async function runOn(url: string, statement: string): Promise<void> {
  const client = createClient(url, 'testing', statementMaxMs);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
