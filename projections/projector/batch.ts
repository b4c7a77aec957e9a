/**
 * One batch of events becomes rows and a checkpoint, together or not at all: in one statement, or, where a model has to
 * see the rows in between, in one transaction.
 */
import { CompiledQuery, type ControlledTransaction } from 'kysely';
import type { FollowedEvent } from '../../src/domain/aggregates.ts';
import { inTurn } from '../../src/infrastructure/scheduling/in-turn.ts';
import type { Database, ReadDb, WriteDb } from '../database.ts';
import { saveCheckpoint } from '../kept/checkpoints.ts';
import type { Projection } from './projection.ts';
import { removePlatform, restoredIn } from './restored.ts';
import { type Collected, collectRows } from './rows.ts';
import { type Place, type Statement, write, writeAt } from './write.ts';

/**
 * The checkpoint is not where it was expected, or another term's: somebody else keeps the read models up to date. Or people
 * were erased, of whom the events may tell that were read before.
 */
export class CheckpointMoved extends Error {
  override name = 'CheckpointMoved';
}

const run = (db: ReadDb | WriteDb, { text, values }: Statement) =>
  db.executeQuery(CompiledQuery.raw(text, [...values]));

const tablesOf = (models: readonly Projection[]) => models.flatMap(({ tables }) => tables);

/** Lets the models make of the events what they make, in a transaction of the caller's. */
export async function project(
  models: readonly Projection[],
  events: readonly FollowedEvent[],
  db: WriteDb,
): Promise<void> {
  const written = writeOn(async () => db);
  await fold(models, events, written);
  await written.writeAll();
}

type Written = ReturnType<typeof writeOn>;

/**
 * Rows that are written when somebody has to see them, and when all are asked for. What comes after the rows is written
 * once in a transaction, at its end: it takes locks in one order, and more of them later would be in another.
 */
function writeOn<Db extends WriteDb>(open: () => Promise<Db>) {
  const flushed = async () => {
    const db = await open();
    for (const change of collected.take()) await run(db, write(change));
    return db;
  };
  const collected: Collected = collectRows(async (work) => work(await flushed()));
  /** Writes all that is pending. */
  const writeAll = async () => {
    const db = await flushed();
    await collected.writeMore(db);
    return db;
  };
  return { ...collected, writeAll };
}

const fold = async (
  models: readonly Projection[],
  events: readonly FollowedEvent[],
  { rows, writeAll }: Written,
): Promise<void> => {
  for (const event of events) {
    const gone = restoredIn(event);
    if (gone) await removePlatform(await writeAll(), tablesOf(models), gone);
    if (gone) for (const model of models) model.forget?.();
    const waits = inTurn(models, (model) => model.project(event, rows));
    if (waits) await waits;
  }
};

/** Throws `CheckpointMoved`, with nothing written, when the checkpoint is not where it was expected. */
export async function projectAt(
  models: readonly Projection[],
  events: readonly FollowedEvent[],
  db: ReadDb,
  place: Place,
): Promise<void> {
  let opened: Promise<ControlledTransaction<Database>> | undefined;
  const transaction = () => {
    opened ??= begin(db, place);
    return opened;
  };
  const written = writeOn(transaction);
  try {
    await fold(models, events, written);
    const { name, from, to, token } = place;
    if (!opened && !written.hasMore()) {
      const { rows } = await run(db, writeAt(written.take(), place));
      if (rows.length === 0) throw new CheckpointMoved(`${name} is not at ${from} in this term`);
      return;
    }
    const open = await written.writeAll();
    await saveCheckpoint(open, name, to, token);
    await open.commit().execute();
  } catch (error) {
    if (opened) await opened.then((open) => open.rollback().execute()).catch(() => undefined);
    throw error;
  }
}

export type Transaction = ControlledTransaction<Database>;

/** A transaction that holds the checkpoint. Throws `CheckpointMoved` where it is not where it was expected. */
export async function begin(
  db: ReadDb,
  { name, from, token, erasures }: Omit<Place, 'to'>,
): Promise<Transaction> {
  const open = await db.startTransaction().execute();
  try {
    const row = await open
      .selectFrom('checkpoints')
      .select('position')
      .where('name', '=', name)
      .where('token', '=', token)
      .where('erasures', '=', erasures)
      .forUpdate()
      .executeTakeFirst();
    if (row?.position === from) return open;
    throw new CheckpointMoved(`${name} is not at ${from} in this term`);
  } catch (error) {
    // Until it ends, a transaction keeps its connection.
    await open
      .rollback()
      .execute()
      .catch(() => undefined);
    throw error;
  }
}
