import type { ReadDb } from '../../../projections/database.ts';
import type { ListTransactions } from '../../../projections/models/transaction-lists.ts';
import { rowOfPayment } from '../../../projections/models/transaction-row.ts';
import { findTransaction } from '../../../projections/models/transactions.ts';
import { transactionNotFound } from '../../domain/payments/not-found.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadPayment } from '../../use-cases/find/payment.ts';
import { answerPayment } from '../../use-cases/payments/answer.ts';
import { found } from '../found.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import {
  approveTransaction,
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
  const load = ({ principal, params }: ById) =>
    loadPayment(commands, principal.platformId, params.transactionId);
  return [
    route(listTransactionsOperation, async ({ principal, query }) => {
      const { limit, cursor, sortOrder, ...filters } = query;
      const request = { limit, cursor };
      const page = await listTransactions(principal.platformId, filters, request, sortOrder);
      return pageOfTransactions(page);
    }),

    routeOn(
      getTransaction,
      async ({ principal, params }) =>
        found(await findTransaction(readDb, principal.platformId, params.transactionId), transactionNotFound),
      async (_request, row) => ({ status: 200, body: renderTransaction(row) }),
    ),

    routeOn(approveTransaction, load, async ({ body: { receiverCustomerInfo }, cause }, payment) => {
      const command = { type: 'ApprovePayment', receiverCustomerInfo, at: now() } as const;
      const approved = await answerPayment(commands, payment, command, cause);
      return { status: 200, body: renderTransaction(rowOfPayment(approved)) };
    }),
    routeOn(rejectTransaction, load, async ({ body: { reason: note }, cause }, payment) => {
      const command = { type: 'RejectPayment', note, at: now() } as const;
      const rejected = await answerPayment(commands, payment, command, cause);
      return { status: 200, body: renderTransaction(rowOfPayment(rejected)) };
    }),
  ];
}
