/** What read models forget of a platform that was put back to a snapshot: what it had then follows as copied events. */
import { type RawBuilder, sql } from 'kysely';
import type { FollowedEvent } from '../../src/domain/aggregates.ts';
import { isStreamOf, uuidOfStream } from '../../src/domain/streams.ts';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { idOf, type PlatformId } from '../../src/kernel/ids.ts';
import type { Database, WriteDb } from '../database.ts';

export type Restored = {
  readonly platformId: PlatformId;
  /** What it had in the log and was never moved before. */
  readonly streams: readonly string[];
};

/** Whether streams begin anew after an event, under their names: nothing of one is what the other has come to. */
export const isWayBack = ({ type }: Pick<StoredEvent, 'type'>): boolean => type === 'PlatformStateRestored';

/** What an event says that says so. */
export const restoredIn = (event: FollowedEvent): Restored | undefined =>
  event.type === 'PlatformStateRestored' ? event.data : undefined;

/** Tables without a column for the platform; first, since they name rows of others. */
const byOthers = {
  funding_references: ({ platformId }) => sql`account_id in (select id from (
    select id, platform_id from internal_accounts union all select id, platform_id from transactions) as own
    where platform_id = ${platformId})`,
  // Tokens are beside the log: those from after the snapshot may be gone before the event is come to.
  deleted_tokens: ({ platformId, streams }) => sql`token_id = any(${tokensIn(streams)})
    or token_id in (select id from api_tokens where platform_id = ${platformId})`,
} as const satisfies Partial<Record<keyof Database, (restored: Restored) => RawBuilder<unknown>>>;

const tokensIn = (streams: readonly string[]) =>
  streams.flatMap((stream) => (isStreamOf('token', stream) ? [idOf('Token', uuidOfStream(stream))] : []));

/** Kept with the rows of a table, and by no event. */
const keptWith = { transactions: 'transaction_totals' } as const satisfies Partial<
  Record<keyof Database, keyof Database>
>;

/** Removes the rows of one platform. Outboxes are no read models: theirs are put back as they were. */
export async function removePlatform(
  db: WriteDb,
  tables: readonly (keyof Database)[],
  restored: Restored,
): Promise<void> {
  const wanted = new Set<keyof Database>(tables.filter((table) => table !== 'webhook_events'));
  for (const [table, isOwn] of Object.entries(byOthers)) {
    if (!wanted.delete(table as keyof Database)) continue;
    await sql`delete from ${sql.table(table)} where ${isOwn(restored)}`.execute(db);
  }
  if (wanted.has('transactions')) wanted.add(keptWith.transactions);
  for (const table of wanted)
    await sql`delete from ${sql.table(table)} where platform_id = ${restored.platformId}`.execute(db);
}
