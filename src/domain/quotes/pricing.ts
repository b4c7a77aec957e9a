/**
 * What a payment costs and what arrives, in exact integer arithmetic. Every rounding is against the sender, so the
 * service never pays out more than it was paid for.
 */

import { int64Max } from '../../kernel/money.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { decimalsOf } from '../money/currencies.ts';
import { type Decimal, formatDecimal, parseDecimal, toNumber } from '../money/decimal.ts';
import { feesOf, fixedFeeMinor, midRate, type RatesTable } from '../money/rates-file.ts';
import type { QuoteTerms } from '../payments/events.ts';

/** A rate keeps this many significant digits: few enough for a JSON number to hold exactly. */
const rateDigits = 12;
const one = parseDecimal('1');

export type Price = Pick<QuoteTerms, 'sending' | 'receiving' | 'fees' | 'exchangeRate' | 'rateDetails'>;

export type PriceRequest = {
  readonly sendingCurrency: string;
  readonly receivingCurrency: string;
  readonly lockedCurrencySide: 'SENDING' | 'RECEIVING';
  /** Minor units of the locked currency. */
  readonly lockedCurrencyAmount: bigint;
};

/** Throws `Rejected` (AMOUNT_OUT_OF_RANGE) when nothing would arrive or the amount to send cannot be carried. */
export function price(table: RatesTable, request: PriceRequest): Price {
  const { sendingCurrency, receivingCurrency, lockedCurrencySide, lockedCurrencyAmount: locked } = request;
  const corridor = corridorOf(table, sendingCurrency, receivingCurrency);
  const amounts =
    lockedCurrencySide === 'SENDING' ? lockSending(corridor, locked) : lockReceiving(corridor, locked);
  const { send, receive, fees } = amounts;
  if (receive < 1n) throw outOfRange('The amount does not cover the fees of this payment.');
  if (receive > int64Max) throw outOfRange('The amount to receive is larger than the interface can carry.');
  if (send > int64Max) throw outOfRange('The amount to send is larger than the interface can carry.');
  return {
    sending: { minor: send, currency: sendingCurrency },
    receiving: { minor: receive, currency: receivingCurrency },
    fees,
    exchangeRate: formatDecimal(corridor.rate),
    rateDetails: {
      counterpartyMultiplier: formatDecimal(corridor.counterpartyMultiplier),
      counterpartyFixedFee: 0n,
      serviceApiMultiplier: formatDecimal(corridor.serviceApiMultiplier),
      serviceApiFixedFee: corridor.fixedFee,
      serviceApiVariableFeeRate: formatDecimal(corridor.variableRate),
      serviceApiVariableFeeAmount: fees - corridor.fixedFee,
    },
  };
}

/** The smallest amount to send of which something arrives, in minor units of the sending currency. */
export function smallestSending(table: RatesTable, sending: string, receiving: string): bigint {
  const { minorRate, fixedFee, variableRate } = corridorOf(table, sending, receiving);
  const variable = fraction(variableRate);
  const net = fixedFee + ceiling(minorRate.n, minorRate.d);
  return ceiling(net * variable.d, variable.d - variable.n);
}

/** The largest amount to send that both sides can carry, at most `most`. */
export function largestSending(table: RatesTable, sending: string, receiving: string, most: bigint): bigint {
  const { minorRate } = corridorOf(table, sending, receiving);
  const carried = (int64Max * minorRate.n) / minorRate.d;
  return carried < most ? carried : most;
}

/** Receiving units per sending unit, major, before fees: for showing only. */
export const priceOfOne = (table: RatesTable, sending: string, receiving: string): number =>
  toNumber(significant(over({ n: 1n, d: 1n }, fraction(corridorOf(table, sending, receiving).rate)), 'down'));

type Fraction = { readonly n: bigint; readonly d: bigint };

type Corridor = {
  /** Sending units per receiving unit, major. */
  readonly rate: Decimal;
  /** The same in minor units. */
  readonly minorRate: Fraction;
  readonly fixedFee: bigint;
  readonly variableRate: Decimal;
  readonly serviceApiMultiplier: Decimal;
  readonly counterpartyMultiplier: Decimal;
};
type Amounts = { readonly send: bigint; readonly receive: bigint; readonly fees: bigint };

function corridorOf(table: RatesTable, sending: string, receiving: string): Corridor {
  const fromUsd = fraction(midRate(table, sending));
  const toUsd = fraction(midRate(table, receiving));
  const same = sending === receiving;
  const kept = same ? { n: 1n, d: 1n } : fraction(table.counterpartyMultiplier);
  const rate = same ? one : significant(over(toUsd, times(fromUsd, kept)), 'up');
  const scale = over(powerOf10(decimalsOf(sending)), powerOf10(decimalsOf(receiving)));
  return {
    rate,
    minorRate: times(fraction(rate), scale),
    fixedFee: fixedFeeMinor(table, sending),
    variableRate: feesOf(table, sending).variableRate,
    serviceApiMultiplier: same ? one : midRate(table, sending),
    counterpartyMultiplier: same ? one : significant(over(kept, toUsd), 'down'),
  };
}

/** receive = floor((send − fees) / rate) */
function lockSending({ minorRate, fixedFee, variableRate }: Corridor, send: bigint): Amounts {
  const variable = fraction(variableRate);
  const fees = fixedFee + ceiling(send * variable.n, variable.d);
  const net = send - fees;
  return { send, fees, receive: net > 0n ? (net * minorRate.d) / minorRate.n : 0n };
}

/** send = ceil((receive × rate + fixed fees) / (1 − variable rate)); what is above the converted amount is fees. */
function lockReceiving({ minorRate, fixedFee, variableRate }: Corridor, receive: bigint): Amounts {
  const variable = fraction(variableRate);
  const gross = { n: receive * minorRate.n + fixedFee * minorRate.d, d: minorRate.d };
  const send = ceiling(gross.n * variable.d, gross.d * (variable.d - variable.n));
  return { send, receive, fees: send - ceiling(receive * minorRate.n, minorRate.d) };
}

const ceiling = (n: bigint, d: bigint): bigint => (n + d - 1n) / d;
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
const over = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d, d: a.d * b.n });
const powerOf10 = (power: number): Fraction => ({ n: 10n ** BigInt(power), d: 1n });

const fraction = ({ coefficient, exponent }: Decimal): Fraction =>
  exponent >= 0
    ? { n: coefficient * 10n ** BigInt(exponent), d: 1n }
    : { n: coefficient, d: 10n ** BigInt(-exponent) };

/** The nearest decimal with `rateDigits` significant digits that is not below (`up`) or above (`down`) the fraction. */
function significant({ n, d }: Fraction, direction: 'up' | 'down'): Decimal {
  const magnitude = n.toString().length - d.toString().length;
  for (let places = rateDigits - magnitude; ; places--) {
    const scaled = places >= 0 ? { n: n * 10n ** BigInt(places), d } : { n, d: d * 10n ** BigInt(-places) };
    const coefficient = direction === 'up' ? ceiling(scaled.n, scaled.d) : scaled.n / scaled.d;
    if (coefficient.toString().length <= rateDigits) return trimmed({ coefficient, exponent: -places });
  }
}

/** Without trailing zeros after the point. */
function trimmed({ coefficient, exponent }: Decimal): Decimal {
  let [digits, power] = [coefficient, exponent];
  while (power < 0 && digits % 10n === 0n) {
    digits /= 10n;
    power += 1;
  }
  return { coefficient: digits, exponent: power };
}

const outOfRange = (message: string) => new Rejected('AMOUNT_OUT_OF_RANGE', message);
