import { describe, expect, it } from 'vitest';
import { settled, together } from '../../src/use-cases/together.ts';

const failing = (message: string, afterMs: number) =>
  new Promise<never>((_resolve, reject) => setTimeout(() => reject(new Error(message)), afterMs));

describe('things that were begun at the same moment', () => {
  it('have all their results', async () => {
    expect(await together(Promise.resolve(1), Promise.resolve('two'))).toEqual([1, 'two']);
  });

  it('fail as the first of them does, whichever fails soonest', async () => {
    await expect(together(failing('first', 10), failing('second', 0))).rejects.toThrow('first');
  });
});

describe('one that has settled', () => {
  it('gives its result when it is wanted', async () => {
    expect((await settled(Promise.resolve(7)))()).toBe(7);
  });

  it('throws when it is wanted, and not before', async () => {
    const result = await settled(failing('too late', 0));
    expect(result).toThrow('too late');
  });
});
