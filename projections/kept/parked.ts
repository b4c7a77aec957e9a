/**
 * Work that follows from an event and failed. It is kept and tried again, later each time, so that nothing else waits for
 * it. Not copied from the log: it says what the copies lack.
 */
import { type Selectable, sql } from 'kysely';
import type { EventStore, StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { withoutQuote } from '../../src/kernel/json-fault.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import type { ParkedWorkTable } from '../tables/parked.ts';
import { loadCheckpoint, projectionsCheckpoint } from './checkpoints.ts';

export type ParkedWork = Selectable<ParkedWorkTable>;
export type Failed = { readonly consumer: string; readonly event: StoredEvent; readonly error: unknown };

/** Whose work is that of an event alone: others set aside what is left of its stream. */
export const reactionsConsumer = 'reactions';

const errorLengthMax = 500;
const longestDelaySeconds = 600;

/** Half to all of 1, 2, 4 … seconds, up to ten minutes. */
const nextTry = (attempts: ReturnType<typeof sql>) => sql<Date>`
  clock_timestamp() + least(${longestDelaySeconds}, power(2, least(${attempts}, 20) - 1))
    * (0.5 + random() / 2) * interval '1 second'`;

/** Keeps what failed; once more, where it is there already. */
export async function park(db: ReadDb | WriteDb, { consumer, event, error }: Failed): Promise<void> {
  const { stream, revision, position, id, type } = event;
  const text = textOf(error);
  const row = { consumer, stream, revision, position, event_id: id, type, error: text };
  await db
    .insertInto('parked_work')
    .values({ ...row, next_try_at: nextTry(sql`1`) })
    .onConflict((conflict) =>
      conflict.columns(['consumer', 'stream', 'revision']).doUpdateSet({
        error: text,
        attempts: sql`parked_work.attempts + 1`,
        next_try_at: nextTry(sql`parked_work.attempts + 1`),
      }),
    )
    .execute();
}

const textOf = (error: unknown): string =>
  withoutQuote(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
    .replaceAll('\u0000', '')
    .slice(0, errorLengthMax);

/** A time that is further away than any is given was given before the server's clock was put back. */
const isDue = sql<boolean>`(next_try_at <= clock_timestamp()
  or next_try_at > clock_timestamp() + ${sql.lit(longestDelaySeconds)} * interval '1 second')`;

/** What is due, the longest first; it is due again later whatever becomes of it now. */
export async function takeDue(db: ReadDb, consumer: string, limit: number): Promise<readonly ParkedWork[]> {
  const due = db
    .selectFrom('parked_work')
    .select(['stream', 'revision'])
    .where('consumer', '=', consumer)
    .where(isDue)
    .orderBy('next_try_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return db
    .updateTable('parked_work')
    .set({ next_try_at: nextTry(sql`attempts + 1`) })
    .where('consumer', '=', consumer)
    .where(({ eb, refTuple }) => eb(refTuple('stream', 'revision'), 'in', due.$asTuple('stream', 'revision')))
    .returningAll()
    .execute();
}

/** The streams that these consumers have set aside. */
export async function parkedStreams(
  db: ReadDb | WriteDb,
  consumers: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await db
    .selectFrom('parked_work')
    .select(['consumer', 'stream'])
    .where(({ eb, val }) => eb('consumer', '=', eb.fn.any(val([...consumers]))))
    .execute();
  const byConsumer = Map.groupBy(rows, ({ consumer }) => consumer);
  return new Map(
    [...byConsumer].map(([consumer, own]) => [consumer, new Set(own.map(({ stream }) => stream))]),
  );
}

/** Forgets what these consumers have set aside: they have been made anew. */
export async function forgetParked(db: ReadDb | WriteDb, consumers: readonly string[]): Promise<void> {
  await db
    .deleteFrom('parked_work')
    .where(({ eb, val }) => eb('consumer', '=', eb.fn.any(val([...consumers]))))
    .execute();
}

type Which = Pick<ParkedWork, 'consumer' | 'stream' | 'revision'>;

/** It has failed once more. Nothing is kept where it was dropped meanwhile. */
export async function parkAgain(
  db: ReadDb | WriteDb,
  { consumer, stream, revision }: Which,
  error: unknown,
): Promise<void> {
  await db
    .updateTable('parked_work')
    .set({ error: textOf(error), attempts: sql`attempts + 1`, next_try_at: nextTry(sql`attempts + 1`) })
    .where('consumer', '=', consumer)
    .where('stream', '=', stream)
    .where('revision', '=', revision)
    .execute();
}

/** It is done, or dropped. Returns whether it was there. */
export async function unpark(db: ReadDb | WriteDb, { consumer, stream, revision }: Which): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('parked_work')
    .where('consumer', '=', consumer)
    .where('stream', '=', stream)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** What is kept that has waited for an event which was dropped. */
const untried = {
  attempts: 0,
  error: 'Not tried yet: the event before it in the stream was dropped',
  next_try_at: sql<Date>`clock_timestamp()`,
};

/** It is done up to an event, with which the rest begins. Returns whether it was there. */
export async function parkRest(
  db: ReadDb | WriteDb,
  { consumer, stream, revision }: Which,
  first: StoredEvent,
  tries: Partial<typeof untried> = {},
): Promise<boolean> {
  const { id: event_id, type, position } = first;
  const { numUpdatedRows } = await db
    .updateTable('parked_work')
    .set({ revision: first.revision, position, event_id, type, ...tries })
    .where('consumer', '=', consumer)
    .where('stream', '=', stream)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether anything of these streams is kept, for whichever consumer. */
export async function isAnyParked(db: ReadDb, streams: Iterable<string>): Promise<boolean> {
  const row = await db
    .selectFrom('parked_work')
    .select('stream')
    .where(({ eb, val }) => eb('stream', '=', eb.fn.any(val([...streams]))))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** What is kept for all consumers, the oldest first. */
export const listParked = (db: ReadDb, limit: number): Promise<readonly ParkedWork[]> =>
  db.selectFrom('parked_work').selectAll().orderBy('parked_at').limit(limit).execute();

/** How much is kept, for each consumer that has any. */
export async function countParked(db: ReadDb): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('parked_work')
    .select(['consumer', sql<number>`count(*)::int`.as('many')])
    .groupBy('consumer')
    .execute();
  return new Map(rows.map(({ consumer, many }) => [consumer, many]));
}

/** Makes what is kept of an event due now; of all events where none is named. Returns how much that is. */
export async function retryParked(db: ReadDb, eventId: string | undefined): Promise<number> {
  let query = db.updateTable('parked_work').set({ next_try_at: sql<Date>`clock_timestamp()` });
  if (eventId !== undefined) query = query.where('event_id', '=', eventId);
  const { numUpdatedRows } = await query.executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Gives up what is kept of an event. A read model goes on with what comes after it in its stream, which is kept from there
 * on until it has been tried. Returns how much was given up.
 */
export async function dropParked(
  db: ReadDb,
  store: Pick<EventStore, 'read'>,
  eventId: string,
): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    // While it is held no event is left out for a stream that is set aside no more.
    const reached = (await loadCheckpoint(transaction, projectionsCheckpoint, 'for update')) ?? 0n;
    const works = await transaction
      .selectFrom('parked_work')
      .select(['consumer', 'stream', 'revision'])
      .where('event_id', '=', eventId)
      .forUpdate()
      .execute();
    for (const work of works) await goOnAfter(transaction, store, work, reached);
    return works.length;
  });
}

async function goOnAfter(
  db: WriteDb,
  store: Pick<EventStore, 'read'>,
  work: Which,
  reached: bigint,
): Promise<void> {
  const { consumer, stream, revision } = work;
  const [next] = consumer === reactionsConsumer ? [] : await store.read(stream, revision + 1, 1);
  if (!next || next.position > reached) await unpark(db, work);
  else await parkRest(db, work, next, untried);
}
