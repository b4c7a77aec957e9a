/** In which currencies a payment is sent and received. */
import { Rejected } from '../../kernel/rejected.ts';
import type { QuoteDestination, QuoteSource } from '../payments/parties/parties.ts';
import type { QuoteRequest } from './quote-request.ts';

export const currencyOf = (source: QuoteSource): string =>
  source.kind === 'REALTIME_FUNDING' ? source.currency : source.account.currency;

/** Throws `Rejected` for a currency that the receiver does not take. */
export function receivingCurrencyOf(
  { destination: { currency } }: QuoteRequest,
  destination: QuoteDestination,
): string {
  if (destination.kind !== 'UMA_ADDRESS') return destination.account.currency;
  const { currencies } = destination.receiver;
  const chosen = currency ?? currencies[0] ?? '';
  requireTaken(currencies, chosen);
  return chosen;
}

/** Throws `Rejected` for a currency that is not among those that the receiver takes. */
export function requireTaken(taken: readonly string[], currency: string): void {
  if (taken.includes(currency)) return;
  const message = `The receiver takes ${taken.join(', ')}, not ${currency}.`;
  throw new Rejected('INVALID_CURRENCY', message, { currencies: [currency] });
}
