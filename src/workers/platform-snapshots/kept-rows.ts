/** What a platform has beside the log: rows that a snapshot keeps as they are, and that are put back as they were. */
import { isBeforeCutoff } from '../../../projections/kept/webhook-events.ts';
import { objectsOf } from '../../domain/streams.ts';
import { forgetClosingsOf } from '../../infrastructure/closings/forget.ts';
import type { PoolClient } from '../../infrastructure/postgres/pool.ts';
import type { PlatformId, SnapshotId } from '../../kernel/ids.ts';
import { inParts } from '../../kernel/parts.ts';

/** `$1` is the platform, `$2` the ids of its objects. In an order in which they can be filled. */
const tables = [
  ['api_tokens', 'platform_id = $1'],
  ['agent_tokens', 'agent_id = any($2)'],
  ['agent_device_codes', 'platform_id = $1'],
  ['document_contents', 'document_id = any($2)'],
  ['document_chunks', 'content_id in (select id from document_contents where document_id = any($2))'],
  ['wallet_phrases', 'id = any($2)'],
  ['webhook_keys', 'platform_id = $1'],
  ['webhook_events', 'platform_id = $1'],
  ['webhook_attempts', 'event_id in (select id from webhook_events where platform_id = $1)'],
  ['emails', 'platform_id = $1'],
  ['sandbox_faults', 'platform_id = $1'],
  ['sandbox_returns', 'platform_id = $1'],
] as const;

/** Made from the log, and not put back: what was pending before it was about to be cancelled. */
const cutoffs = 'webhook_cutoffs';
/** Keys of requests are not put back: of those that were there it is known whether they had their answers. */
const keys = 'idempotency_keys';

const cutoffThen = `(
  select (content->>'position')::bigint from sandbox_snapshot_rows
  where snapshot_id = $3 and of_table = '${cutoffs}'
)`;

type Whose = { readonly platformId: PlatformId; readonly streams: Iterable<string> };

/** Both parameters have to be there in each statement. */
const where = (condition: string) => `${condition} and ($1::text, $2::text[]) is not null`;

export async function keepRows(
  client: PoolClient,
  snapshotId: SnapshotId,
  { platformId, streams }: Whose,
): Promise<void> {
  const objects = objectsOf(streams);
  for (const [table, condition] of [...tables, [cutoffs, 'platform_id = $1']])
    await client.query(
      `insert into sandbox_snapshot_rows (snapshot_id, of_table, content)
       select $3, '${table}', to_jsonb(t) from ${table} t where ${where(condition)}`,
      [platformId, objects, snapshotId],
    );
  await client.query(
    `insert into sandbox_snapshot_rows (snapshot_id, of_table, content)
     select $2, '${keys}', jsonb_build_object('scope', scope, 'since', created_at, 'isAnswered', status is not null)
     from ${keys} where tenant = $1`,
    [platformId, snapshotId],
  );
}

/**
 * `streams` are those that the platform has now and those that it had then, `until` is where the log has all copies. Nobody is
 * at work on what is put back. Throws, with nothing deleted, where the snapshot is gone.
 */
export async function putBackRows(
  client: PoolClient,
  snapshotId: SnapshotId,
  { platformId, streams, until }: Whose & { readonly until: bigint },
): Promise<void> {
  await requireThere(client, snapshotId);
  await keepSecrets(client, snapshotId);
  await endSessions(client, snapshotId, platformId);
  const objects = objectsOf(streams);
  for (const [table, condition] of tables.toReversed())
    await client.query(`delete from ${table} where ${where(condition)}`, [platformId, objects]);
  for (const [table] of tables)
    await client.query(
      `insert into ${table} select r.*
       from sandbox_snapshot_rows s cross join lateral jsonb_populate_record(null::${table}, s.content) as r
       where s.snapshot_id = $1 and s.of_table = '${table}'`,
      [snapshotId],
    );
  for (const table of ['webhook_events', 'emails'])
    await client.query(
      `update ${table} set locked_until = null, claimed_by = null
       where platform_id = $1 and (locked_until is not null or claimed_by is not null)`,
      [platformId],
    );
  // That an endpoint was switched off is in the log anew, where all that is put back is older.
  await client.query(
    `update webhook_events e set asked_position = $2
     where platform_id = $1 and state = 'PENDING' and not coalesce(${isBeforeCutoff('e', cutoffThen)}, false)`,
    [platformId, until, snapshotId],
  );
  // Until when an endpoint is left alone was said by a clock that has gone back: what is known of it is found out again.
  for (const table of ['webhook_redeliveries', 'webhook_cancellations', 'webhook_lanes'])
    await client.query(`delete from ${table} where platform_id = $1`, [platformId]);
  await client.query('delete from parked_work where stream = any($1)', [[...streams]]);
  await forgetClosingsOf(client, [...streams]);
  await putBackKeys(client, snapshotId, platformId);
}

