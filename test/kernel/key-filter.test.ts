import { describe, expect, it } from 'vitest';
import { systemIds } from '../../src/kernel/ids.ts';
import { keyFilter } from '../../src/kernel/key-filter.ts';

const some = (count: number) => Array.from({ length: count }, () => `transactions ${systemIds.uuid()}`);

describe('a filter of keys', () => {
  it('has nothing at first', () => {
    const filter = keyFilter();
    expect(some(100).filter(filter.mayHave)).toEqual([]);
  });

  it('has every key that was added', () => {
    const [filter, keys] = [keyFilter(12), some(10_000)];
    for (const key of keys) filter.add(key);
    expect(keys.filter((key) => !filter.mayHave(key))).toEqual([]);
  });

  it('seldom takes another key for one of them', () => {
    const filter = keyFilter(20);
    for (const key of some(50_000)) filter.add(key);
    // Four of 2^20 bits for each key: one in 1,000 others meets bits that are all set.
    expect(some(10_000).filter(filter.mayHave).length).toBeLessThan(100);
  });
});
