/**
 * Prints how many bytes have grown old while things passed through a map and a set of each kind, as JSON. A process of its
 * own: the heap of one that runs tests is also what other tests have left in it.
 */
import { getHeapSpaceStatistics } from 'node:v8';
import { PassingMap, PassingSet } from '../../../src/infrastructure/remembered/passing.ts';
import { collectAll } from './garbage.ts';

const underWay = 32;
const passed = 40_000;
const bytesOfOne = 800;

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;

/** What has grown old while things of `bytesOfOne` passed, some of them at a time. */
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

const throughMap = (map: Pick<Map<string, object>, 'delete'> & { set(key: string, one: object): unknown }) =>
  grownOld(
    (n, one) => map.set(`key-${n}`, one),
    (n) => map.delete(`key-${n}`),
  );
const throughSet = (set: Pick<Set<object>, 'delete'> & { add(one: object): unknown }) =>
  grownOld(
    (_, one) => set.add(one),
    (_, one) => set.delete(one),
  );

const passing = [new PassingMap<string, object>(), new PassingSet<object>()] as const;
process.stdout.write(
  JSON.stringify({
    passing: [throughMap(passing[0]), throughSet(passing[1])],
    plain: [throughMap(new Map()), throughSet(new Set())],
    left: passing.map(({ size }) => size),
    allBytes: passed * bytesOfOne,
  }),
);
