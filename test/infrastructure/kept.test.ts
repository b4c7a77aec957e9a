import { describe, expect, it } from 'vitest';
import { kept } from '../../src/infrastructure/observe/kept.ts';

describe('what is kept for a while', () => {
  it('is made once for all who ask at the same time', async () => {
    let made = 0;
    const ask = kept(0, async () => ++made);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  });

  it('is made once for all who ask while it is kept', async () => {
    let made = 0;
    const ask = kept(3_600_000, async () => ++made);
    expect([await ask(), await ask()]).toEqual([1, 1]);
  });

  it('is made anew when it is too old', async () => {
    let made = 0;
    const ask = kept(-1, async () => ++made);
    expect([await ask(), await ask()]).toEqual([1, 2]);
  });

  it('is made anew after it could not be made', async () => {
    let made = 0;
    const ask = kept(3_600_000, async () => {
      made += 1;
      if (made === 1) throw new Error('not now');
      return made;
    });
    await expect(ask()).rejects.toThrow('not now');
    expect(await ask()).toBe(2);
  });
});
