/** What a platform has beside the log: rows that a snapshot keeps as they are, and that are put back as they were. */
import { objectsOf } from '../../domain/streams.ts';
import { forgetClosingsOf } from '../../infrastructure/closings/forget.ts';
import type { PoolClient } from '../../infrastructure/postgres/pool.ts';
import type { PlatformId, SnapshotId } from '../../kernel/ids.ts';

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

type Whose = { readonly platformId: PlatformId; readonly streams: Iterable<string> };

/** Both parameters have to be there in each statement. */
const where = (condition: string) => `${condition} and ($1::text, $2::text[]) is not null`;

export async function keepRows(
  client: PoolClient,
  snapshotId: SnapshotId,
  { platformId, streams }: Whose,
): Promise<void> {
  const objects = objectsOf(streams);
  for (const [table, condition] of tables)
    await client.query(
      `insert into sandbox_snapshot_rows (snapshot_id, of_table, content)
       select $3, '${table}', to_jsonb(t) from ${table} t where ${where(condition)}`,
      [platformId, objects, snapshotId],
    );
}

/**
 * `streams` are those that the platform has now and those that it had then. Nobody is at work on what is put back. Keys of
 * requests that came after the snapshot are as good as new.
 */
export async function putBackRows(
  client: PoolClient,
  snapshotId: SnapshotId,
  { platformId, streams }: Whose,
): Promise<void> {
  const objects = objectsOf(streams);
  for (const [table, condition] of tables.toReversed())
    await client.query(`delete from ${table} where ${where(condition)}`, [platformId, objects]);
  for (const [table] of tables)
    await client.query(
      `insert into ${table} select (jsonb_populate_record(null::${table}, content)).*
       from sandbox_snapshot_rows where snapshot_id = $1 and of_table = '${table}'`,
      [snapshotId],
    );
  for (const table of ['webhook_events', 'emails'])
    await client.query(
      `update ${table} set locked_until = null, claimed_by = null
       where platform_id = $1 and (locked_until is not null or claimed_by is not null)`,
      [platformId],
    );
  for (const table of ['webhook_redeliveries', 'webhook_cancellations'])
    await client.query(`delete from ${table} where platform_id = $1`, [platformId]);
  await client.query('delete from parked_work where stream = any($1)', [[...streams]]);
  await forgetClosingsOf(client, [...streams]);
  await client.query(
    `delete from idempotency_keys k using sandbox_snapshots s
     where s.id = $1 and k.tenant = s.platform_id and k.created_at > s.created_at and k.status is not null`,
    [snapshotId],
  );
}
