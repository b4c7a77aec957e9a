import { describe, expect, it } from 'vitest';
import { PassingMap, PassingSet } from '../../../src/infrastructure/remembered/passing.ts';
import { measured } from '../../support/processes/measured.ts';

describe('what is there for a moment', () => {
  it('does not grow old with the table that it was in', async () => {
    // A small space for what is young: the same bytes grow old each time.
    const grown = await measured('grown-old.ts', ['--max-semi-space-size=1']);
    const much = grown.allBytes / 20;
    for (const bytes of grown.passing) expect(bytes).toBeLessThan(much);
    for (const bytes of grown.plain) expect(bytes).toBeGreaterThan(much);
    expect(grown.left).toEqual([32, 32]);
  });

  it('is found, in its order, until it is deleted', () => {
    const map = new PassingMap<number, string>();
    for (let n = 0; n < 1_000; n++) {
      map.set(n, `${n}`);
      map.set(n, `again ${n}`);
      if (n >= 10) expect(map.delete(n - 10)).toBe(true);
    }
    expect([...map.values()]).toEqual(Array.from({ length: 10 }, (_, n) => `again ${990 + n}`));
    expect([map.has(989), map.get(989), map.delete(989), map.size]).toEqual([false, undefined, false, 10]);
    expect([map.has(999), map.get(999)]).toEqual([true, 'again 999']);
  });

  it('may be deleted by who goes through it', () => {
    const set = new PassingSet<number>();
    for (let n = 0; n < 100; n++) set.add(n);
    const seen: number[] = [];
    for (const n of set) {
      seen.push(n);
      expect(set.delete(n)).toBe(true);
    }
    expect([seen.length, set.size, [...set.values()]]).toEqual([100, 0, []]);
  });
});
