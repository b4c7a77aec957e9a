/** Whether the read models say what the log adds up to, at the position that they have reached. */
import {
  copiedBooks,
  copiedBooksAt,
  copiedPostings,
} from '../../../../../projections/auditor/copied-books.ts';
import type { ReadDb } from '../../../../../projections/database.ts';
import { beingBuilt } from '../../../../../projections/kept/checkpoints.ts';
import { loadFollowedLog } from '../../../../../projections/kept/followed-log.ts';
import { openMovedReader } from '../../../../infrastructure/event-store/moved-streams.ts';
import type { LogReader } from '../../../../infrastructure/event-store/postgres/reader.ts';
import { findFounding } from '../../../../use-cases/find/founding.ts';
import { restored } from '../../../parts/core/event-store.ts';
import { type Comparison, comparison } from './comparison.ts';
import { paymentRows } from './payment-rows.ts';
import { ReadModelFault } from './read-model-fault.ts';
import { movesUntil } from './standing.ts';
import { onTables } from './tables.ts';

const notCompared = (because: string): Comparison => ({
  add: async () => undefined,
  result: async () => ({ compared: false, because }),
});

/** Opens the read models of a database, as far as its role may read them, while the work lasts. */
export async function comparing(
  databaseUrl: string | undefined,
  log: LogReader,
  work: (comparison: Comparison) => Promise<void>,
): Promise<void> {
  if (databaseUrl === undefined) return work(notCompared('DATABASE_URL does not say where they are'));
  await onTables(databaseUrl, async (db) => work(await comparisonWith(db, log)));
}

async function comparisonWith(db: ReadDb, log: LogReader): Promise<Comparison> {
  const access = await copiedBooksAt(db);
  if (access === 'none') return notCompared('the database has none of this version');
  if (access === 'closed') return notCompared('the role in DATABASE_URL may not read them');
  const founding = await findFounding(log);
  const followed = await loadFollowedLog(db);
  if (followed && followed.logId !== founding?.id)
    return notCompared('those in DATABASE_URL are copied from another log');
  if (await beingBuilt(db)) return notCompared('a restore, or a move of the log, is building them');
  const books = await copiedBooks(db);
  if (books.parked > 0)
    return notCompared(`the rows of ${books.parked} streams are set aside (daybook parked)`);
  const { shown, store } = await openMovedReader(log, movesUntil({ position: books.position }));
  const postings = copiedPostings(db, books.position);
  const compared = comparison({ books, postings, payments: paymentRows(db, store) }, shown);
  return unlessPutBack(log, books.position, compared);
}

/** A platform that is put back loses the rows that it had at the position: what is missing from them says nothing. */
function unlessPutBack(log: LogReader, position: bigint, compared: Comparison): Comparison {
  const putBack = notCompared('a platform was put back to a snapshot meanwhile');
  let current = compared;
  const guarded = async <Result>(compare: (one: Comparison) => Promise<Result>): Promise<Result> => {
    try {
      return await compare(current);
    } catch (error) {
      const moves = error instanceof ReadModelFault ? await log.read(restored.stream) : [];
      if (!moves.some((move) => move.position > position)) throw error;
      current = putBack;
      return compare(current);
    }
  };
  return {
    add: (event) => guarded((one) => one.add(event)),
    result: () => guarded((one) => one.result()),
  };
}
