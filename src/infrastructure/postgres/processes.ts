/** The processes that are at work on a database, by their connections. */
import type pg from 'pg';
import { applicationName } from './pool.ts';

/**
 * The names of the connections of which a process has one at the most. Each can be cut off and is made anew by itself: one
 * that is without the first is known by the others that it has. In production the first may go on behind this name.
 */
export const ofEachProcess = { listening: 'listen', leases: 'leases', writer: 'log', work: 'work' } as const;

/**
 * How many processes are connected, `pool` being one's own. Of two that have no connection of the same name, one is known
 * by those of the pool's name that are not the pool's.
 */
export async function countProcesses(pool: Pick<pg.Pool, 'query' | 'totalCount'>): Promise<number> {
  const before = pool.totalCount;
  const { rows } = await pool.query<{ readonly one: boolean; readonly count: number }>(
    `select application_name = any($1) as one, count(*)::int as count from pg_stat_activity
     where (application_name = any($1) or application_name = current_setting('application_name'))
       and datname = current_database() and backend_type = 'client backend'
     group by application_name`,
    [Object.values(ofEachProcess).map(applicationName)],
  );
  const own = Math.max(before, pool.totalCount);
  return Math.max(1, ...rows.map(({ one, count }) => (one ? count : 1 + Number(count > own))));
}

/** Where the processes are connected from whose listening connections have names that begin so, the database's alone. */
export async function listenersLike(
  pool: Pick<pg.Pool, 'query'>,
  begin: string,
): Promise<readonly { readonly name: string; readonly at: string | null }[]> {
  const { rows } = await pool.query<{ readonly name: string; readonly at: string | null }>(
    `select distinct substr(application_name, length($2) + 1) as name, host(client_addr) as at from pg_stat_activity
     where starts_with(application_name, $1) and datname = current_database() order by 1, 2`,
    [applicationName(begin), applicationName('')],
  );
  return rows;
}
