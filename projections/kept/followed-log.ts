/** Which log the tables follow, told by the id of the event that founded its installation. */
import type { ReadDb } from '../database.ts';

export type LogPlace = 'postgres' | 'eventstoredb';

export type FollowedLog = { readonly logId: string; readonly place: LogPlace | undefined };

/** `undefined` until it was kept once; the place until a version has kept that too. */
export async function loadFollowedLog(db: ReadDb): Promise<FollowedLog | undefined> {
  const row = await db.selectFrom('followed_log').select(['log_id', 'kept_in']).executeTakeFirst();
  return row && { logId: row.log_id, place: row.kept_in ?? undefined };
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
