import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { PassingMap, PassingSet } from '../../src/infrastructure/passing.ts';

setFlagsFromString('--expose-gc');
const collectAll: () => void = runInNewContext('gc');
const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;

const underWay = 32;
const passed = 40_000;
const bytesOfOne = 800;

/** How many bytes have grown old while things of `bytesOfOne` passed, some of them at a time. */
function grownOld(begin: (n: number, one: object) => void, end: (n: number, one: object) => void): number {
  const there: object[] = [];
  let before = 0;
  for (let n = 0; n < passed; n++) {
    if (n === passed / 4) {
      collectAll();
      before = oldBytes();
    }
    const one = { bytes: new Array(bytesOfOne / 8).fill(n) };
    there.push(one);
    begin(n, one);
    const first = n >= underWay ? there.shift() : undefined;
    if (first) end(n - underWay, first);
  }
  return oldBytes() - before;
}

describe('what is there for a moment', () => {
  it('does not grow old with the table that it was in', () => {
    const [map, set] = [new PassingMap<string, object>(), new PassingSet<object>()];
    const most = (passed * bytesOfOne) / 20;
    const ofMap = grownOld(
      (n, one) => map.set(`key-${n}`, one),
      (n) => map.delete(`key-${n}`),
    );
    const ofSet = grownOld(
      (_, one) => set.add(one),
      (_, one) => set.delete(one),
    );
    expect([ofMap < most, ofSet < most]).toEqual([true, true]);
    expect([map.size, set.size]).toEqual([underWay, underWay]);
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
