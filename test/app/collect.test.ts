import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collectOnceAtRest, lookEveryMs, looksMax, restBelow } from '../../src/app/start/collect.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** How often a process collects in an hour that is busy for these shares of its first seconds, and then for the last of them. */
function collections(...shares: readonly number[]): number {
  let seconds = 0;
  const collect = vi.fn();
  collectOnceAtRest({ busy: () => shares[Math.min(seconds++, shares.length - 1)] ?? 0, collect });
  vi.advanceTimersByTime(3_600_000);
  expect(vi.getTimerCount()).toBe(0);
  return collect.mock.calls.length;
}

describe('what a start leaves in memory', () => {
  it('is collected once, when nobody waits', () => {
    expect(collections(0)).toBe(1);
    expect(collections(1, 0.5, restBelow, 0)).toBe(1);
    expect(collections(0, 1, 0)).toBe(1);
  });

  it('is left to the engine where work came first and has not ended in a minute', () => {
    const busy = (seconds: number) => Array.from({ length: seconds }, () => 1);
    expect(collections(...busy(looksMax - 1), 0)).toBe(1);
    expect(collections(...busy(looksMax), 0)).toBe(0);
  });

  it('is left to the engine where that does not offer it', () => {
    collectOnceAtRest({ busy: () => 0, collect: undefined });
    vi.advanceTimersByTime(lookEveryMs);
    expect(vi.getTimerCount()).toBe(0);
  });
});
