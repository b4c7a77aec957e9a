import type { ReadDb } from '../../../projections/database.ts';
import type { ListTransactions } from '../../../projections/models/transaction-lists.ts';
import { rowOfPayment } from '../../../projections/models/transaction-row.ts';
import { findTransaction } from '../../../projections/models/transactions.ts';
import type { TransactionRow } from '../../../projections/tables/transactions.ts';
import { notPendingApproval } from '../../domain/payments/decisions/approval.ts';
import { withoutReceipt } from '../../domain/payments/decisions/endings.ts';
import type { Payment } from '../../domain/payments/life/progress.ts';
import { transactionNotFound } from '../../domain/payments/not-found.ts';
import { badField, Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadPayment } from '../../use-cases/find/payment.ts';
import { type Answer, answerPayment } from '../../use-cases/payments/answer.ts';
import { found } from '../found.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import {
  approveTransaction,
  confirmReceiptOperation,
  getTransaction,
  listTransactionsOperation,
  rejectTransaction,
} from './operations.ts';
import { pageOfTransactions, renderTransaction } from './render.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly listTransactions: ListTransactions;
  readonly now: () => Date;
};
type ById = Pick<Request<typeof getTransaction>, 'principal' | 'params'>;

export function transactionRoutes({ commands, readDb, listTransactions, now }: Deps): readonly Route[] {
  const find = async ({ principal, params }: ById) =>
    found(await findTransaction(readDb, principal.platformId, params.transactionId), transactionNotFound);
  /** The payment; of the receiving side of a quote, which has no stream of its own, what is shown. */
  const load = async (request: ById): Promise<Payment | TransactionRow> => {
    try {
      return await loadPayment(commands, request.principal.platformId, request.params.transactionId);
    } catch (error) {
      if (error instanceof Rejected) return find(request);
      throw error;
    }
  };
  const answer = async (
    request: ById & Pick<Request<typeof getTransaction>, 'cause'>,
    loaded: Payment | TransactionRow,
    command: Answer,
  ) => {
    if (!('terms' in loaded))
      throw command.type === 'ConfirmReceipt' ? withoutReceipt(loaded) : notPendingApproval(loaded);
    const answered = await answerPayment(commands, loaded, command, request.cause);
    return { status: 200, body: renderTransaction(rowOfPayment(answered)) };
  };
  return [
    route(listTransactionsOperation, async ({ principal, query }) => {
      const { limit, cursor, sortOrder, ...filters } = query;
      const request = { limit, cursor };
      const page = await listTransactions(principal.platformId, filters, request, sortOrder);
      return pageOfTransactions(page);
    }),

    routeOn(getTransaction, find, async (_request, row) => ({ status: 200, body: renderTransaction(row) })),

    routeOn(approveTransaction, load, async (request, payment) => {
      const { receiverCustomerInfo } = request.body;
      return answer(request, payment, { type: 'ApprovePayment', receiverCustomerInfo, at: now() });
    }),
    routeOn(rejectTransaction, load, async (request, payment) =>
      answer(request, payment, { type: 'RejectPayment', note: request.body.reason, at: now() }),
    ),
    routeOn(confirmReceiptOperation, load, async (request, payment) => {
      const at = now();
      const confirmedAt = new Date(request.body.receiptDeliveryConfirmedAt ?? at);
      if (confirmedAt > at) throw badField('receiptDeliveryConfirmedAt', 'must not be later than now');
      return answer(request, payment, { type: 'ConfirmReceipt', confirmedAt, at });
    }),
  ];
}
