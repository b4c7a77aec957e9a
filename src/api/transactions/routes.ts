import type { ReadDb } from '../../../projections/database.ts';
import { rowOfPayment } from '../../../projections/models/transaction-row.ts';
import { findTransaction, listTransactions } from '../../../projections/models/transactions.ts';
import { transactionNotFound } from '../../domain/payments/not-found.ts';
import type { Payment } from '../../domain/payments/progress.ts';
import type { TransactionCommand } from '../../domain/payments/transaction.ts';
import { type TransactionId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Principal } from '../../use-cases/caller.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadPayment } from '../../use-cases/find/payment.ts';
import { renderPage } from '../fields/fields.ts';
import { type Request, type Route, route, routeOn } from '../operation.ts';
import {
  approveTransaction,
  getTransaction,
  listTransactionsOperation,
  rejectTransaction,
} from './operations.ts';
import { renderTransaction } from './render.ts';

type Deps = { readonly commands: Commands; readonly readDb: ReadDb; readonly now: () => Date };

export function transactionRoutes({ commands, readDb, now }: Deps): readonly Route[] {
  const decide = async (
    { cause }: Pick<Request<typeof approveTransaction>, 'cause'>,
    { terms: { transactionId } }: Payment,
    command: TransactionCommand,
  ) => {
    const { state } = await commands.run('transaction', uuidOf(transactionId), command, cause);
    invariant(state.status !== 'NONE', 'decided on a payment that is not there');
    const settled = await commands.load('transaction', uuidOf(transactionId));
    return {
      status: 200,
      body: renderTransaction(rowOfPayment(settled.status === 'NONE' ? state : settled)),
    };
  };
  const requirePayment = ({
    principal,
    params,
  }: {
    principal: Principal;
    params: { transactionId: TransactionId };
  }) => loadPayment(commands, principal.platformId, params.transactionId);

  return [
    route(listTransactionsOperation, async ({ principal, query }) => {
      const { limit, cursor, sortOrder, ...filters } = query;
      const page = await listTransactions(
        readDb,
        principal.platformId,
        filters,
        { limit, cursor },
        sortOrder,
      );
      return { status: 200, body: renderPage(page, renderTransaction) };
    }),

    routeOn(
      getTransaction,
      async ({ principal, params }) => {
        const row = await findTransaction(readDb, principal.platformId, params.transactionId);
        if (!row) throw transactionNotFound();
        return row;
      },
      async (_request, row) => ({ status: 200, body: renderTransaction(row) }),
    ),

    routeOn(approveTransaction, requirePayment, (request, payment) => {
      const { receiverCustomerInfo } = request.body;
      return decide(request, payment, { type: 'ApprovePayment', receiverCustomerInfo, at: now() });
    }),
    routeOn(rejectTransaction, requirePayment, (request, payment) =>
      decide(request, payment, { type: 'RejectPayment', note: request.body.reason, at: now() }),
    ),
  ];
}
