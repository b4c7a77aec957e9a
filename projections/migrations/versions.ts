/** Tables are of one version at a time: what another one does with them can be wrong without anybody noticing. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { applicationName, booksSchema } from '../../src/infrastructure/postgres/pool.ts';
import { ofEachProcess } from '../../src/infrastructure/postgres/processes.ts';
import type { ReadDb } from '../database.ts';

/** What keeps the tables from being used: for the operator, and what to do. */
export class OtherVersion extends Error {
  override name = 'OtherVersion';
  readonly tried: string;
  readonly next: string;

  constructor(tried: string, next: string) {
    super(`${tried[0]?.toUpperCase()}${tried.slice(1)}. ${next}.`);
    this.tried = tried;
    this.next = next;
  }
}

/** The steps that the tables have behind them; none where there are no tables. */
export async function stepsTaken(db: ReadDb): Promise<readonly string[]> {
  const { rows: found } = await sql<{ there: boolean }>`
    select to_regclass(${`${booksSchema}.kysely_migration`}) is not null as there`.execute(db);
  if (!found[0]?.there) return [];
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(`${booksSchema}.kysely_migration`)} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

export const laterVersion = (): OtherVersion =>
  new OtherVersion(
    'a later version of Daybook has changed the tables',
    'Start that version or a later one, or come back from a backup that was made before it was started',
  );

/** A process that ended has no connection any more, and one whose host is gone has none after this. */
export const goneAfterMs = 10_000;
const lookEveryMs = 250;

/**
 * Waits until no process of the service and no rebuild is on the tables, or they need no change any more. Throws
 * `OtherVersion` where some stay.
 */
export async function untilNobodyUses(
  db: ReadDb,
  needChange: () => Promise<boolean>,
  waitMs: number,
): Promise<void> {
  const end = performance.now() + waitMs;
  for (;;) {
    const others = await usersOf(db);
    if (others.length === 0 || !(await needChange())) return;
    if (performance.now() >= end) throw stillRunning(others);
    await sleep(lookEveryMs);
  }
}

type User = { readonly name: string; readonly at: string | null };

/** Each process has a connection on which it listens, and each rebuild those that it builds on. */
async function usersOf(db: ReadDb): Promise<readonly User[]> {
  const names = [ofEachProcess.listening, 'rebuild'].map((name) => `${applicationName(name)}%`);
  const { rows } = await sql<User>`
    select distinct application_name as name, host(client_addr) as at from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like any(${names})
    order by 1, 2`.execute(db);
  return rows;
}

function stillRunning(others: readonly User[]): OtherVersion {
  const places = [...new Set(others.map(({ at }) => at ?? 'this machine'))].join(', ');
  return new OtherVersion(
    `an earlier version of Daybook runs on these tables (connected from ${places}), and this one has to change them`,
    'Stop every process and command of the earlier version, and start this one again; nothing was changed',
  );
}
