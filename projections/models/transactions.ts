import type { PlatformId, QuoteId, TransactionId } from '../../src/kernel/ids.ts';
import { idOf, uuidOf } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import type { Projection } from '../projector/projection.ts';
import type { TransactionRow } from '../tables/transactions.ts';
import { rowOfPayment } from './transaction-row.ts';

export const transactions: Projection = {
  name: 'transactions',
  tables: ['transactions', 'transaction_totals'],
  project(event, rows) {
    if (event.of !== 'transaction' || event.state.status === 'NONE') return;
    // An event that changes nothing shown leaves the row as it is.
    const { updatedAt } = event.state;
    if (updatedAt.getTime() === event.data.at.getTime()) rows.put('transactions', rowOfPayment(event.state));
  },
};

export const findTransaction = (
  db: ReadDb,
  platformId: PlatformId,
  id: TransactionId,
): Promise<TransactionRow | undefined> =>
  db
    .selectFrom('transactions')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Those of these payments that are there. */
export const findTransactions = (
  db: ReadDb,
  platformId: PlatformId,
  ids: readonly TransactionId[],
): Promise<TransactionRow[]> =>
  db
    .selectFrom('transactions')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where(({ eb, val }) => eb('id', '=', eb.fn.any(val([...ids]))))
    .execute();

/** A quote is the transaction of the same uuid. */
export const findQuote = (
  db: ReadDb,
  platformId: PlatformId,
  id: QuoteId,
): Promise<TransactionRow | undefined> => findTransaction(db, platformId, idOf('Transaction', uuidOf(id)));
