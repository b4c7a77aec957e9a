import type { Money } from '../../kernel/money.ts';
import { decimalsOf } from './currencies.ts';
import { multiply, quotientRoundedUp } from './decimal.ts';
import { midRate, type RatesTable } from './rates-file.ts';

/** The amount in minor units of another currency at the mid-market rate, rounded up: never counted too low. */
export function converted(table: RatesTable, { minor, currency }: Money, to: string): bigint {
  if (currency === to) return minor;
  const exponent = decimalsOf(to) - decimalsOf(currency);
  return quotientRoundedUp(
    multiply({ coefficient: minor, exponent }, midRate(table, currency)),
    midRate(table, to),
  );
}
