/**
 * A process that keeps a Postgres for test runs, and ends it when none has been connected for ten minutes, or when it
 * lets nobody in any more.
 */
import { appendFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { claimDataDirectory, DirectoryInUse } from '../../../src/infrastructure/postgres/data-directory.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/infrastructure/postgres/embedded.ts';
import { forgottenAfter } from './forgotten.ts';
import { isOurs, makeOurs } from './ours.ts';
import { madeAt } from './postgres.ts';
import { ask, untilOfNoUse, usersOf } from './use.ts';

/** A server that was ended from outside is started again before there were so many looks at it. */
const bounds = { idleMaxMs: 10 * 60_000, lookMs: 5_000, deafLooksMax: 3 };

/** Several runs, each with services of many connections. What is in it is thrown away, so nothing waits for a disk. */
const settings = {
  max_connections: '1000',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

const begunAt = Date.now();
const [directory = ''] = process.argv.slice(2);
const log = createLog('warn', { write: (line) => appendFileSync(join(directory, 'keeper.log'), line) });

try {
  await makeOurs(directory);
  const { path, release } = await claimDataDirectory(directory);
  const postgres = await startAnyhow(join(path, 'postgres'));
  await dropLeftOvers(postgres.administratorUrl);
  await keep(postgres.administratorUrl);
  await postgres.stop();
  await release();
} catch (error) {
  if (!(error instanceof DirectoryInUse)) log.error({ err: error }, 'no Postgres for test runs');
}

/** A cluster of ours that does not come up, after a power cut for example, is made anew. */
async function startAnyhow(cluster: string): Promise<EmbeddedPostgres> {
  try {
    return await startEmbeddedPostgres(cluster, log, settings);
  } catch (error) {
    if (!(await isOurs(directory))) throw error;
    log.warn({ err: error }, 'the Postgres for test runs is made anew');
    await rm(cluster, { recursive: true, force: true });
    return await startEmbeddedPostgres(cluster, log, settings);
  }
}

/** What was made before this keeper began is of runs that were killed. */
async function dropLeftOvers(url: string): Promise<void> {
  try {
    const names = await databasesOf(url);
    await drop(
      url,
      names.filter((name) => (madeAt(name) ?? begunAt) < begunAt),
    );
  } catch (error) {
    log.warn({ err: error }, 'databases of former test runs are still there');
  }
}

/** Of runs. */
async function databasesOf(url: string): Promise<readonly string[]> {
  const databases = await ask<{ datname: string }>(url, 'select datname from pg_database');
  return databases.map(({ datname }) => datname).filter((name) => madeAt(name) !== undefined);
}

/** What cannot be dropped is left to the next look, or to the next keeper. */
async function drop(url: string, names: readonly string[]): Promise<void> {
  for (const name of names) await ask(url, `drop database if exists ${name} with (force)`);
}

/**
 * A run that is being debugged keeps its connections, so it keeps its database and the server too. A server whose
 * installation was removed, with the project or before `npm ci`, lets nobody in: the directory is given to the keeper of
 * the run that waits for it.
 */
function keep(url: string): Promise<void> {
  const forgotten = forgottenAfter(bounds.idleMaxMs / bounds.lookMs);
  return untilOfNoUse(bounds, {
    sleep,
    users: () =>
      usersOf(url).catch((error: unknown) => {
        log.warn({ err: error }, 'the Postgres for test runs lets nobody in');
        return undefined;
      }),
    async looked(users) {
      try {
        await drop(url, forgotten(await databasesOf(url), new Set(users.map(({ datname }) => datname))));
      } catch (error) {
        log.warn({ err: error }, 'the databases of test runs were not looked at');
      }
    },
  });
}
