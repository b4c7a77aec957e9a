import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgress } from '../../../src/infrastructure/event-store/progress.ts';

const never = 2_147_483_647;

describe('the progress of the read models', () => {
  it('lets those pass at once who wait for what is there', async () => {
    const progress = createProgress();
    progress.passed(7n);
    expect(await Promise.all([1n, 6n, 7n].map((at) => progress.waitFor(at, never)))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('lets those pass, when it gets there, who wait for no more', async () => {
    const progress = createProgress();
    const order: bigint[] = [];
    const all = [9n, 3n, 5n].map((at) => progress.waitFor(at, never).then(() => order.push(at)));
    progress.passed(5n);
    await Promise.all(all.slice(1));
    expect(order).toEqual([3n, 5n]);
    progress.passed(10n);
    await all[0];
    expect(order).toEqual([3n, 5n, 9n]);
  });

  it('gives up after the time allowed', async () => {
    const progress = createProgress();
    progress.passed(4n);
    expect(await progress.waitFor(5n, 1)).toBe(false);
  });

  it('never goes back', async () => {
    const progress = createProgress();
    progress.passed(8n);
    progress.passed(2n);
    expect(await progress.waitFor(8n, 0)).toBe(true);
  });
});

describe('read models whose server went down', () => {
  it('show nothing for certain until it is said how far they have come', async () => {
    const progress = createProgress();
    progress.passed(8n);
    progress.unsure();
    expect(await progress.waitFor(3n, 1)).toBe(false);
    progress.passed(5n);
    expect(await progress.waitFor(5n, 0)).toBe(true);
  });

  it('are restored once they show all that they had shown', async () => {
    const progress = createProgress();
    expect(progress.hasLost()).toBe(false);
    progress.passed(8n);
    progress.unsure();
    progress.passed(5n);
    expect([progress.hasLost(), await progress.restored(1)]).toEqual([true, false]);
    const restored = progress.restored(never);
    progress.passed(9n);
    expect([progress.hasLost(), await restored]).toEqual([false, true]);
  });

  it('owe to a process that has just started what they showed before it', async () => {
    const progress = createProgress();
    progress.owe(8n);
    expect([progress.hasLost(), await progress.restored(1)]).toEqual([true, false]);
    progress.owe(3n);
    progress.passed(5n);
    expect(progress.hasLost()).toBe(true);
    progress.passed(8n);
    expect(progress.hasLost()).toBe(false);
  });
});

describe('how far the read models are behind those who wait', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('is nothing where nobody waits', () => {
    const progress = createProgress();
    progress.passed(1n);
    expect(progress.behindMs()).toBe(0);
  });

  it('is what the longest of them has waited', () => {
    const progress = createProgress();
    void progress.waitFor(9n, 60_000);
    vi.advanceTimersByTime(300);
    void progress.waitFor(12n, 60_000);
    vi.advanceTimersByTime(200);
    progress.passed(5n);
    expect(progress.behindMs()).toBe(500);
    progress.passed(10n);
    expect(progress.behindMs()).toBe(200);
    progress.passed(12n);
    expect(progress.behindMs()).toBe(0);
  });

  it('is nothing where nobody keeps them up to date', () => {
    const progress = createProgress();
    progress.passed(1n);
    void progress.waitFor(9n, 60_000);
    vi.advanceTimersByTime(1_001);
    expect(progress.behindMs()).toBe(0);
    progress.passed(2n);
    expect(progress.behindMs()).toBe(1_001);
  });
});
