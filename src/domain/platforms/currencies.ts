/** The currencies of a platform that has set no list of its own, and how a list is read that was set before. */
import { currencies } from '../money/currencies.ts';
import type { SupportedCurrency } from './events.ts';

/**
 * The largest bound of a list, which is none: a payment may be as large as the interface carries. A client whose numbers
 * are doubles sends it back as it is.
 */
export const noBound = BigInt(Number.MAX_SAFE_INTEGER);

/** Everything is allowed in it. */
export const openCurrency = (currencyCode: string): SupportedCurrency => ({
  currencyCode,
  minAmount: 0n,
  maxAmount: noBound,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
});

/** Those that the platform began with, and after them every other one that the service knows. */
export function untouchedList(begunWith: readonly SupportedCurrency[]): SupportedCurrency[] {
  const named = new Set(begunWith.map(({ currencyCode }) => currencyCode));
  const others = [...currencies.keys()].filter((code) => !named.has(code)).map(openCurrency);
  return [...readable(begunWith), ...others];
}

/** A list of before may have bounds that a double does not hold. */
export const readable = (list: readonly SupportedCurrency[]): SupportedCurrency[] =>
  list.map((one) => (one.maxAmount <= noBound ? one : { ...one, maxAmount: noBound }));
