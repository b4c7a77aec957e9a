/** Positions that are kept with the tables, of a log that is left for another one. */
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { moveTables, type Pair } from '../../projections/kept/moved-log.ts';
import { createPool, type Pool } from '../../src/infrastructure/postgres/pool.ts';
import { query } from '../support/postgres/database.ts';
import { emptyBooks, modelTables } from '../support/postgres/read-models.ts';

/** Between the second event of the log that is left and its third. */
const kept = 7_500;
const events = [
  [5_000n, 1n],
  [7_000n, 2n],
  [9_000n, 3n],
] as const;

async function* pairs(): AsyncGenerator<readonly Pair[]> {
  yield events.map(([from, to]) => ({ from, to }));
}
const toPostgres = (pool: Pool) => moveTables(pool, 'postgres', pairs(), async () => undefined);

/** Tables that follow a log in EventStoreDB: one row in each that keeps a position. */
async function followed() {
  const { url } = await emptyBooks();
  const pool = createPool({ url, max: 4, name: 'move' });
  onTestFinished(() => pool.end());
  await pool.query(`insert into followed_log (log_id, kept_in) values ($1, 'eventstoredb')`, [randomUUID()]);
  for (const statement of [
    `insert into checkpoints (name, position) values ('projections', ${kept})`,
    `insert into parked_work (consumer, stream, revision, position, event_id, type, error, next_try_at)
     values ('webhooks', 'account-1', 0, ${kept}, '', '', '', now())`,
    `insert into webhook_events (id, platform_id, type, object_id, position, asked_position, n, body, state, attempts,
       retries, retrying_since, redelivery, created_at, updated_at)
     values ('', '', '', '', ${kept}, ${kept}, 0, '', 'PENDING', 0, 0, now(), false, now(), now())`,
    `insert into webhook_redeliveries (platform_id, until, after_created_at, after_position, after_n, stepped_at)
     values ('', now(), now(), ${kept}, 0, now())`,
    `insert into webhook_cancellations
       (platform_id, cutoff, after_object_id, after_position, after_n, stepped_at, is_done)
     values ('', ${kept}, '', ${kept}, 0, now(), false)`,
    `update log_tree set size = 2, position = ${kept}`,
    `insert into log_tiles (level, n, hashes, positions) values (0, 0, '', '{5000,7000,9000}')`,
  ])
    await pool.query(statement);
  return { url, pool };
}

/** By table and column: read models are built anew, and snapshots stay behind. */
async function positionsIn(url: string): Promise<Readonly<Record<string, string>>> {
  const columns = await query<{ table: string; column: string }>(
    url,
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'daybook' and data_type = 'bigint' and column_name ~ '(^|_)position$|^cutoff$'
       and table_name <> all($1) and table_name !~ '^sandbox_snapshot'
     order by 1, 2`,
    [modelTables],
  );
  const positions: Record<string, string> = {};
  for (const { table, column } of columns) {
    const [row] = await query<{ at: string }>(
      url,
      `select string_agg(${column}::text, ' ') as at from daybook.${table} where ${column} > 0`,
    );
    positions[`${table}.${column}`] = row?.at ?? 'none';
  }
  const [tile] = await query<{ at: string }>(url, 'select positions::text as at from daybook.log_tiles');
  return { ...positions, 'log_tiles.positions': tile?.at ?? 'none' };
}

const all = (position: number, leaves: string) => ({
  'checkpoints.position': `${position}`,
  'log_tiles.positions': leaves,
  'log_tree.position': `${position}`,
  'parked_work.position': `${position}`,
  'webhook_cancellations.after_position': `${position}`,
  'webhook_cancellations.cutoff': `${position}`,
  'webhook_events.asked_position': `${position}`,
  'webhook_events.position': `${position}`,
  'webhook_redeliveries.after_position': `${position}`,
});

it('each becomes that of the same event, or of the last one before it', async () => {
  const { url, pool } = await followed();
  expect(await positionsIn(url)).toEqual(all(kept, '{5000,7000,9000}'));
  await toPostgres(pool);
  expect(await positionsIn(url)).toEqual(all(2, '{1,2,3}'));
});

it('they are moved once by two at once', async () => {
  const { url, pool } = await followed();
  const moves = await Promise.allSettled([toPostgres(pool), toPostgres(pool)]);
  expect(moves.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(moves.find((move) => move.status === 'rejected')?.reason).toMatchObject({
    message: 'The log was moved meanwhile. Run this again.',
  });
  expect(await positionsIn(url)).toEqual(all(2, '{1,2,3}'));
});
