/** In which currencies a payment is sent and received. */
import { Rejected } from '../../kernel/rejected.ts';
import type { QuoteDestination, QuoteSource, Receiver } from '../payments/parties/parties.ts';
import type { PayeeProblem } from '../payments/parties/payee.ts';
import type { QuoteRequest } from './quote-request.ts';

export const currencyOf = (source: QuoteSource): string =>
  source.kind === 'REALTIME_FUNDING' ? source.currency : source.account.currency;

/** Throws `Rejected` for a currency that the receiver does not take. */
export function receivingCurrencyOf(
  { destination: { currency } }: QuoteRequest,
  destination: QuoteDestination,
): string {
  if (destination.kind !== 'UMA_ADDRESS') return destination.account.currency;
  const chosen = chosenOf(destination.receiver, currency);
  requireTaken(destination.receiver.currencies, chosen);
  return chosen;
}

/** The currency that is asked for, else the one that the receiver prefers. */
export const chosenOf = ({ currencies }: Pick<Receiver, 'currencies'>, asked: string | undefined): string =>
  asked ?? currencies[0] ?? '';

/** Throws `Rejected` for a currency that is not among those that the receiver takes. */
export function requireTaken(taken: readonly string[], currency: string): void {
  if (taken.includes(currency)) return;
  requireTakesAny(taken);
  const message = `The receiver takes ${taken.join(', ')}, not ${currency}.`;
  throw new Rejected('INVALID_CURRENCY', message, { currencies: [currency] });
}

/** Throws `Rejected` for a receiver who takes no payments in any currency. */
export function requireTakesAny(taken: readonly string[]): void {
  if (taken.length > 0) return;
  const reason: PayeeProblem = 'CURRENCY_NOT_TAKEN';
  throw new Rejected('INVALID_RECEIVER', 'The receiver takes no payments now, in any currency.', { reason });
}
