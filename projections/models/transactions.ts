import { sql } from 'kysely';
import type { CustomerId, PlatformId, QuoteId, TransactionId } from '../../src/kernel/ids.ts';
import { idOf, uuidOf } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type Page, type PageRequest, paginate, type SortOrder } from '../pagination.ts';
import type { Projection } from '../projector/projection.ts';
import type { TransactionRow } from '../tables/transactions.ts';
import { rowOfPayment } from './transaction-row.ts';

export const transactions: Projection = {
  name: 'transactions',
  tables: ['transactions', 'transaction_totals'],
  project(event, rows) {
    if (event.of === 'transaction' && event.state.status !== 'NONE')
      rows.put('transactions', rowOfPayment(event.state));
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

/** The filters of `GET /transactions`; the dates are inclusive and on the time of creation. */
export type TransactionFilters = {
  readonly customerId?: CustomerId | undefined;
  readonly platformCustomerId?: string | undefined;
  readonly accountIdentifier?: string | undefined;
  readonly senderAccountIdentifier?: string | undefined;
  readonly receiverAccountIdentifier?: string | undefined;
  readonly status?: string | undefined;
  readonly type?: 'INCOMING' | 'OUTGOING' | undefined;
  readonly reference?: string | undefined;
  readonly startDate?: Date | undefined;
  readonly endDate?: Date | undefined;
};

export function listTransactions(
  db: ReadDb,
  platformId: PlatformId,
  filters: TransactionFilters,
  page: PageRequest,
  order: SortOrder,
): Promise<Page<TransactionRow>> {
  const { accountIdentifier: account, startDate, endDate } = filters;
  const equal = [
    ['customer_id', filters.customerId],
    ['platform_customer_id', filters.platformCustomerId],
    ['sender_account', filters.senderAccountIdentifier],
    ['receiver_account', filters.receiverAccountIdentifier],
    ['status', filters.status],
    ['type', filters.type],
    ['reference', filters.reference],
  ] as const;
  let query = db.selectFrom('transactions').selectAll().where('platform_id', '=', platformId);
  for (const [column, value] of equal) {
    if (value !== undefined) query = query.where(column, '=', value as never);
  }
  if (account !== undefined) {
    query = query.where(({ eb, or }) =>
      or([eb('sender_account', '=', account), eb('receiver_account', '=', account)]),
    );
  }
  if (startDate) query = query.where('created_at', '>=', startDate);
  if (endDate) query = query.where('created_at', '<=', endDate);
  const { customerId = '', ...others } = filters;
  const isCounted = Object.values(others).every((value) => value === undefined);
  const total = isCounted ? keptTotal(platformId, customerId) : undefined;
  return paginate(query, page, { ...filters, list: 'transactions' }, order, total);
}

const keptTotal = (platformId: PlatformId, customerId: CustomerId | '') =>
  sql<bigint>`(
    select total from transaction_totals where platform_id = ${platformId} and customer_id = ${customerId}
  )`;
