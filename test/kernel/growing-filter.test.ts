import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { filterBytesMax, GrowingFilter } from '../../src/kernel/growing-filter.ts';

const keys = (count: number, of = 'key') => Array.from({ length: count }, (_, n) => `${of}-${n}`);
const filled = (count: number) => {
  const filter = new GrowingFilter();
  for (const key of keys(count)) filter.add(key);
  return filter;
};

describe('a filter that grows', () => {
  it('has every key that was added, and seldom takes another for one of them', () => {
    const filter = filled(200_000);
    expect(keys(200_000).filter((key) => !filter.mayHave(key))).toEqual([]);
    expect(keys(10_000, 'other').filter((key) => filter.mayHave(key)).length).toBeLessThan(50);
  });

  it('takes little while its keys are few, and never more than its bound', () => {
    expect([new GrowingFilter().bytes, filled(500).bytes]).toEqual([0, 2_048]);
    const full = filled(2_900_000);
    expect(full.bytes).toBeLessThanOrEqual(filterBytesMax);
    expect(full.mayHave('never added')).toBe(true);
    // Also after a restart: what came when there was no room is in no part.
    expect(GrowingFilter.of(full.unsaved()).mayHave('never added')).toBe(true);
  });

  it('is the same when its parts are put together again', () => {
    const before = filled(5_000);
    const saved = before.unsaved();
    before.saved();
    for (const key of keys(3_000, 'later')) before.add(key);
    const parts = new Map([...saved, ...before.unsaved()].map((part) => [part.n, part]));
    const after = GrowingFilter.of([...parts.values()]);
    expect([...keys(5_000), ...keys(3_000, 'later')].filter((key) => !after.mayHave(key))).toEqual([]);
    expect([after.bytes, after.parts]).toEqual([before.bytes, before.parts]);
    expect(before.unsaved().length).toBeLessThan(before.parts);
  });

  it('does not fill up with keys that come again and again', () => {
    const filter = filled(5_000);
    const { bytes } = filter;
    for (let time = 0; time < 100; time++) for (const key of keys(500)) filter.add(key);
    expect(filter.bytes).toBe(bytes);
  });

  /**
   * Filters are stored, and the next version of the code looks keys up in them. Where this changes, the closings that
   * have the old ones must not be read any more: `version` of every kind in `src/domain/closings.ts` changes with it.
   */
  it('sets the bits that it has always set', () => {
    const [part] = filled(100).unsaved();
    const digest = createHash('sha256')
      .update(part?.words ?? '')
      .digest('hex');
    expect(digest.slice(0, 16)).toBe('88f8cf104ade0022');
  });

  it('is not made of parts of which one is missing', () => {
    const [, ...others] = filled(5_000).unsaved();
    expect(() => GrowingFilter.of(others)).toThrow(RangeError);
  });
});
