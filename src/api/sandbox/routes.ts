import { rowOfAccount } from '../../../projections/models/internal-accounts.ts';
import { rowOfPayment } from '../../../projections/models/transaction-row.ts';
import type { OpenAccount } from '../../domain/accounts/account.ts';
import { referenceFor } from '../../domain/accounts/funding-identifiers.ts';
import { primaryAccount } from '../../domain/accounts/provisioning.ts';
import { requireNotDeleted } from '../../domain/customers/customer.ts';
import { requireApproved, requireRoom } from '../../domain/payments/readiness.ts';
import { depositEntryId } from '../../domain/payments/transaction.ts';
import { requireEnabled } from '../../domain/platforms/limits.ts';
import { idOf, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { findPayment, requireReceivable } from '../../sandbox/receive.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadCustomerIfAny } from '../../use-cases/find/customer.ts';
import { loadInternalAccount } from '../../use-cases/find/internal-account.ts';
import { loadPayment } from '../../use-cases/find/payment.ts';
import { loadPlatform } from '../../use-cases/find/platform.ts';
import { loadQuote, type QuotedPayment } from '../../use-cases/find/quote.ts';
import type { Receivers } from '../../use-cases/find/receivers.ts';
import type { LocalPayments } from '../../use-cases/payments/local-payments.ts';
import { renderInternalAccount } from '../accounts/operations.ts';
import { type Request, type Route, routeOn } from '../operation.ts';
import { renderTransaction } from '../transactions/render.ts';
import { fundInternalAccount, receivePayment, sendFunds } from './operations.ts';

type Deps = {
  readonly commands: Commands;
  readonly local: LocalPayments;
  readonly receivers: Receivers;
  readonly now: () => Date;
};

export function sandboxRoutes(deps: Deps): readonly Route[] {
  const { commands, local } = deps;
  return [
    routeOn(
      fundInternalAccount,
      ({ principal, params }) => loadInternalAccount(commands, principal.platformId, params.accountId),
      (request, account) => fund(deps, request, account),
    ),
    routeOn(
      sendFunds,
      ({ principal, body }) => loadQuote(commands, principal.platformId, body.quoteId),
      (request, quote) => send(deps, request, quote),
    ),
    routeOn(
      receivePayment,
      ({ principal, body }) => findPayment(deps, principal.platformId, body),
      async ({ principal, cause, uuidFor }, payment) => {
        requireReceivable(payment);
        const { receiver, amount } = payment;
        const account = await commands.load(
          'account',
          uuidOf(primaryAccount(receiver.customerId, amount.currency)),
        );
        if (account.status !== 'none') requireRoom(account, amount.minor);
        requireEnabled(
          await loadPlatform(commands, principal.platformId),
          payment.amount.currency,
          'INCOMING',
        );
        const uuid = uuidFor('incoming-payment');
        await local.announce({ uuid, ...payment }, cause);
        const announced = await loadPayment(commands, principal.platformId, idOf('Transaction', uuid));
        return { status: 200, body: renderTransaction(rowOfPayment(announced)) };
      },
    ),
  ];
}

async function fund(
  { commands, now }: Deps,
  request: Request<typeof fundInternalAccount>,
  account: OpenAccount,
) {
  const { principal, body, cause, uuidFor, requestedBy } = request;
  const { accountId, currency, customerId } = account;
  const transactionId = idOf('Transaction', uuidFor('deposit'));
  const owner = customerId ? await commands.load('customer', uuidOf(customerId)) : undefined;
  if (owner && owner.status !== 'none') requireNotDeleted(owner);
  const platformCustomerId = owner && owner.status !== 'none' ? owner.platformCustomerId : null;
  const entry = { entryId: depositEntryId(transactionId), transactionId, requestedBy, at: now() };
  const amount = { minor: body.amount, currency };
  const deposit = { reference: referenceFor(accountId), platformCustomerId };
  const credit = {
    type: 'CreditAccount',
    purpose: 'deposit',
    from: 'rail',
    ...entry,
    amount,
    deposit,
  } as const;
  const { state } = await commands.run('account', uuidOf(accountId), credit, cause);
  invariant(state.status !== 'none', 'funded an account that is not there');
  const { privateEnabled } = await commands.load('wallet', uuidOf(accountId));
  const row = rowOfAccount(principal.platformId, state, privateEnabled);
  return { status: 200, body: renderInternalAccount(row) };
}

async function send(
  { commands, now }: Deps,
  request: Request<typeof sendFunds>,
  { terms, status }: QuotedPayment,
) {
  const { principal, body, cause, requestedBy } = request;
  const { transactionId, source, sending, quote } = terms;
  if (source.kind !== 'REALTIME_FUNDING')
    throw cannotBePaid('This quote takes its money from an account: execute it.');
  if (body.currencyCode !== sending.currency) {
    const message = `This quote is paid in ${sending.currency}, not in ${body.currencyCode}.`;
    throw new Rejected('INVALID_CURRENCY', message, { currencies: [body.currencyCode] });
  }
  requireApproved(await loadCustomerIfAny(commands, principal.platformId, quote.customerId));
  if (status === 'PENDING' && now() >= quote.expiresAt) throw cannotBePaid('This quote has expired.');
  const amount = { minor: body.currencyAmount ?? sending.minor, currency: sending.currency };
  const funds = { type: 'ReceiveFunds', amount, requestedBy, at: now() } as const;
  const { events } = await commands.run('transaction', uuidOf(transactionId), funds, cause);
  if (events.length === 0) throw cannotBePaid('This quote has been paid already, or has expired.');
  const payment = await loadPayment(commands, principal.platformId, transactionId);
  return { status: 200, body: renderTransaction(rowOfPayment(payment)) };
}

const cannotBePaid = (message: string) =>
  new Rejected('INVALID_INPUT', message, { errors: [{ field: 'quoteId', message }] });
