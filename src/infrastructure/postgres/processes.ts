/** The processes that are at work on a database, by their connections. */
import type pg from 'pg';
import { applicationName } from './pool.ts';

/**
 * The names of the connections of which a process has one at the most. Each can be cut off and is made anew by itself: a
 * process without one of them is known by the others.
 */
export const ofEachProcess = { listening: 'listen', leases: 'leases', writer: 'log', work: 'work' } as const;

/** How many processes are connected. */
export async function countProcesses(pool: Pick<pg.Pool, 'query'>): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where application_name = any($1) and datname = current_database()
     group by application_name order by count desc limit 1`,
    [Object.values(ofEachProcess).map(applicationName)],
  );
  return rows[0]?.count ?? 0;
}
