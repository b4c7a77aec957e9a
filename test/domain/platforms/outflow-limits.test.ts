import { describe, expect, it } from 'vitest';
import { outflowLimitsOf } from '../../../src/domain/platforms/outflow-limits.ts';
import { activePlatform, supportedCurrency } from '../../support/builders/customers.ts';

const operator = (dailyVolume: Record<string, bigint> = {}, hourlyPayments?: number) => ({
  dailyVolume: new Map(Object.entries(dailyVolume)),
  hourlyPayments,
});
const platform = (settings: { dailyVolumeLimit?: bigint; velocityLimit?: number } = {}) =>
  activePlatform({ supportedCurrencies: [supportedCurrency('USD', settings)] });

describe('the limits on what leaves an account', () => {
  it('are none where nobody sets one', () => {
    expect(outflowLimitsOf(platform(), 'USD', operator())).toBeUndefined();
    expect(outflowLimitsOf(platform(), 'USD', operator({ EUR: 1n }))).toBeUndefined();
  });

  it.each([
    [{ dailyVolumeLimit: 5n }, operator(), { dailyVolume: 5n }],
    [{}, operator({ USD: 7n }), { dailyVolume: 7n }],
    [{ dailyVolumeLimit: 5n }, operator({ USD: 7n }), { dailyVolume: 5n }],
    [{ dailyVolumeLimit: 9n }, operator({ USD: 7n }), { dailyVolume: 7n }],
    [{ dailyVolumeLimit: 0n }, operator({ USD: 7n }), { dailyVolume: 0n }],
    [{ velocityLimit: 3 }, operator(), { hourlyPayments: 3 }],
    [{ velocityLimit: 3 }, operator({}, 2), { hourlyPayments: 2 }],
    [{ velocityLimit: 0 }, operator({ USD: 1n }, 2), { dailyVolume: 1n, hourlyPayments: 0 }],
  ])('are the smaller ones of the platform and the operator: case %#', (settings, ofOperator, limits) => {
    expect(outflowLimitsOf(platform(settings), 'USD', ofOperator)).toEqual(limits);
  });
});
