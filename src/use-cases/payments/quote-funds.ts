/** Money from outside for a quote. */
import { requireApproved } from '../../domain/payments/parties/readiness.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Money } from '../../kernel/money.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import { customersOnce } from '../find/customer.ts';
import { isQuoted, type QuotedPayment } from '../find/quote.ts';
import {
  alreadyExecuted,
  expired,
  hasExpired,
  requireAccountPaid,
  requireOpen,
} from '../quotes/executable.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };
type Funds = {
  readonly amount: Money;
  /** What brings the money: the same each time that it is told of. */
  readonly requestedBy: string;
  /** Called before the quote takes the money, and not where it would refuse it. */
  readonly take?: () => Promise<void>;
};

/**
 * Runs a quote by money that arrived for it; `false` where this money has done so before. Throws `Rejected` where the quote is
 * over, is of another amount, or where who pays and is paid by it cannot: no money is taken for it then. Of a payment that
 * fails it is credited to who pays (decision 18).
 */
export async function fundQuote(
  deps: Deps,
  quote: QuotedPayment,
  funds: Funds,
  cause: Cause,
): Promise<boolean> {
  const { amount, requestedBy } = funds;
  const { sending } = quote.terms;
  const at = deps.now();
  const last = hasExpired(quote, at) ? await expireQuote(deps, quote, at, cause) : quote;
  if (last.fundedBy === requestedBy) return false;
  requireOpen(last, at);
  if (amount.minor !== sending.minor)
    throw new Rejected('INVALID_AMOUNT', `The quote is paid by ${sending.minor} in the smallest unit.`);
  const { events, state } = await receiveFunds(deps, quote, funds, cause);
  if (events.length > 0) return true;
  if (state.status !== 'NONE' && state.fundedBy === requestedBy) return false;
  throw state.status === 'EXPIRED' ? expired(quote.terms.quote) : alreadyExecuted();
}

/** By its own stream: whoever found it open before, and goes on only now, does not run it after somebody was refused. */
async function expireQuote(
  { commands }: Deps,
  quote: QuotedPayment,
  at: Date,
  cause: Cause,
): Promise<QuotedPayment> {
  const uuid = uuidOf(quote.terms.transactionId);
  const { state } = await commands.run('transaction', uuid, { type: 'ExpireQuote', at }, cause);
  invariant(state.status !== 'NONE' && isQuoted(state), 'a quote that is not there');
  return state;
}

/**
 * Tells a quote that is open of money from outside; no events where it has been paid, or has expired, meanwhile. Throws
 * `Rejected` where its customer may not pay, or the account that it pays takes nothing: no money is taken for it then.
 */
export async function receiveFunds(
  { commands, now }: Deps,
  { terms: { transactionId, quote } }: QuotedPayment,
  { amount, requestedBy, take }: Funds,
  cause: Cause,
) {
  const customerOf = customersOnce(commands, quote.platformId);
  requireApproved(await customerOf(quote.customerId));
  await requireAccountPaid({ commands }, quote, customerOf);
  await take?.();
  const funds = { type: 'ReceiveFunds', amount, requestedBy, at: now() } as const;
  return commands.run('transaction', uuidOf(transactionId), funds, cause);
}
