/** What read models forget of a platform that was put back to a snapshot: what it had then follows as copied events. */
import { sql } from 'kysely';
import type { FollowedEvent } from '../../src/domain/aggregates.ts';
import type { PlatformId } from '../../src/kernel/ids.ts';
import type { Database, WriteDb } from '../database.ts';

/** The platform of an event that says so. */
export const restoredPlatform = (event: FollowedEvent): PlatformId | undefined =>
  event.type === 'PlatformStateRestored' ? event.data.platformId : undefined;

/** Tables without a column for the platform; first, since they name rows of others. */
const byOthers = {
  funding_references: `account_id in (select id from (
    select id, platform_id from internal_accounts union all select id, platform_id from transactions) as own
    where platform_id = $1)`,
  deleted_tokens: 'token_id in (select id from api_tokens where platform_id = $1)',
} as const satisfies Partial<Record<keyof Database, string>>;

/** Kept with the rows of a table, and by no event. */
const keptWith = { transactions: 'transaction_totals' } as const satisfies Partial<
  Record<keyof Database, keyof Database>
>;

/** Removes the rows of one platform. Outboxes are no read models: theirs are put back as they were. */
export async function removePlatform(
  db: WriteDb,
  tables: readonly (keyof Database)[],
  platformId: PlatformId,
): Promise<void> {
  const wanted = new Set<keyof Database>(tables.filter((table) => table !== 'webhook_events'));
  for (const [table, condition] of Object.entries(byOthers)) {
    if (!wanted.delete(table as keyof Database)) continue;
    const [before = '', after = ''] = condition.split('$1');
    await sql`delete from ${sql.table(table)} where ${sql.raw(before)}${platformId}${sql.raw(after)}`.execute(
      db,
    );
  }
  if (wanted.has('transactions')) wanted.add(keptWith.transactions);
  for (const table of wanted)
    await sql`delete from ${sql.table(table)} where platform_id = ${platformId}`.execute(db);
}
