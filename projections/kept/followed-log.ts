/** Which log the tables follow, told by the id of the event that founded its installation. */
import { sql } from 'kysely';
import { booksSchema } from '../../src/infrastructure/postgres/pool.ts';
import type { ReadDb } from '../database.ts';

export type LogPlace = 'postgres' | 'eventstoredb';

export type FollowedLog = { readonly logId: string; readonly place: LogPlace | undefined };

/** `undefined` until it was kept once; the place until a version has kept that too. */
export async function loadFollowedLog(db: ReadDb): Promise<FollowedLog | undefined> {
  const row = await db.selectFrom('followed_log').select(['log_id', 'kept_in']).executeTakeFirst();
  return row && { logId: row.log_id, place: row.kept_in ?? undefined };
}

/** The same for a role that may not read everything: `undefined` too where it may not, or no version has kept the place. */
export async function followedLogIfShown(db: ReadDb): Promise<FollowedLog | undefined> {
  const { rows } = await sql<{ readable: boolean }>`
    select has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') as readable
    from pg_namespace n join pg_class c on c.relnamespace = n.oid join pg_attribute a on a.attrelid = c.oid
    where n.nspname = ${booksSchema} and c.relname = 'followed_log' and a.attname = 'kept_in'`.execute(db);
  return rows[0]?.readable ? loadFollowedLog(db) : undefined;
}

/** The first that is kept stays. Safe from many processes at once. */
export async function keepFollowedLog(db: ReadDb, logId: string, place: LogPlace): Promise<void> {
  await db
    .insertInto('followed_log')
    .values({ log_id: logId, kept_in: place })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db.updateTable('followed_log').set({ kept_in: place }).where('kept_in', 'is', null).execute();
}

/** How far the tables have come in their log, by the checkpoint that is farthest. */
export async function farthestCheckpoint(db: ReadDb): Promise<bigint> {
  const { max } = await db
    .selectFrom('checkpoints')
    .select(({ fn }) => fn.max('position').as('max'))
    .executeTakeFirstOrThrow();
  return max ?? 0n;
}
