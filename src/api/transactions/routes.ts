import type { ReadDb } from '../../../projections/database.ts';
import { rowOfPayment } from '../../../projections/models/transaction-row.ts';
import { findTransaction, listTransactions } from '../../../projections/models/transactions.ts';
import type { Commands } from '../../domain/aggregates.ts';
import type { TransactionCommand } from '../../domain/payments/commands.ts';
import type { Payment } from '../../domain/payments/progress.ts';
import {
  type Principal,
  type Request,
  type Route,
  route,
  routeOn,
} from '../../infrastructure/http/operation.ts';
import { type TransactionId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { renderPage } from '../fields/fields.ts';
import {
  approveTransaction,
  getTransaction,
  listTransactionsOperation,
  rejectTransaction,
} from './operations.ts';
import { renderTransaction, transactionNotFound } from './render.ts';

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
  }) => loadPayment(commands, principal, params.transactionId);

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

/** Throws `Rejected` (404) for what is not there or not this platform's. */
export async function loadPayment(
  commands: Commands,
  { platformId }: Pick<Principal, 'platformId'>,
  id: TransactionId,
): Promise<Payment> {
  const state = await commands.load('transaction', uuidOf(id));
  if (state.status === 'NONE' || state.terms.platformId !== platformId) throw transactionNotFound();
  return state;
}
