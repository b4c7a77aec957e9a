import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalsOf } from '../../../src/domain/money/currencies.ts';
import { type Price, type PriceRequest, price } from '../../../src/domain/quotes/pricing.ts';
import { int64Max } from '../../../src/kernel/money.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';
import { ratesTable } from '../../support/builders/rates.ts';
import { extremes, type Market, market, type Request, request } from '../../support/values/markets.ts';
import { holds } from '../../support/values/property.ts';
import {
  ceil,
  floor,
  isAtMost,
  minus,
  per,
  plus,
  rational,
  tenTo,
  times,
  whole,
} from '../../support/values/rational.ts';

/** Minor units of sending currency for one minor unit of the other, from a rate in major units. */
const minorRate = (rate: string, { sendingCurrency, receivingCurrency }: PriceRequest) =>
  times(rational(rate), tenTo(decimalsOf(sendingCurrency) - decimalsOf(receivingCurrency)));

/** The rate before it is rounded: sending units per receiving unit. */
function exactRate(
  { mid, counterpartyMultiplier }: Market,
  { sendingCurrency: from, receivingCurrency: to }: Request,
) {
  if (from === to) return whole(1n);
  return per(rational(mid[to]), times(rational(mid[from]), rational(counterpartyMultiplier)));
}

/** The formulas of docs/decisions/0012, in fractions. */
function expected({ mid, fees }: Market, wanted: Request, exchangeRate: string) {
  const rate = minorRate(exchangeRate, wanted);
  const kept = minus(whole(1n), rational(fees.variableRate));
  const unit = tenTo(decimalsOf(wanted.sendingCurrency));
  const fixed = ceil(per(times(rational(fees.fixedUsd), unit), rational(mid[wanted.sendingCurrency])));
  const locked = wanted.lockedCurrencyAmount;
  if (wanted.lockedCurrencySide === 'SENDING') {
    const charged = fixed + ceil(times(whole(locked), rational(fees.variableRate)));
    return { fixed, fees: charged, send: locked, receive: floor(per(whole(locked - charged), rate)) };
  }
  const converted = times(whole(locked), rate);
  const send = ceil(per(plus(converted, whole(fixed)), kept));
  return { fixed, fees: send - ceil(converted), send, receive: locked };
}

function priceOrRefusal(given: Market, wanted: PriceRequest): Price | undefined {
  try {
    return price(ratesTable(given), wanted);
  } catch (error) {
    if (error instanceof Rejected && error.code === 'AMOUNT_OUT_OF_RANGE') return undefined;
    throw error;
  }
}

/** Checks every price that can be had, on random markets and requests. */
const everyPrice = (check: (found: Price, wanted: Request, given: Market) => void) =>
  holds(
    fc.property(market, request, (given, wanted) => {
      const found = priceOrRefusal(given, wanted);
      if (found) check(found, wanted, given);
    }),
  );

/** A rate does not depend on the amount: one that is never refused has it. */
const rateOf = (given: Market, wanted: Request) =>
  priceOrRefusal(
    { ...given, fees: { fixedUsd: '0', variableRate: '0' } },
    { ...wanted, lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount: 1n },
  )?.exchangeRate;

function checkFormulas(given: Market, wanted: Request): void {
  const rate = rateOf(given, wanted);
  fc.pre(rate !== undefined);
  const { send, receive, fees } = expected(given, wanted, rate);
  const found = priceOrRefusal(given, wanted);
  const inRange = receive >= 1n && receive <= int64Max && send <= int64Max;
  const amounts = found && [found.sending.minor, found.fees, found.receiving.minor, found.exchangeRate];
  expect(amounts).toEqual(inRange ? [send, fees, receive, rate] : undefined);
}

