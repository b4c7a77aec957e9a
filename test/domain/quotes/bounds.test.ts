import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noBound } from '../../../src/domain/platforms/currencies.ts';
import { requireWithinBounds } from '../../../src/domain/platforms/limits.ts';
import type { ActivePlatform } from '../../../src/domain/platforms/platform.ts';
import { receivingBounds, sendingBounds } from '../../../src/domain/quotes/bounds.ts';
import { type PriceRequest, price } from '../../../src/domain/quotes/pricing.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';
import { activePlatform, supported, supportedCurrency } from '../../support/builders/customers.ts';
import { ratesTable } from '../../support/builders/rates.ts';
import { type Market, market, type Request, request } from '../../support/values/markets.ts';
import { holds } from '../../support/values/property.ts';

const most = 9_000_000_000_000_000n;
const pair = { from: 'USD', to: 'EUR' };
const real = ratesTable({ mid: { EUR: '1.1652' }, fees: { fixedUsd: '0.50', variableRate: '0.005' } });

const limit = fc.oneof(fc.bigInt(0n, most), fc.bigInt(0n, 100_000n), fc.constant(noBound));
const limits = fc.tuple(limit, limit).map(([a, b]) => (a < b ? [a, b] : [b, a]) as [bigint, bigint]);

const limited = (...currencies: readonly (readonly [string, readonly [bigint, bigint]])[]) =>
  activePlatform({
    supportedCurrencies: currencies.map(([code, [minAmount, maxAmount]]) =>
      supportedCurrency(code, { minAmount, maxAmount }),
    ),
  });

/** Whether a quote takes the amount. */
function isTaken(platform: ActivePlatform, given: Market, wanted: PriceRequest): boolean {
  if (wanted.lockedCurrencyAmount < 1n || wanted.lockedCurrencyAmount > most) return false;
  try {
    const { sending, receiving } = price(ratesTable(given), wanted);
    requireWithinBounds(platform, sending);
    requireWithinBounds(platform, receiving);
    return true;
  } catch (error) {
    if (error instanceof Rejected) return false;
    throw error;
  }
}

type Limits = [bigint, bigint];

function checkBounds(given: Market, wanted: Request, sent: Limits, received: Limits): void {
  const { sendingCurrency: from, receivingCurrency: to, lockedCurrencySide, lockedCurrencyAmount } = wanted;
  fc.pre(from !== to);
  const platform = limited([from, sent], [to, received]);
  const boundsOf = lockedCurrencySide === 'SENDING' ? sendingBounds : receivingBounds;
  const found = boundsOf(platform, ratesTable(given), { from, to });
  const takes = (amount: bigint) => isTaken(platform, given, { ...wanted, lockedCurrencyAmount: amount });
  const { min, max } = found ?? { min: 1n, max: 0n };
  expect(takes(lockedCurrencyAmount)).toBe(lockedCurrencyAmount >= min && lockedCurrencyAmount <= max);
  if (found) expect([min - 1n, min, max, max + 1n].map(takes)).toEqual([false, true, true, false]);
}

describe('the bounds of a payment from one currency to another', () => {
  it('are the least and the most that a quote takes, whatever the platform allows on either side', () =>
    holds(fc.property(market, request, limits, limits, checkBounds), 1_000));

  it('begin where something arrives', () => {
    const bounds = sendingBounds(activePlatform(), real, pair);
    expect(bounds).toEqual({ min: 53n, max: most });
  });

  it('follow from the other side where that is the tighter one', () => {
    const platform = limited(['USD', [0n, most]], ['EUR', [10_00n, 20_00n]]);
    const bounds = sendingBounds(platform, real, pair);
    const receivedOf = (send: bigint | undefined) =>
      price(real, {
        sendingCurrency: 'USD',
        receivingCurrency: 'EUR',
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: send ?? 0n,
      }).receiving.minor;
    expect([receivedOf(bounds?.min), receivedOf(bounds?.max)]).toEqual([10_00n, 20_00n]);
  });

  it('are none where no amount fits both sides', () => {
    const platform = limited(['USD', [0n, 1_00n]], ['EUR', [10_00n, 20_00n]]);
    expect(sendingBounds(platform, real, pair)).toBeUndefined();
    expect(receivingBounds(platform, real, pair)).toBeUndefined();
  });

  it('are none of a currency that the platform has not', () => {
    const platform = activePlatform({ supportedCurrencies: supported('USD') });
    expect(() => sendingBounds(platform, real, pair)).toThrow(
      expect.objectContaining({ code: 'INVALID_CURRENCY', details: { currencies: ['EUR'] } }),
    );
  });
});
