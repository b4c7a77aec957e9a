import { describe, expect, it } from 'vitest';
import { doubledMs, pauseMs } from '../../src/kernel/backoff.ts';

const bounds = { minMs: 100, maxMs: 10_000 };

describe('a pause after failures', () => {
  it('doubles up to its bound, however many there were', () => {
    const waits = [1, 2, 3, 7, 8, 9, 1_000_000].map((failures) => doubledMs(failures, bounds));
    expect(waits).toEqual([100, 200, 400, 6_400, 10_000, 10_000, 10_000]);
  });

  it('is drawn from its upper half', () => {
    expect([pauseMs(3, bounds, 0), pauseMs(3, bounds, 0.5), pauseMs(3, bounds, 1)]).toEqual([200, 300, 400]);
  });

  it('differs among those that failed together', () => {
    const drawn = Array.from({ length: 100 }, () => pauseMs(5, bounds));
    expect(new Set(drawn).size).toBeGreaterThan(90);
    expect(drawn.filter((ms) => ms < 800 || ms > 1_600)).toEqual([]);
  });
});
