import { requireApproved } from '../../domain/payments/parties/readiness.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { type TransactionId, uuidOf } from '../../kernel/ids.ts';
import type { Money } from '../../kernel/money.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';
import { loadCustomerIfAny } from '../find/customer.ts';
import type { QuotedPayment } from '../find/quote.ts';
import { alreadyExecuted, requireAccountPaid, requireOpen } from '../quotes/execute.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };
type Funds = {
  readonly amount: Money;
  /** The same money has the same. */
  readonly requestedBy: TransactionId;
  /** Called before the quote takes the money, and not where it would refuse it. */
  readonly take: () => Promise<void>;
};

/**
 * Runs a quote by money that arrived for it; `false` where this money has done so before. Throws `Rejected` where the quote is
 * over, is of another amount, or where who pays and is paid by it cannot: no money is taken for it then. Of a payment that
 * fails it is credited to who pays (decision 18).
 */
export async function fundQuote(
  { commands, now }: Deps,
  quote: QuotedPayment,
  { amount, requestedBy, take }: Funds,
  cause: Cause,
): Promise<boolean> {
  const { transactionId, platformId, sending } = quote.terms;
  if (quote.fundedBy === requestedBy) return false;
  requireOpen(quote, now());
  if (amount.minor !== sending.minor)
    throw new Rejected('INVALID_AMOUNT', `The quote is paid by ${sending.minor} in the smallest unit.`);
  requireApproved(await loadCustomerIfAny(commands, platformId, quote.terms.quote.customerId));
  await requireAccountPaid({ commands }, quote.terms.quote);
  await take();
  const funds = { type: 'ReceiveFunds', amount, requestedBy, at: now() } as const;
  const { events, state } = await commands.run('transaction', uuidOf(transactionId), funds, cause);
  if (events.length > 0) return true;
  if (state.status !== 'NONE' && state.fundedBy === requestedBy) return false;
  throw alreadyExecuted();
}
