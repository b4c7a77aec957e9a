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

/** The same, and from now on the subscription has a checkpoint: 0 before its first event. */
export async function startCheckpoint(db: ReadDb, name: string): Promise<bigint> {
  await db
    .insertInto('checkpoints')
    .values({ name, position: 0n })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await loadCheckpoint(db, name)) ?? 0n;
}

export async function saveCheckpoint(db: ReadDb, name: string, position: bigint): Promise<void> {
  await db
    .insertInto('checkpoints')
    .values({ name, position })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ position }))
    .execute();
}
