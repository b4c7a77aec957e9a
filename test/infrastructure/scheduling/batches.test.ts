import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { askedTogether, inBatches } from '../../../src/infrastructure/scheduling/batches.ts';

const numbers = (count: number) => Array.from({ length: count }, (_one, n) => n);

describe('batches', () => {
  it('take what came in one turn of the event loop, up to a most', async () => {
    const sizes: number[] = [];
    const give = inBatches<number>(8, async (items) => void sizes.push(items.length));
    for (const n of numbers(20)) give(n);
    await sleep(50);
    expect(sizes).toEqual([8, 8, 4]);
  });

  /** Whether another turn of the event loop has begun before each batch after the first. */
  async function turnsBefore(count: number): Promise<readonly boolean[]> {
    const turned: boolean[] = [];
    let hasTurned = false;
    const give = inBatches<number>(8, async () => {
      turned.push(hasTurned);
      setImmediate(() => {
        hasTurned = true;
      });
    });
    for (const n of numbers(count)) give(n);
    await sleep(50);
    return turned.slice(1);
  }

  it('wait after one of many for those who come next', async () => {
    expect(await turnsBefore(9)).toEqual([true]);
  });

  it('wait for nobody where as many are there already', async () => {
    expect(await turnsBefore(16)).toEqual([false]);
  });
});

describe('questions that are asked together', () => {
  it('get each their own answer', async () => {
    const asked: (readonly number[])[] = [];
    const double = askedTogether<number, number>(3, async (questions) => {
      asked.push(questions);
      return questions.map((n) => 2 * n);
    });
    expect(await Promise.all(numbers(5).map(double))).toEqual([0, 2, 4, 6, 8]);
    expect(asked).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
  });

  it('are all refused with the same error, and those after them are not', async () => {
    let isBroken = true;
    const ask = askedTogether<number, number>(8, async (questions) => {
      if (isBroken) throw new Error('broken');
      return questions;
    });
    await expect(
      Promise.all(numbers(2).map((n) => expect(ask(n)).rejects.toThrow('broken'))),
    ).resolves.toBeDefined();
    isBroken = false;
    expect(await ask(7)).toBe(7);
  });
});
