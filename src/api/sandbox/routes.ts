import { rowOfPayment } from '../../../projections/models/transaction-row.ts';
import { fund } from '../../sandbox/fund.ts';
import { payQuote } from '../../sandbox/pay-quote.ts';
import { findBothEnds, receive } from '../../sandbox/receive.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadInternalAccount } from '../../use-cases/find/internal-account.ts';
import type { Payees } from '../../use-cases/find/payees.ts';
import { loadQuote } from '../../use-cases/find/quote.ts';
import type { Receivers } from '../../use-cases/find/receivers.ts';
import type { LocalPayments } from '../../use-cases/payments/local-payments.ts';
import { renderInternalAccount } from '../accounts/render.ts';
import { type Route, routeOn } from '../operation.ts';
import { renderTransaction } from '../transactions/render.ts';
import { fundInternalAccount, receivePayment, sendFunds } from './operations.ts';

type Deps = {
  readonly commands: Commands;
  readonly local: LocalPayments;
  readonly payees: Payees;
  readonly receivers: Receivers;
  readonly now: () => Date;
};

export function sandboxRoutes(deps: Deps): readonly Route[] {
  const { commands } = deps;
  return [
    routeOn(
      fundInternalAccount,
      ({ principal, params }) => loadInternalAccount(commands, principal.platformId, params.accountId),
      async (request, account) => {
        const row = await fund(deps, account, request.body.amount, request);
        return { status: 200, body: renderInternalAccount(row, 'sandbox') };
      },
    ),
    routeOn(
      sendFunds,
      ({ principal, body }) => loadQuote(commands, principal.platformId, body.quoteId),
      async (request, quote) => {
        const payment = await payQuote(deps, quote, request.body, request);
        return { status: 200, body: renderTransaction(rowOfPayment(payment)) };
      },
    ),
    routeOn(
      receivePayment,
      ({ principal, body }) => findBothEnds(deps, principal.platformId, body),
      async (request, ends) => {
        const payment = await receive(deps, ends, request);
        return { status: 200, body: renderTransaction(rowOfPayment(payment)) };
      },
    ),
  ];
}
