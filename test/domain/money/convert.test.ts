import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { converted } from '../../../src/domain/money/convert.ts';
import { rates } from '../../support/builders/agents.ts';
import { money, usd } from '../../support/builders/money.ts';
import { holds } from '../../support/values/property.ts';

describe('an amount in another currency', () => {
  it.each([
    [usd(1_10n), 'EUR', 1_00n],
    [usd(1_11n), 'EUR', 1_01n],
    [usd(1n), 'EUR', 1n],
    [money(1_00n, 'EUR'), 'USD', 1_10n],
    [money(25_000n, 'VND'), 'USD', 1_00n],
    [usd(1_00n), 'VND', 25_000n],
    [usd(0n), 'EUR', 0n],
    [money(10n ** 30n, 'EUR'), 'EUR', 10n ** 30n],
  ])('%o in %s is %s', (amount, currency, expected) => {
    expect(converted(rates, amount, currency)).toBe(expected);
  });

  it('is never worth less than it was, there and back', () =>
    holds(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 19n }), (minor) => {
        const there = converted(rates, usd(minor), 'EUR');
        expect(converted(rates, money(there, 'EUR'), 'USD')).toBeGreaterThanOrEqual(minor);
      }),
    ));
});
