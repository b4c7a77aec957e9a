import type { ReadDb, WriteDb } from '../database.ts';

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

/** All of them, by name. */
export async function loadCheckpoints(db: ReadDb): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.selectFrom('checkpoints').select(['name', 'position']).execute();
  return new Map(rows.map(({ name, position }) => [name, position]));
}

/**
 * The same, and from now on the subscription has a checkpoint: 0 before its first event. No term before this one moves
 * it any more. Throws `TermOver` where a later one has begun.
 */
export async function startCheckpoint(db: ReadDb, name: string, token: bigint): Promise<Started> {
  const row = await db
    .insertInto('checkpoints')
    .values({ name, position: 0n, token })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ token }).where('checkpoints.token', '<=', token),
    )
    .returning(['position', 'erasures'])
    .executeTakeFirst();
  if (!row) throw new TermOver(name, token);
  return row;
}

/** Where a subscription goes on, and how often people had been erased by then. */
export type Started = { readonly position: bigint; readonly erasures: bigint };

/** From now on nobody writes rows of what was read before. To be called when nobody can read any more what was erased. */
export const countErasure = async (db: ReadDb): Promise<void> =>
  void (await db
    .updateTable('checkpoints')
    .set(({ eb }) => ({ erasures: eb('erasures', '+', 1n) }))
    .where('name', '=', projectionsCheckpoint)
    .execute());

export async function erasuresSoFar(db: ReadDb | WriteDb): Promise<bigint> {
  const query = db.selectFrom('checkpoints').select('erasures').where('name', '=', projectionsCheckpoint);
  return (await query.executeTakeFirst())?.erasures ?? 0n;
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

/** Of the read models. */
export const projectionsCheckpoint = 'projections';
/** How far reactions have come. */
export const reactionsCheckpoint = 'policies';
/** Up to here events are told to nobody. */
export const webhooksCheckpoint = 'webhooks';
/** Deliveries and timers begin when the read models have come so far. */
export const deliveriesCheckpoint = 'deliveries';
/** There while the read models are built after the log was moved, or where that was cut short. */
export const movingCheckpoint = 'moving';
/** There while a restore is under way, or was cut short. */
const restoringCheckpoint = 'restoring';

export type StartingPlaces = {
  readonly projections?: bigint;
  readonly reactions: bigint;
  readonly webhooks: bigint;
  readonly deliveries: bigint;
};

/** Whether nothing has followed the log into these tables yet. */
export async function areUnused(db: ReadDb): Promise<boolean> {
  return (await db.selectFrom('checkpoints').select('name').limit(1).executeTakeFirst()) === undefined;
}

/**
 * Tables that were just made begin where the log ends now, all but the read models: what is in the log already was told
 * and reacted on before. Where the log is new, that is its beginning. To be called by every process before it writes.
 */
export async function foundCheckpoints(db: ReadDb, last: () => Promise<bigint>): Promise<void> {
  if (!(await areUnused(db))) return;
  const position = await last();
  const places = { reactions: position, webhooks: position, deliveries: position };
  await db
    .insertInto('checkpoints')
    .values(rowsOf(places))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What the read models are being built for, or were when it was cut short, and how to go on; `undefined` where they are there. */
export async function beingBuilt(
  db: ReadDb,
): Promise<{ readonly by: string; readonly again: string } | undefined> {
  if ((await loadCheckpoint(db, restoringCheckpoint)) !== undefined)
    return { by: 'A restore', again: 'daybook restore' };
  if ((await loadCheckpoint(db, movingCheckpoint)) !== undefined)
    return { by: 'A move of the log', again: 'daybook log copy' };
  return undefined;
}

/** Where webhooks and deliveries begin; throws where a restore, or a move of the log, was cut short. */
export async function loadBeginnings(db: ReadDb): Promise<Pick<StartingPlaces, 'webhooks' | 'deliveries'>> {
  const building = await beingBuilt(db);
  if (building)
    throw new Error(`${building.by} was cut short, or is under way. Run it again: ${building.again}`);
  const webhooks = (await loadCheckpoint(db, webhooksCheckpoint)) ?? 0n;
  return { webhooks, deliveries: (await loadCheckpoint(db, deliveriesCheckpoint)) ?? 0n };
}

/** From here on no process starts, until `endRestore`. Throws where the tables are in use. */
export const beginRestore = (db: ReadDb, places: StartingPlaces): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const restoring = await loadCheckpoint(transaction, restoringCheckpoint);
    const reached = await loadCheckpoint(transaction, projectionsCheckpoint);
    if (restoring === undefined && reached)
      throw new Error('These read models are in use. To build them anew: daybook rebuild');
    const rows = [...rowsOf(places), { name: restoringCheckpoint, position: 0n }];
    await transaction
      .insertInto('checkpoints')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(({ ref }) => ({ position: ref('excluded.position') })),
      )
      .execute();
  });

export const endRestore = (db: ReadDb) =>
  db.deleteFrom('checkpoints').where('name', '=', restoringCheckpoint).execute();

export const endMove = (db: ReadDb) =>
  db.deleteFrom('checkpoints').where('name', '=', movingCheckpoint).execute();

const rowsOf = ({ projections, reactions, webhooks, deliveries }: StartingPlaces) => [
  ...(projections === undefined ? [] : [{ name: projectionsCheckpoint, position: projections }]),
  { name: reactionsCheckpoint, position: reactions },
  { name: webhooksCheckpoint, position: webhooks },
  { name: deliveriesCheckpoint, position: deliveries },
];

/** Whether the read models have come so far that deliveries and timers may begin. Once they have, they stay so. */
export function createCaughtUp(db: ReadDb, position: bigint): () => Promise<boolean> {
  let isReached = position === 0n;
  return async () => {
    isReached ||= ((await loadCheckpoint(db, projectionsCheckpoint)) ?? 0n) >= position;
    return isReached;
  };
}
