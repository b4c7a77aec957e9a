import { describe, expect, it } from 'vitest';
import { idOf } from '../../../src/kernel/ids.ts';
import { createLines, perPlatformMax } from '../../../src/workers/webhooks/lines.ts';
import { uuidNumber } from '../../support/ids.ts';

const [ours, theirs] = [idOf('Platform', uuidNumber(1)), idOf('Platform', uuidNumber(2))];
const times = (count: number, id = ours) => Array.from({ length: count }, () => id);

describe('the room for calls', () => {
  it('is the usual one for a platform of which nothing is known', () => {
    const { calls, platforms } = createLines().room();
    expect([calls > perPlatformMax, platforms.size]).toEqual([true, 0]);
  });

  it('shrinks with each call, and grows with each that ends', () => {
    const lines = createLines();
    const { calls } = lines.room();
    lines.begun([...times(3), ...times(1, theirs)], lines.room());
    expect(lines.room().calls).toBe(calls - 4);
    expect([...lines.room().platforms.values()]).toEqual([perPlatformMax - 3, perPlatformMax - 1]);
    lines.ended(theirs);
    expect(lines.room().calls).toBe(calls - 3);
    expect(lines.room().platforms.has(theirs)).toBe(false);
  });

  it('is for two calls to a platform that did not answer, until it does', () => {
    const lines = createLines();
    lines.begun(times(8), lines.room());
    lines.answered(ours, false);
    expect(lines.room().platforms.get(ours)).toBe(0);
    for (const one of times(8)) lines.ended(one);
    expect(lines.room().platforms.get(ours)).toBe(2);
    lines.answered(ours, true);
    expect(lines.room().platforms.get(ours)).toBeUndefined();
  });
});

describe('a call that ends', () => {
  it('is followed by a look only where there may be more than was claimed', () => {
    const lines = createLines();
    lines.begun(times(perPlatformMax - 1), lines.room());
    expect(times(perPlatformMax - 1).map((one) => lines.ended(one))).not.toContain(true);
  });

  it('is followed by a look once a good part of the room is free again', () => {
    const lines = createLines();
    lines.begun([...times(perPlatformMax), ...times(1, theirs)], lines.room());
    expect(lines.ended(theirs)).toBe(false);
    const looks = times(perPlatformMax).map((one) => lines.ended(one));
    expect(looks.indexOf(true)).toBe(perPlatformMax / 4 - 1);
  });

  it('makes room in all when all of it was taken', () => {
    const lines = createLines();
    const { calls } = lines.room();
    const ids = Array.from({ length: calls }, (_one, n) => idOf('Platform', uuidNumber(n)));
    lines.begun(ids, lines.room());
    expect(lines.room().calls).toBe(0);
    const looks = ids.map((one) => lines.ended(one));
    expect(looks.indexOf(true)).toBe(calls / 4 - 1);
  });
});
