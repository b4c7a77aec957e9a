import type { Updateable } from 'kysely';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { Refund } from '../../src/domain/payments/progress.ts';
import { ofDeposit, ofIncoming, ofQuote, ofTransfer, type Terms } from '../../src/domain/payments/terms.ts';
import type { CustomerId, PlatformId, QuoteId, TransactionId } from '../../src/kernel/ids.ts';
import { idOf, uuidOf } from '../../src/kernel/ids.ts';
import type { Money } from '../../src/kernel/money.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import { type Page, type PageRequest, paginate, type SortOrder } from '../pagination.ts';
import { handlersOf, type Projection } from '../projector/projection.ts';
import type { TransactionRow, TransactionsTable } from '../tables/transactions.ts';
import { rowOfTerms, storedRefund } from './transaction-row.ts';

export type TransactionEvents = Exclude<
  Extract<DomainEvent, { data: { transactionId: TransactionId } }>,
  { type: 'AccountDebited' | 'AccountCredited' | 'DebitRefused' }
>;

const insert = (db: WriteDb, terms: Terms) =>
  db.insertInto('transactions').values(rowOfTerms(terms)).execute();

const update = (db: WriteDb, { data }: TransactionEvents, changes: Updateable<TransactionsTable>) =>
  db
    .updateTable('transactions')
    .set({ ...changes, updated_at: data.at })
    .where('id', '=', data.transactionId)
    .returning('id')
    .executeTakeFirstOrThrow();

type Ending = Extract<TransactionEvents, { data: { refund?: Money | undefined } }>;

/** A payment that ends without success, with the refund that it owes. */
function end(
  db: WriteDb,
  event: Ending,
  status: TransactionRow['status'],
  reason: Refund['reason'] = 'TRANSACTION_FAILED',
) {
  const { transactionId, refund: amount, at } = event.data;
  const failure = 'reason' in event.data ? { failure_reason: event.data.reason ?? null } : {};
  const owed = amount && storedRefund(transactionId, { amount, status: 'PENDING', reason, initiatedAt: at });
  return update(db, event, { status, ...failure, settled_at: null, ...(owed && { refund: owed }) });
}

async function endRefund(db: WriteDb, event: TransactionEvents, status: Refund['status']): Promise<void> {
  const { transactionId: id, at } = event.data;
  const row = await db
    .selectFrom('transactions')
    .select('refund')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const settledAt = status === 'COMPLETED' ? { settledAt: at.toISOString() } : {};
  await update(db, event, { refund: row.refund && { ...row.refund, status, ...settledAt } });
}

export const transactions: Projection = {
  name: 'transactions',
  tables: ['transactions'],
  project: handlersOf<TransactionEvents>({
    QuoteCreated: ({ data }, db) => insert(db, ofQuote(data)),
    TransferCreated: ({ data }, db) => insert(db, ofTransfer(data)),
    IncomingPaymentCreated: ({ data }, db) => insert(db, ofIncoming(data)),
    DepositReceived: ({ data }, db) => insert(db, ofDeposit(data)),
    TransactionProcessing: (event, db) => update(db, event, { status: 'PROCESSING' }),
    FundsReceived: (event, db) => update(db, event, { status: 'PROCESSING' }),
    PaymentApproved: (event, db) => update(db, event, { status: 'PROCESSING' }),
    ApprovalDeferred: (event, db) => update(db, event, {}),
    PaymentSubmitted: (event, db) => update(db, event, event.data.underway ? { status: 'PROCESSING' } : {}),
    CreditDue: (event, db) => update(db, event, { status: 'PROCESSING' }),
    TransactionCompleted: (event, db) =>
      update(db, event, { status: 'COMPLETED', settled_at: event.data.at }),
    TransactionFailed: (event, db) => end(db, event, 'FAILED'),
    TransactionRejected: (event, db) => end(db, event, 'REJECTED'),
    TransactionCancelled: (event, db) => end(db, event, 'REFUNDED', 'USER_CANCELLATION'),
    PaymentReturned: (event, db) => end(db, event, 'FAILED'),
    TransactionExpired: (event, db) =>
      update(db, event, { status: 'EXPIRED', failure_reason: 'QUOTE_EXPIRED' }),
    ExecutionRefused: (event, db) => end(db, event, 'EXPIRED'),
    ExecutionDeclined: (event, db) => update(db, event, {}),
    RefundCompleted: (event, db) => endRefund(db, event, 'COMPLETED'),
    RefundFailed: (event, db) => endRefund(db, event, 'FAILED'),
  }),
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

/** The filters of `GET /transactions` (completion 11); the dates are inclusive and on the time of creation. */
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
  return paginate(query, page, { ...filters, list: 'transactions' }, order);
}
