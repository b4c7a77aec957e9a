/** The payer of a quote with REALTIME_FUNDING. */
import type { Payment } from '../domain/payments/life/progress.ts';
import type { Cause } from '../infrastructure/commands/dispatch.ts';
import { badField, Rejected } from '../kernel/rejected.ts';
import type { Commands } from '../use-cases/commands.ts';
import { loadPayment } from '../use-cases/find/payment.ts';
import type { QuotedPayment } from '../use-cases/find/quote.ts';
import { receiveFunds } from '../use-cases/payments/quote-funds.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };
type Funds = {
  readonly currencyCode: string;
  /** In minor units; the amount of the quote where it is left out. */
  readonly currencyAmount?: bigint | undefined;
};

/**
 * The payment, once the money has arrived. Throws `Rejected` for a quote that is not paid this way, or not any more, and
 * where the account that it pays takes nothing: then no money has arrived.
 */
export async function payQuote(
  deps: Deps,
  quote: QuotedPayment,
  { currencyCode, currencyAmount }: Funds,
  { requestedBy, cause }: { readonly requestedBy: string; readonly cause: Cause },
): Promise<Payment> {
  const { transactionId, platformId, source, sending } = quote.terms;
  if (source.kind !== 'REALTIME_FUNDING')
    throw badField('quoteId', 'names a quote that takes its money from an account: execute it');
  if (currencyCode !== sending.currency) {
    const message = `This quote is paid in ${sending.currency}, not in ${currencyCode}.`;
    throw new Rejected('INVALID_CURRENCY', message, { currencies: [currencyCode] });
  }
  if (quote.status !== 'PENDING') throw over();
  if (deps.now() >= quote.terms.quote.expiresAt) throw badField('quoteId', 'names a quote that has expired');
  const amount = { minor: currencyAmount ?? sending.minor, currency: sending.currency };
  const { events } = await receiveFunds(deps, quote, { amount, requestedBy }, cause);
  if (events.length === 0) throw over();
  return loadPayment(deps.commands, platformId, transactionId);
}

const over = () => badField('quoteId', 'names a quote that has been paid already, or has expired');
