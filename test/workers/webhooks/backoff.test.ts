import { describe, expect, it } from 'vitest';
import { nextAttemptAt, parseRetryAfter, retryDelayMs } from '../../../src/workers/webhooks/backoff.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

describe('the time until the next call', () => {
  it('is 5 s, doubles, and is never more than 30 min', () => {
    const seconds = Array.from({ length: 12 }, (_, n) => retryDelayMs(n) / 1000);
    expect(seconds).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 1800, 1800, 1800]);
    expect(retryDelayMs(100_000)).toBe(1_800_000);
  });

  const week = 7 * 24 * 3_600_000;
  it.each<[number, number | undefined, number | undefined]>([
    [0, undefined, 5_000],
    [0, 60_000, 60_000],
    [3, 1_000, 40_000],
    [0, 48 * 3_600_000, 24 * 3_600_000],
    [0, Number.POSITIVE_INFINITY, 24 * 3_600_000],
  ])('after %i retries with Retry-After %s is %s ms', (retries, retryAfterMs, expected) => {
    const at = nextAttemptAt({ retries, since: testStart, now: testStart, retryAfterMs });
    expect(at?.getTime()).toBe(testStart.getTime() + (expected ?? 0));
  });

  it('does not reach beyond 7 days', () => {
    const since = testStart;
    const at = (ms: number) => nextAttemptAt({ retries: 20, since, now: msLater(ms) });
    expect(at(week - 1_800_000)).toEqual(msLater(week));
    expect(at(week - 1_799_999)).toBeUndefined();
  });
});

describe('Retry-After', () => {
  it.each<[string | undefined, number | undefined]>([
    ['120', 120_000],
    [' 0 ', 0],
    [msLater(90_000).toUTCString(), 90_000],
    [msLater(-90_000).toUTCString(), 0],
    ['99999999999', 99_999_999_999_000],
    ['9'.repeat(400), Number.POSITIVE_INFINITY],
    ['soon', undefined],
    ['-1', undefined],
    [undefined, undefined],
  ])('%j means %s ms', (header, expected) => {
    expect(parseRetryAfter(header, testStart)).toBe(expected);
  });
});
