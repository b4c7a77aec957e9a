import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { createLooks } from '../../src/workers/looks.ts';

const start = new Date('2026-01-01T00:00:00.000Z');
const inMs = (ms: number) => new Date(start.getTime() + ms);
/** When somebody looked, and the moments of jobs, in milliseconds since the start. */
let looked: number[];
let jobs: { readonly id: string; readonly at: number }[];

beforeEach(() => {
  vi.useFakeTimers({ now: start });
  [looked, jobs] = [[], []];
});
afterEach(() => void vi.useRealTimers());

function looksWith(look: () => Promise<unknown> = async () => undefined, looksMax = 2) {
  const now = () => new Date(Date.now());
  return createLooks({
    queue: {
      async add(id, _job, delayMs) {
        jobs.push({ id, at: Date.now() - start.getTime() + delayMs });
      },
    },
    look() {
      looked.push(Date.now() - start.getTime());
      return look();
    },
    looksMax,
    now,
    log: createLog('silent'),
  });
}

describe('what is due', () => {
  it('is looked for when it is, together with what is due in the same tenth of a second', async () => {
    const { lookAt } = looksWith();
    for (const ms of [2_010, 2_050, 2_100, 2_110]) lookAt(inMs(ms));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(looked).toEqual([2_100, 2_200]);
  });

  it('has one job for a second, at the end of it, whatever is due in it', async () => {
    const { lookAt } = looksWith();
    for (let ms = 1; ms <= 3_000; ms++) lookAt(inMs(60_000 + ms));
    expect(jobs.map(({ at }) => at)).toEqual([61_000, 62_000, 63_000]);
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(3);
    await vi.advanceTimersByTimeAsync(63_000);
    expect(looked).toHaveLength(30);
  });

  it('in days has a job alone', async () => {
    const { lookAt } = looksWith();
    lookAt(inMs(40 * 24 * 3_600_000));
    expect(jobs).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is looked for a little later where enough look already', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { lookAt } = looksWith(() => promise, 1);
    lookAt(inMs(1_000));
    lookAt(inMs(2_000));
    await vi.advanceTimersByTimeAsync(2_450);
    expect(looked).toEqual([1_000]);
    resolve();
    await vi.advanceTimersByTimeAsync(100);
    expect(looked).toEqual([1_000, 2_500]);
  });

  it('is looked for after a look that has failed', async () => {
    const { lookAt } = looksWith(() => Promise.reject(new Error('away')), 1);
    lookAt(inMs(1_000));
    lookAt(inMs(2_000));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(looked).toEqual([1_000, 2_000]);
  });

  it('is not looked for after the end', async () => {
    const { lookAt, stop } = looksWith();
    lookAt(inMs(1_000));
    await stop();
    lookAt(inMs(2_000));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(looked).toEqual([]);
  });

  it('has been looked for when the end is over', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { lookAt, stop } = looksWith(() => promise);
    lookAt(inMs(1_000));
    await vi.advanceTimersByTimeAsync(1_000);
    let isOver = false;
    const stopped = stop().then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isOver).toBe(false);
    resolve();
    await stopped;
  });
});