describe('any price', () => {
  it('has the amounts of the formulas where they are within the range', () =>
    holds(fc.property(market, request, checkFormulas), 1_000));

  it('keeps the locked side to the last unit', () =>
    everyPrice(({ sending, receiving }, { lockedCurrencySide, lockedCurrencyAmount }) => {
      expect(lockedCurrencySide === 'SENDING' ? sending.minor : receiving.minor).toBe(lockedCurrencyAmount);
    }));

  it('pays out no more than it was paid for', () =>
    everyPrice(({ sending, receiving, fees, exchangeRate }, wanted) => {
      const converted = times(whole(receiving.minor), minorRate(exchangeRate, wanted));
      expect(isAtMost(converted, whole(sending.minor - fees))).toBe(true);
    }));

  it('pays out all of it that makes a unit, when the sending side is locked', () =>
    everyPrice(({ sending, receiving, fees, exchangeRate }, wanted) => {
      if (wanted.lockedCurrencySide !== 'SENDING') return;
      const oneMore = times(whole(receiving.minor + 1n), minorRate(exchangeRate, wanted));
      expect(isAtMost(oneMore, whole(sending.minor - fees))).toBe(false);
    }));

  it('asks for the least that covers amount and fees, when the receiving side is locked', () =>
    everyPrice(({ sending, receiving, exchangeRate, rateDetails }, wanted, { fees }) => {
      if (wanted.lockedCurrencySide !== 'RECEIVING') return;
      const needed = plus(
        times(whole(receiving.minor), minorRate(exchangeRate, wanted)),
        whole(rateDetails.serviceApiFixedFee),
      );
      const left = (send: bigint) => times(whole(send), minus(whole(1n), rational(fees.variableRate)));
      expect([sending.minor, sending.minor - 1n].map((send) => isAtMost(needed, left(send)))).toEqual([
        true,
        false,
      ]);
    }));

  it('has fees within what is sent, made of the parts it names', () =>
    everyPrice(({ sending, fees, rateDetails }) => {
      expect(fees >= 0n && fees < sending.minor).toBe(true);
      expect(rateDetails.serviceApiFixedFee + rateDetails.serviceApiVariableFeeAmount).toBe(fees);
      expect(rateDetails.serviceApiVariableFeeAmount).toBeGreaterThanOrEqual(0n);
    }));

  it('has a variable fee that is the rate times the amount, but for the rounding', () =>
    everyPrice(({ sending, rateDetails }) => {
      const exact = times(whole(sending.minor), rational(rateDetails.serviceApiVariableFeeRate));
      expect([floor(exact), ceil(exact)]).toContain(rateDetails.serviceApiVariableFeeAmount);
    }));

  it('has a rate of at most 12 digits, the nearest one above the market', () =>
    everyPrice(({ exchangeRate }, wanted, given) => {
      const exact = exactRate(given, wanted);
      const aboveBy = minus(rational(exchangeRate), exact);
      expect(exchangeRate.replace('.', '').replace(/^0+|0+$/g, '').length).toBeLessThanOrEqual(12);
      expect(aboveBy.n >= 0n && isAtMost(aboveBy, times(exact, tenTo(-11)))).toBe(true);
    }));

  it('has a rate that is the same decimal as a JSON number', () =>
    everyPrice(({ exchangeRate }) => {
      const difference = minus(rational(JSON.stringify(Number(exchangeRate))), rational(exchangeRate));
      expect(difference.n).toBe(0n);
    }));

  it('has multipliers that lead from one currency to the other', () =>
    everyPrice(({ exchangeRate, rateDetails: { serviceApiMultiplier, counterpartyMultiplier } }) => {
      const there = times(rational(serviceApiMultiplier), rational(counterpartyMultiplier));
      const back = minus(times(there, rational(exchangeRate)), whole(1n));
      expect(isAtMost({ n: back.n < 0n ? -back.n : back.n, d: back.d }, tenTo(-10))).toBe(true);
    }));
});

/** Currencies with 0, 2, 6 and 8 decimals. */
const everyScale = ['VND', 'EUR', 'USDC', 'BTC'] as const;
const atTheBounds = everyScale.flatMap((sendingCurrency) =>
  everyScale.flatMap((receivingCurrency) =>
    (['SENDING', 'RECEIVING'] as const).flatMap((lockedCurrencySide) =>
      extremes.map((lockedCurrencyAmount) => ({
        sendingCurrency,
        receivingCurrency,
        lockedCurrencySide,
        lockedCurrencyAmount,
      })),
    ),
  ),
);

describe('the smallest and the largest amount that can be locked', () => {
  it.each(atTheBounds)(
    'follow the formulas: $sendingCurrency to $receivingCurrency with $lockedCurrencySide $lockedCurrencyAmount',
    (wanted) =>
      holds(
        fc.property(market, (given) => checkFormulas(given, wanted)),
        50,
      ),
  );
});
