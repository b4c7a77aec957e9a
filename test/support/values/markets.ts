/** Rates, fees and requests of every size, for properties of prices. */
import fc from 'fast-check';
import type { PriceRequest } from '../../../src/domain/quotes/pricing.ts';

/** Decimal text of at most `digits` digits, of which `places` stand behind the point. */
const decimal = (digits: number, places: number) =>
  fc.bigInt(1n, 10n ** BigInt(digits) - 1n).map((n) => {
    const text = n.toString().padStart(places + 1, '0');
    return `${text.slice(0, text.length - places)}.${text.slice(text.length - places)}`;
  });
const midRate = fc.oneof(decimal(6, 4), decimal(10, 10), decimal(8, 2), decimal(12, 6));
const currency = fc.constantFrom('USD', 'EUR', 'VND', 'USDC', 'BTC');
/** The bounds of what a request may lock. */
export const extremes = [1n, 9_000_000_000_000_000n] as const;
const amount = fc.oneof(fc.bigInt(...extremes), fc.bigInt(1n, 100_000n), fc.constantFrom(...extremes));

export const market = fc.record({
  mid: fc.record({ USD: fc.constant('1'), EUR: midRate, VND: midRate, USDC: midRate, BTC: midRate }),
  fees: fc.record({
    fixedUsd: fc.oneof(fc.constant('0'), decimal(4, 2)),
    variableRate: fc.oneof(fc.constant('0'), decimal(3, 5), decimal(4, 4)),
  }),
  counterpartyMultiplier: fc.constantFrom('1', '0.998', '0.5', '1.02'),
});
export type Market = typeof market extends fc.Arbitrary<infer M> ? M : never;
type Mid = keyof Market['mid'];
export type Request = PriceRequest & { readonly sendingCurrency: Mid; readonly receivingCurrency: Mid };

export const request: fc.Arbitrary<Request> = fc.record({
  sendingCurrency: currency,
  receivingCurrency: currency,
  lockedCurrencySide: fc.constantFrom('SENDING', 'RECEIVING'),
  lockedCurrencyAmount: amount,
});
