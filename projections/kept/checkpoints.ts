import type { ReadDb } from '../database.ts';

/** How far a subscription has come; `undefined` before its first event. */
export async function loadCheckpoint(
  db: ReadDb,
  name: string,
  lock?: 'for update',
): Promise<bigint | undefined> {
  const query = db.selectFrom('checkpoints').select('position').where('name', '=', name);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return row?.position;
}

export async function saveCheckpoint(db: ReadDb, name: string, position: bigint): Promise<void> {
  await db
    .insertInto('checkpoints')
    .values({ name, position })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ position }))
    .execute();
}
