import { describe, expect, it } from 'vitest';
import { turnsOf } from '../../../src/infrastructure/scheduling/turns-by-key.ts';

/** Work that ends when it is told to. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { work: () => promise, end: resolve, fail: reject };
}
const turns = () =>
  turnsOf<string>({ ofOneMax: 2, inAllMax: 3, refusal: () => new RangeError('one too many') });

describe('turns', () => {
  it('are taken one after the other by a key, and side by side by several', async () => {
    const inTurn = turns();
    const [first, seen] = [held(), [] as string[]];
    const one = inTurn('a', first.work);
    const two = inTurn('a', async () => void seen.push('second'));
    await inTurn('b', async () => void seen.push('other'));
    expect(seen).toEqual(['other']);
    first.end('done');
    expect(await one).toBe('done');
    await two;
    expect(seen).toEqual(['other', 'second']);
  });

  it('are refused beyond the bound of a key, and beyond that of all, until one ends', async () => {
    const inTurn = turns();
    const work = [held(), held(), held()] as const;
    const under = [inTurn('a', work[0].work), inTurn('a', work[1].work), inTurn('b', work[2].work)];
    await expect(inTurn('a', async () => 'x')).rejects.toThrow('one too many');
    await expect(inTurn('c', async () => 'x')).rejects.toThrow('one too many');
    work[2].end('');
    await under[2];
    expect(await inTurn('c', async () => 'x')).toBe('x');
    await expect(inTurn('a', async () => 'x')).rejects.toThrow('one too many');
    for (const { end } of work) end('');
    await Promise.all(under);
    expect(await inTurn('a', async () => 'x')).toBe('x');
  });

  it('come after work that failed', async () => {
    const inTurn = turns();
    const first = held();
    const one = inTurn('a', first.work);
    const two = inTurn('a', async () => 'next');
    first.fail(new Error('broken'));
    await expect(one).rejects.toThrow('broken');
    expect(await two).toBe('next');
  });
});
