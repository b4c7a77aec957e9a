import { describe, expect, it } from 'vitest';
import { isId, seededIds } from '../../src/kernel/ids.ts';

const { seeded } = seededIds('a seed', '1');
const other = seededIds('another', '1').seeded;
const later = seededIds('a seed', '2').seeded;

describe('identifiers that follow from a seed', () => {
  it('are the same for the same parts, and differ by seed, run and part', () => {
    const uuid = seeded.named('a', 'b');
    expect(isId('Quote', `Quote:${uuid}`)).toBe(true);
    expect(seededIds('a seed', '1').seeded.named('a', 'b')).toBe(uuid);
    const others = [seeded.named('ab'), seeded.named('a', 'c'), other.named('a', 'b'), later.named('a', 'b')];
    expect(new Set([uuid, ...others]).size).toBe(5);
  });

  it('count what is asked for again, whatever else is asked for meanwhile', () => {
    const alone = seededIds('a seed', '1').seeded;
    const post = ['request', 'POST', '/quotes'] as const;
    const expected = [alone.next(...post), alone.next(...post)];
    const busy = seededIds('a seed', '1').seeded;
    const first = busy.next(...post);
    for (let n = 0; n < 20; n++) busy.next('request', 'GET', '/quotes');
    expect([first, busy.next(...post)]).toEqual(expected);
    expect(new Set(expected).size).toBe(2);
  });

  it('never repeat, though counts are shared', () => {
    const { uuid, seeded: own } = seededIds('a seed', '1');
    const made = Array.from({ length: 70_000 }, (_, n) => (n % 2 ? uuid() : own.next('request', String(n))));
    expect(new Set(made).size).toBe(made.length);
  });

  it('have a mark that other runs have too', () => {
    expect(later.mark).toBe(seeded.mark);
    expect(other.mark).not.toBe(seeded.mark);
  });
});
