/**
 * Tables that a log is left for another one with the same events: each position in them becomes that of the same event
 * there. The read models have positions too, and are built anew.
 */
import { forgetAllClosings } from '../../src/infrastructure/closings/forget.ts';
import type { Pool, PoolClient } from '../../src/infrastructure/postgres/pool.ts';
import { inTransaction } from '../../src/infrastructure/postgres/transaction.ts';
import { movingCheckpoint } from './checkpoints.ts';
import type { LogPlace } from './followed-log.ts';
import { holdSnapshots } from './snapshots.ts';

/** The positions of one event in two logs. */
export type Pair = { readonly from: bigint; readonly to: bigint };

/** Positions of events, or up to which something has come: the last event at or before them counts. */
const positions = [
  ['checkpoints', 'position'],
  ['parked_work', 'position'],
  ['webhook_events', 'position'],
  ['webhook_events', 'asked_position'],
  ['webhook_redeliveries', 'after_position'],
  ['webhook_cancellations', 'cutoff'],
  ['webhook_cancellations', 'after_position'],
  ['log_tree', 'position'],
] as const;

/**
 * In one transaction, at the end of which the tables follow the log in `place`. Meanwhile no process comes to the end of
 * its start, and from then on none does until the read models are built and `endMove` is called. Throws where somebody
 * else has moved them meanwhile, while a platform is on its way back to a snapshot, what reading the pairs throws, and
 * what `requireQuiet` does, which is asked last: with nothing changed.
 */
export const moveTables = (
  pool: Pool,
  place: LogPlace,
  pairs: AsyncIterable<readonly Pair[]>,
  requireQuiet: () => Promise<void>,
): Promise<void> =>
  inTransaction(pool, async (client) => {
    // A start reads it, and waits.
    await client.query('lock table followed_log in access exclusive mode');
    await requireStillTo(client, place);
    await holdSnapshots(client);
    await client.query(
      'create temporary table moved (was bigint primary key, is_now bigint not null) on commit drop',
    );
    for await (const page of pairs)
      await client.query('insert into moved select * from unnest($1::bigint[], $2::bigint[])', [
        page.map(({ from }) => from),
        page.map(({ to }) => to),
      ]);
    await client.query('analyze moved');
    await requireQuiet();
    for (const [table, column] of positions) await move(client, table, column);
    // The leaves of the tree are the same, in the same order, at other places.
    await client.query(
      `update log_tiles t set positions = (
         select array_agg(m.is_now order by u.i)
         from unnest(t.positions) with ordinality u (p, i) join moved m on m.was = u.p
       ) where t.level = 0`,
    );
    // They are made again from the log.
    await forgetAllClosings(client);
    // Snapshots of the sandbox are of the log that is left.
    await client.query('truncate sandbox_snapshots, sandbox_snapshot_rows');
    await client.query(
      `insert into checkpoints (name, position) values ($1, 0) on conflict (name) do nothing`,
      [movingCheckpoint],
    );
    const { rowCount } = await client.query('update followed_log set kept_in = $1', [place]);
    if (rowCount !== 1) throw new Error('The tables follow no log yet: start the service once, and stop it.');
  });

/** Throws where the tables follow the log in `place` by now: their positions are of that one already. */
async function requireStillTo(client: PoolClient, place: LogPlace): Promise<void> {
  const { rowCount } = await client.query('select from followed_log where kept_in = $1', [place]);
  if (rowCount !== 0) throw new Error('The log was moved meanwhile. Run this again.');
}

const move = (client: PoolClient, table: string, column: string) =>
  client.query(
    `update ${table} set ${column} = coalesce(
       (select is_now from moved where was <= ${table}.${column} order by was desc limit 1), 0)
     where ${column} > 0`,
  );
