/** From one currency to another: the rate and the fees, and exact arithmetic with them. */
import { decimalsOf } from '../money/currencies.ts';
import { type Decimal, parseDecimal } from '../money/decimal.ts';
import { feesOf, fixedFeeMinor, midRate, type RatesTable } from '../money/rates-file.ts';

/** A rate keeps this many significant digits: few enough for a JSON number to hold exactly. */
const rateDigits = 12;
const one = parseDecimal('1');

export type Fraction = { readonly n: bigint; readonly d: bigint };

export type Corridor = {
  /** Sending units per receiving unit, major. */
  readonly rate: Decimal;
  /** The same in minor units. */
  readonly minorRate: Fraction;
  readonly fixedFee: bigint;
  readonly variableRate: Decimal;
  readonly serviceApiMultiplier: Decimal;
  readonly counterpartyMultiplier: Decimal;
};

/** Of each table, which never changes, by both currencies: a list of all rates asks for each of them twice. */
const known = new WeakMap<RatesTable, Map<string, Corridor>>();

export function corridorOf(table: RatesTable, sending: string, receiving: string): Corridor {
  const ofTable = known.get(table) ?? new Map<string, Corridor>();
  known.set(table, ofTable);
  const pair = `${sending} ${receiving}`;
  const corridor = ofTable.get(pair) ?? newCorridor(table, sending, receiving);
  ofTable.set(pair, corridor);
  return corridor;
}

function newCorridor(table: RatesTable, sending: string, receiving: string): Corridor {
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

export const ceiling = (n: bigint, d: bigint): bigint => (n + d - 1n) / d;
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
export const over = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d, d: a.d * b.n });
const powerOf10 = (power: number): Fraction => ({ n: 10n ** BigInt(power), d: 1n });

export const fraction = ({ coefficient, exponent }: Decimal): Fraction =>
  exponent >= 0
    ? { n: coefficient * 10n ** BigInt(exponent), d: 1n }
    : { n: coefficient, d: 10n ** BigInt(-exponent) };

/** The nearest decimal with `rateDigits` significant digits that is not below (`up`) or above (`down`) the fraction. */
export function significant({ n, d }: Fraction, direction: 'up' | 'down'): Decimal {
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
