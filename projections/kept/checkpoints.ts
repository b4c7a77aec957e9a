import type { ReadDb } from '../database.ts';

/** A term with a larger token has begun: whoever had this one must stop, and has changed nothing. */
export class TermOver extends Error {
  override name = 'TermOver';

  constructor(checkpoint: string, token: bigint) {
    super(`the checkpoint ${checkpoint} belongs to a later term than ${token}`);
  }
}

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

/**
 * The same, and from now on the subscription has a checkpoint: 0 before its first event. No term before this one moves
 * it any more. Throws `TermOver` where a later one has begun.
 */
export async function startCheckpoint(db: ReadDb, name: string, token: bigint): Promise<bigint> {
  const row = await db
    .insertInto('checkpoints')
    .values({ name, position: 0n, token })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ token }).where('checkpoints.token', '<=', token),
    )
    .returning('position')
    .executeTakeFirst();
  if (!row) throw new TermOver(name, token);
  return row.position;
}

/** Throws `TermOver`, with nothing changed, where another term has begun. */
export async function saveCheckpoint(
  db: ReadDb,
  name: string,
  position: bigint,
  token: bigint,
): Promise<void> {
  const row = await db
    .updateTable('checkpoints')
    .set({ position })
    .where('name', '=', name)
    .where('token', '=', token)
    .returning('position')
    .executeTakeFirst();
  if (!row) throw new TermOver(name, token);
}
