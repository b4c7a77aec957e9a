import { describe, expect, it } from 'vitest';
import { newestEvery } from '../../../src/infrastructure/scheduling/newest.ts';

const longMs = 3_600_000;

function watched() {
  const handed: number[] = [];
  return { handed, ...newestEvery(longMs, async (item: number) => void handed.push(item)) };
}

describe('the newest of what is given', () => {
  it('is handed over at once', () => {
    const { handed, give } = watched();
    give(1);
    expect(handed).toEqual([1]);
  });

  it('drops what was overtaken', async () => {
    const { handed, give, close } = watched();
    for (const item of [1, 2, 3]) give(item);
    await close();
    expect(handed).toEqual([1, 3]);
  });

  it('is handed over at once again after a close', async () => {
    const { handed, give, close } = watched();
    for (const item of [1, 2]) give(item);
    await close();
    give(3);
    expect(handed).toEqual([1, 2, 3]);
  });

  it('waits for what was handed over before', async () => {
    const handed: number[] = [];
    const first = Promise.withResolvers<void>();
    const { give, close } = newestEvery(0, async (item: number) => {
      handed.push(item);
      if (item === 1) await first.promise;
    });
    for (const item of [1, 2]) give(item);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(handed).toEqual([1]);
    const closed = close();
    give(3);
    first.resolve();
    await closed;
    expect(handed).toEqual([1, 3]);
  });
});
