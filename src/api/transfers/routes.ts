import { rowOfPayment } from '../../../projections/models/transaction-row.ts';
import { transferDebit } from '../../domain/payments/debit.ts';
import type { TransferTerms } from '../../domain/payments/events.ts';
import { uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadPayment } from '../../use-cases/find/payment.ts';
import { debitSource } from '../../use-cases/payments/debit-source.ts';
import type { Payments } from '../../use-cases/payments/rail-payments.ts';
import { findPair, newTransfer, type Pair } from '../../use-cases/transfers/transfer.ts';
import { type Request, type Route, routeOn } from '../operation.ts';
import { renderTransaction } from '../transactions/render.ts';
import { transferIn, transferOut } from './operations.ts';

type Deps = { readonly commands: Commands; readonly payments: Payments; readonly now: () => Date };

export function transferRoutes(deps: Deps): readonly Route[] {
  const { commands } = deps;
  return [
    routeOn(
      transferIn,
      ({ body, principal }) =>
        findPair(commands, principal.platformId, body.destination.accountId, body.source.accountId),
      async (request, pair) => {
        const terms = await termsFor(deps, request, pair, 'IN');
        const uuid = uuidOf(terms.transactionId);
        await commands.run('transaction', uuid, { type: 'CreateTransfer', terms }, request.cause);
        return answer(deps, request, terms);
      },
    ),
    routeOn(
      transferOut,
      ({ body, principal }) =>
        findPair(commands, principal.platformId, body.source.accountId, body.destination.accountId),
      async (request, pair) => {
        const terms = await termsFor(deps, request, pair, 'OUT');
        const { requestedBy, cause } = request;
        await debitSource(commands, { ...transferDebit(terms), requestedBy }, cause);
        return answer(deps, request, terms);
      },
    ),
  ];
}

type TransferHttpRequest = Request<typeof transferIn> | Request<typeof transferOut>;

function termsFor(
  deps: Deps,
  { principal, body, uuidFor }: TransferHttpRequest,
  pair: Pair,
  direction: 'IN' | 'OUT',
) {
  const { destination, source: _source, ...rest } = body;
  const { paymentRail } = { paymentRail: undefined, ...destination };
  const request = { ...rest, paymentRail, direction, uuid: uuidFor('transfer') };
  return newTransfer(deps, principal.platformId, request, pair);
}

/** What the rail refuses at once shows in the answer. */
async function answer(
  { commands, payments }: Deps,
  { principal, cause }: Pick<TransferHttpRequest, 'principal' | 'cause'>,
  { transactionId }: TransferTerms,
) {
  await payments.refuseNow(transactionId, cause);
  const payment = await loadPayment(commands, principal.platformId, transactionId);
  return { status: 201, body: renderTransaction(rowOfPayment(payment)) };
}
