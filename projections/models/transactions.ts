import { sql } from 'kysely';
import type {
  CustomerId,
  InternalAccountId,
  PlatformId,
  QuoteId,
  TransactionId,
} from '../../src/kernel/ids.ts';
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

/**
 * Payments of a customer whose money is on its way, to or from it, refunds included: so many of them at most. Quotes that
 * nobody has paid for are none.
 */
export async function openPaymentsOf(
  db: ReadDb,
  platformId: PlatformId,
  customerId: CustomerId,
  accountIds: readonly InternalAccountId[],
  limit: number,
): Promise<readonly TransactionId[]> {
  const found = await db
    .selectFrom('transactions')
    .select('id')
    .where('platform_id', '=', platformId)
    .where(({ eb, or, val }) =>
      or([
        eb('customer_id', '=', customerId),
        eb('sender_account', '=', eb.fn.any(val([...accountIds]))),
        eb('receiver_account', '=', eb.fn.any(val([...accountIds]))),
      ]),
    )
    .where(({ eb, and, or }) =>
      or([
        eb('status', '=', 'PROCESSING'),
        and([eb('status', '=', 'PENDING'), eb('quote_id', 'is', null)]),
        sql<boolean>`refund ->> 'status' = 'PENDING'`,
      ]),
    )
    .limit(limit)
    .execute();
  return found.map(({ id }) => id);
}

/** A quote is the transaction of the same uuid. */
export const findQuote = (
  db: ReadDb,
  platformId: PlatformId,
  id: QuoteId,
): Promise<TransactionRow | undefined> => findTransaction(db, platformId, idOf('Transaction', uuidOf(id)));
