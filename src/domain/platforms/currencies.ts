/** The currencies of a platform that has set no list of its own, and how a list is read that was set before. */
import { currencies } from '../money/currencies.ts';
import { largestPayment } from '../values/amount.ts';
import type { SupportedCurrency } from './events.ts';

/** The largest bound of a list: a client whose numbers are doubles sends it back as it is. */
export const largestBound = BigInt(Number.MAX_SAFE_INTEGER);

/** Everything is allowed in it. */
export const openCurrency = (currencyCode: string): SupportedCurrency => ({
  currencyCode,
  minAmount: 0n,
  maxAmount: largestPayment,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
});

/** Those that the platform began with, and after them every other one that the service knows. */
export function untouchedList(begunWith: readonly SupportedCurrency[]): SupportedCurrency[] {
  const named = new Set(begunWith.map(({ currencyCode }) => currencyCode));
  const others = [...currencies.keys()].filter((code) => !named.has(code)).map(openCurrency);
  return [...readable(begunWith), ...others];
}

/** A bound of before that is more than a double holds was none: no payment is larger than the largest. */
export const readable = (list: readonly SupportedCurrency[]): SupportedCurrency[] =>
  list.map((one) => (one.maxAmount <= largestBound ? one : { ...one, maxAmount: largestPayment }));
