import { describe, expect, it } from 'vitest';
import { describeLimits } from '../../../src/app/cli/describe-limits.ts';
import { bytes, count, duration } from '../../../src/app/cli/limits/page.ts';
import { operations } from '../../../src/app/interface/operations.ts';

const page = describeLimits();

describe('the page of limits', () => {
  it('has no value without a bound', () => expect(page).not.toMatch(/\| (none|undefined|NaN) \|/));

  it('has every operation that takes something', () => {
    const taking = operations.filter(({ params, query, body }) => params ?? query ?? body);
    expect(taking.filter(({ operationId }) => !page.includes(`### ${operationId}\n`))).toEqual([]);
  });

  it('has a place for every schema that it names', () => {
    const named = [...page.matchAll(/\]\(#(\w+)\)/g)].map(([, name]) => name);
    const titles = new Set([...page.matchAll(/^### (\w+)$/gm)].map(([, title]) => title?.toLowerCase()));
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => !titles.has(name))).toEqual([]);
  });

  it.each(['10,000 streams, 512 MiB', '5 in a minute', '5 min;', '16 KiB', '50 entries'])(
    'says %s',
    (bound) => expect(page).toContain(bound),
  );
});

describe('a bound', () => {
  it.each([
    [bytes(1_000), '1,000 bytes'],
    [bytes(2_048), '2 KiB'],
    [bytes(1536 * 1024), '1,536 KiB'],
    [bytes(3 * 1024 ** 3), '3 GiB'],
    [duration(250), '250 ms'],
    [duration(90_000), '90 s'],
    [duration(7_200_000), '2 h'],
    [duration(7 * 86_400_000), '7 d'],
    [count(9_007_199_254_740_993n), '9,007,199,254,740,993'],
  ])('is written %s', (written, expected) => expect(written).toBe(expected));
});
