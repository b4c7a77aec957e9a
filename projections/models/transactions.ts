import type { Recipient } from '../../src/domain/payments/events.ts';
import { statusesBefore } from '../../src/domain/payments/life/moves.ts';
import type { Payment } from '../../src/domain/payments/life/progress.ts';
import { receivingSideOf } from '../../src/domain/payments/receiving-side.ts';
import { booksSchema } from '../../src/infrastructure/postgres/pool.ts';
import type { InternalAccountId, PlatformId, QuoteId, TransactionId } from '../../src/kernel/ids.ts';
import { idOf, uuidOf } from '../../src/kernel/ids.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import type { Projection } from '../projector/projection.ts';
import type { Rows } from '../projector/rows.ts';
import type { TransactionRow } from '../tables/transactions.ts';
import { progressColumns, rowOfPayment, rowOfReceivingSide } from './transaction-row.ts';

export const transactions: Projection = {
  name: 'transactions',
  tables: ['transactions', 'uncompleted_transactions', 'transaction_totals'],
  project(event, rows) {
    if (event.of !== 'transaction' || event.state.status === 'NONE') return undefined;
    // An event that changes nothing shown leaves the row as it is.
    const { updatedAt } = event.state;
    if (updatedAt.getTime() !== event.data.at.getTime()) return undefined;
    const isNew = event.revision === 0 || event.state.described !== undefined;
    put(rows, rowOfPayment(event.state), isNew ? undefined : progressColumns);
    const side = receivingSideRow(event.state, rows);
    if (side instanceof Promise) return side.then((row) => put(rows, row));
    if (side) put(rows, side);
    return undefined;
  },
};

/** The row, and its place among those that are not completed. Every change of a status comes here. */
function put(rows: Rows, row: TransactionRow, changed?: typeof progressColumns): void {
  rows.put('transactions', row, changed);
  const { platform_id, status, created_at, id } = row;
  for (const before of statusesBefore(status))
    rows.remove('uncompleted_transactions', { platform_id, status: before, created_at, id });
  if (status !== 'COMPLETED') rows.put('uncompleted_transactions', { platform_id, status, created_at, id });
}

/** The row of the receiving side of a payment, where it has one. To be waited for in payments of former versions only. */
export function receivingSideRow(
  state: Payment,
  rows: Pick<Rows, 'now'>,
): TransactionRow | Promise<TransactionRow> | undefined {
  const side = receivingSideOf(state);
  if (!side) return undefined;
  if (side.recipient) return rowOfReceivingSide(state, side, side.recipient);
  return rows
    .now((db) => ownerOf(db, side.accountId))
    .then((owner) => rowOfReceivingSide(state, side, owner));
}

/**
 * Who owns an account. That never changes, so it is read from the live tables in a rebuild too, whose own are filled in no
 * particular order.
 */
async function ownerOf(db: WriteDb, accountId: InternalAccountId): Promise<Recipient> {
  const owner = await db
    .withSchema(booksSchema)
    .selectFrom('internal_accounts as account')
    .leftJoin('customers as customer', 'customer.id', 'account.customer_id')
    .select(['account.customer_id', 'customer.platform_customer_id'])
    .where('account.id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { customerId: owner.customer_id, platformCustomerId: owner.platform_customer_id };
}

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

/** How those of these payments stand that are these platforms'. */
export const changedTransactions = (
  db: ReadDb,
  platformIds: readonly PlatformId[],
  ids: readonly TransactionId[],
): Promise<Pick<TransactionRow, 'id' | 'platform_id' | 'type' | 'status' | 'updated_at'>[]> =>
  db
    .selectFrom('transactions')
    .select(['id', 'platform_id', 'type', 'status', 'updated_at'])
    .where(({ eb, val }) => eb('platform_id', '=', eb.fn.any(val([...platformIds]))))
    .where(({ eb, val }) => eb('id', '=', eb.fn.any(val([...ids]))))
    .execute();

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
