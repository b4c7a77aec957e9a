import { describe, expect, it } from 'vitest';
import { createPlatformTimes } from '../../../src/infrastructure/clock/platform-times.ts';
import { msLater, steppableClock, testStart } from '../../support/time/clock.ts';

const frozenAt = (platformId: string, ms: number, position: bigint) =>
  ({ platformId, position, standing: { kind: 'frozen', at: msLater(ms) } }) as const;

describe('the time of a platform', () => {
  it("is the installation's until its clock is moved, and seen by nobody else", async () => {
    const clock = steppableClock();
    const times = createPlatformTimes(clock);
    expect(times.isAnyMoved()).toBe(false);
    times.set(frozenAt('a', 500, 1n));
    clock.advance(10);
    expect(times.nowOf('a')).toEqual(msLater(500));
    expect(times.nowOf('b')).toEqual(msLater(10));
    expect(times.now()).toEqual(msLater(10));
    const seen = await times.within('a', async () => {
      await Promise.resolve();
      return [times.now(), times.within('b', () => times.now())];
    });
    expect(seen).toEqual([msLater(500), msLater(10)]);
    expect(times.moved()).toEqual([{ platformId: 'a', at: msLater(500) }]);
  });

  it('runs on ahead, and says when the installation comes to a moment', () => {
    const clock = steppableClock();
    const times = createPlatformTimes(clock);
    times.set({ platformId: 'a', position: 2n, standing: { kind: 'running', aheadMs: 300 } });
    clock.advance(10);
    expect(times.nowOf('a')).toEqual(msLater(310));
    expect(times.installationTime('a', msLater(310))).toEqual(msLater(10));
    expect(times.installationTime('b', testStart)).toEqual(testStart);
    times.set(frozenAt('a', 400, 3n));
    expect(times.installationTime('a', msLater(500))).toBeUndefined();
  });

  it('is not set back by what is told late', () => {
    const times = createPlatformTimes(steppableClock());
    times.set(frozenAt('a', 500, 2n));
    times.set(frozenAt('a', 100, 1n));
    expect(times.nowOf('a')).toEqual(msLater(500));
    times.pass('a', msLater(700));
    times.pass('a', msLater(600));
    times.set(frozenAt('a', 500, 2n));
    expect(times.nowOf('a')).toEqual(msLater(700));
    times.pass('b', msLater(700));
    expect(times.nowOf('b')).toEqual(testStart);
  });
});
