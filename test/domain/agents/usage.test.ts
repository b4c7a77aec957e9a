import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noUsage, release, reserve, resetsOf, usageAt } from '../../../src/domain/agents/usage.ts';
import { counted, usageOf } from '../../support/builders/agents.ts';
import { holds } from '../../support/values/property.ts';

const moment = (text: string) => new Date(text);
const morning = moment('2026-11-02T09:00:00Z');

describe('the counters', () => {
  it('start empty, on the UTC day', () => {
    expect(noUsage(moment('2026-11-02T23:59:59.999Z'))).toEqual(usageOf());
  });

  it('count an amount for the day and the month', () => {
    expect(reserve(counted(5n), 7n, morning)).toEqual(
      usageOf({ dailyTransactionCount: 2, dailySpend: 12n, monthlySpend: 12n }),
    );
  });

  it.each([
    ['the last moment of the day', '2026-11-02T23:59:59.999Z', counted(5n)],
    ['midnight UTC', '2026-11-03T00:00:00.000Z', usageOf({ day: '2026-11-03', monthlySpend: 5n })],
    [
      'the last day of the month',
      '2026-11-30T23:59:59.999Z',
      usageOf({ day: '2026-11-30', monthlySpend: 5n }),
    ],
    ['the next month', '2026-12-01T00:00:00.000Z', usageOf({ day: '2026-12-01' })],
    ['the same month of the next year', '2027-11-02T00:00:00.000Z', usageOf({ day: '2027-11-02' })],
    ['a clock that is behind', '2026-11-01T23:59:59.999Z', counted(5n)],
  ])('are those of the day and the month at %s', (_when, at, expected) => {
    expect(usageAt(counted(5n), moment(at))).toEqual(expected);
  });

  it('count on their own day what a clock that is behind reserves', () => {
    expect(reserve(counted(5n), 1n, moment('2026-10-31T12:00:00Z'))).toEqual(
      usageOf({ dailyTransactionCount: 2, dailySpend: 6n, monthlySpend: 6n }),
    );
  });

  it.each([
    ['the same day', usageOf(), '2026-11-02'],
    ['a day before, in the same month', counted(5n, { monthlySpend: 0n }), '2026-11-01'],
    ['the month before', counted(5n), '2026-10-31'],
  ])('give back what was counted on %s', (_when, expected, on) => {
    expect(release(counted(5n), 5n, on)).toEqual(expected);
  });
});

describe('the resets', () => {
  it.each([
    ['2026-11-02', '2026-11-03', '2026-12'],
    ['2026-11-30', '2026-12-01', '2026-12'],
    ['2026-12-31', '2027-01-01', '2027-01'],
    ['2028-02-28', '2028-02-29', '2028-03'],
    ['2028-02-29', '2028-03-01', '2028-03'],
  ])('on %s are due on %s and in %s', (day, dailyResetDate, monthlyResetMonth) => {
    expect(resetsOf(usageOf({ day }))).toEqual({ dailyResetDate, monthlyResetMonth });
  });
});

/** What was reserved and not released, with the day on which it was counted. */
type Kept = { readonly spend: bigint; readonly on: string };

const step = fc.record({
  hours: fc.integer({ min: -30, max: 400 }),
  spend: fc.bigInt({ min: 0n, max: 1_000n }),
  releases: fc.boolean(),
});

describe('the counters after any sequence of reservations and releases', () => {
  it('are the sums of what is still reserved', () =>
    holds(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let at = morning;
        let usage = noUsage(at);
        let kept: Kept[] = [];
        for (const { hours, spend, releases } of steps) {
          at = new Date(at.getTime() + hours * 3_600_000);
          const [oldest, ...rest] = kept;
          if (releases && oldest) {
            usage = release(usage, oldest.spend, oldest.on);
            kept = rest;
          } else {
            usage = reserve(usage, spend, at);
            kept.push({ spend, on: usage.day });
          }
          const today = kept.filter(({ on }) => on === usage.day);
          const month = kept.filter(({ on }) => on.slice(0, 7) === usage.day.slice(0, 7));
          const sum = (all: readonly Kept[]) => all.reduce((total, one) => total + one.spend, 0n);
          expect(usage).toEqual({
            day: usage.day,
            dailyTransactionCount: today.length,
            dailySpend: sum(today),
            monthlySpend: sum(month),
          });
        }
      }),
    ));
});
