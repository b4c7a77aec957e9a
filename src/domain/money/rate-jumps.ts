import { compare, type Decimal, formatDecimal, multiply, parseDecimal } from './decimal.ts';
import type { RatesTable } from './rates-file.ts';

/**
 * What is worth more by more than so many percent in one of two tables than in the other, with both values: currencies, and
 * the counterparty's multiplier. A source that has a digit too many or two columns mixed up shows so.
 */
export function jumpsBetween(before: RatesTable, after: RatesTable, percent: number): readonly string[] {
  const most = parseDecimal(String(100 + percent));
  const isJump = (one: Decimal, other: Decimal): boolean => {
    const [less, more] = compare(one, other) < 0 ? [one, other] : [other, one];
    return compare(multiply(more, parseDecimal('100')), multiply(less, most)) > 0;
  };
  const values = (table: RatesTable): ReadonlyMap<string, Decimal> =>
    new Map([...Object.entries(table.mid), ['counterpartyMultiplier', table.counterpartyMultiplier]]);
  const were = values(before);
  return [...values(after)].flatMap(([name, is]) => {
    const was = were.get(name);
    return was && isJump(was, is) ? [`${name} from ${formatDecimal(was)} to ${formatDecimal(is)}`] : [];
  });
}