/** A row may be as large as a piece of a file: a statement that takes longer than others may is ended. */
const droppedAtOnceMax = 200;

/**
 * Whether it was there, and nobody on the way back to it: until the end of the transaction nobody sets out, and then it is
 * gone with all that it keeps.
 */
export async function dropSnapshot(
  client: PoolClient,
  { id, platformId }: { readonly id: string; readonly platformId: string },
): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from sandbox_snapshots where id = $1 and platform_id = $2 and restoring is null for update',
    [id, platformId],
  );
  if (rowCount === 0) return false;
  // They have no key. Only on the way back they are changed, so that they stay in their places.
  const { rows } = await client.query<{ readonly place: string }>(
    'select ctid::text as place from sandbox_snapshot_rows where snapshot_id = $1',
    [id],
  );
  for (const some of inParts(rows, droppedAtOnceMax))
    await client.query('delete from sandbox_snapshot_rows where ctid = any($1::tid[])', [
      some.map(({ place }) => place),
    ]);
  await client.query('delete from sandbox_snapshots where id = $1', [id]);
  return true;
}

/** It stays until the end of the transaction. */
async function requireThere(client: PoolClient, id: SnapshotId): Promise<void> {
  const { rowCount } = await client.query('select from sandbox_snapshots where id = $1 for key share', [id]);
  if (rowCount === 0) throw new Error(`snapshot ${id} is gone, and its platform was on its way back to it`);
}

/** Whoever has changed the secret of a token may have done so because somebody else knows the former one. */
const keepSecrets = (client: PoolClient, snapshotId: SnapshotId) =>
  client.query(
    `update sandbox_snapshot_rows r set content = r.content || jsonb_build_object('secret_hash', t.secret_hash)
     from api_tokens t
     where r.snapshot_id = $1 and r.of_table = 'api_tokens' and t.id = r.content->>'id'`,
    [snapshotId],
  );

/**
 * A session of the console ends with its token, and does not come back with it: only those stay whose token is there now
 * and was there then. Before the rows are put back, in the same transaction, it is known of both, whoever has deleted one.
 */
const endSessions = (client: PoolClient, snapshotId: SnapshotId, platformId: PlatformId) =>
  client.query(
    `with own as (select id, deleted_at is null as is_living from api_tokens where platform_id = $2),
       kept as (
         select content->>'id' as id, content->>'deleted_at' is null as is_living from sandbox_snapshot_rows
         where snapshot_id = $1 and of_table = 'api_tokens'
       )
     delete from console_sessions s using own full join kept using (id)
     where s.token_id = id and (own.is_living and kept.is_living) is not true`,
    [snapshotId, platformId],
  );

/**
 * One that was answered then stays. One that was being used then is looked for among what there is, by whoever uses it next;
 * one that came after is as good as new. Those that are being used now see to it themselves.
 */
async function putBackKeys(
  client: PoolClient,
  snapshotId: SnapshotId,
  platformId: PlatformId,
): Promise<void> {
  const then = `with kept as materialized (
    select content->>'scope' as scope, (content->>'since')::timestamptz as since,
      (content->>'isAnswered')::boolean as is_answered
    from sandbox_snapshot_rows where snapshot_id = $1 and of_table = '${keys}')`;
  const answered = 'k.tenant = $2 and k.status is not null';
  const same = 't.scope = k.scope and t.since = k.created_at';
  await client.query('set local enable_nestloop = off');
  await client.query(
    `${then} delete from ${keys} k where ${answered} and not exists (select from kept t where ${same})`,
    [snapshotId, platformId],
  );
  await client.query(
    `${then} update ${keys} k set status = null, body = null, held_until = clock_timestamp()
     from kept t where ${answered} and ${same} and not t.is_answered`,
    [snapshotId, platformId],
  );
}
