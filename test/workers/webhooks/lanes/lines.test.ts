import { describe, expect, it } from 'vitest';
import { idOf } from '../../../../src/kernel/ids.ts';
import { type Lane, unknownLane } from '../../../../src/workers/webhooks/lanes/lane.ts';
import { bounds, createLines } from '../../../../src/workers/webhooks/lanes/lines.ts';
import { uuidNumber } from '../../../support/values/ids.ts';

const [ours, theirs] = [idOf('Platform', uuidNumber(1)), idOf('Platform', uuidNumber(2))];
const prompt: Lane = { ...unknownLane, pace: 'prompt' };
const times = (count: number, platformId = ours, lane = prompt) =>
  Array.from({ length: count }, () => ({ platformId, lane }));
const { promptMax, othersMax, limits } = bounds.notices;

/** Lines with calls under way. */
function linesWith(...begun: Parameters<ReturnType<typeof createLines>['begun']>[0]) {
  const lines = createLines('notices');
  lines.begun(begun, lines.room());
  return lines;
}

describe('the room for calls', () => {
  it('shrinks with each call, and grows with each that ends', () => {
    const lines = linesWith(...times(3), ...times(1, theirs));
    expect(lines.room().prompt).toBe(promptMax - 4);
    expect([...lines.room().busy.values()].map(({ calls }) => calls)).toEqual([3, 1]);
    lines.ended(theirs, false);
    expect(lines.room().prompt).toBe(promptMax - 3);
    expect(lines.room().busy.has(theirs)).toBe(false);
  });

  it('for endpoints that answer is not taken by those that are not known to', () => {
    const lines = linesWith(...times(othersMax, theirs, unknownLane));
    expect(lines.room()).toMatchObject({ prompt: promptMax, others: 0 });
  });

  it('is given back by an endpoint whose calls begin to take long', () => {
    const lines = linesWith(...times(promptMax));
    expect(lines.room()).toMatchObject({ prompt: 0, others: othersMax });
    expect(lines.slowed(ours)).toBe(true);
    expect(lines.room()).toMatchObject({ prompt: promptMax, others: othersMax - promptMax });
    for (const _one of times(promptMax - 1)) lines.ended(ours, false);
    lines.ended(ours, true);
    expect(lines.room()).toMatchObject({ prompt: promptMax, others: othersMax });
  });

  it('is never less than none', () => {
    const lines = linesWith(...times(promptMax), ...times(othersMax, theirs, unknownLane));
    lines.slowed(ours);
    expect(lines.room().others).toBe(0);
  });
});

describe('what is known of an endpoint', () => {
  it('is told when it changes, and only then', () => {
    const lines = linesWith(...times(2, ours, unknownLane));
    expect(lines.called(ours, { answered: true, latencyMs: 1 }, 0)).toEqual(prompt);
    expect(lines.called(ours, { answered: true, latencyMs: 1 }, 0)).toBeUndefined();
  });

  it('that has no calls under way is nothing', () => {
    expect(linesWith().called(ours, { answered: true, latencyMs: 1 }, 0)).toBeUndefined();
  });
});

describe('a call that ends', () => {
  it('is followed by a look only where there may be more than was claimed', () => {
    const lines = linesWith(...times(limits.prompt - 1));
    expect(times(limits.prompt - 1).map(() => lines.ended(ours, false))).not.toContain(true);
  });

  it('is followed by a look once a good part of the room is free again', () => {
    const lines = linesWith(...times(limits.prompt), ...times(1, theirs));
    expect(lines.ended(theirs, false)).toBe(false);
    const looks = times(limits.prompt).map(() => lines.ended(ours, false));
    expect(looks.indexOf(true)).toBe(limits.prompt / 4 - 1);
  });

  it('is followed by a look where its answer makes more room than there was', () => {
    const lines = linesWith(...times(limits.unknown, ours, unknownLane));
    lines.called(ours, { answered: true, latencyMs: 1 }, 0);
    expect(lines.ended(ours, false)).toBe(true);
  });

  it('makes room in all when all of it was taken', () => {
    const ids = Array.from({ length: promptMax }, (_one, n) => idOf('Platform', uuidNumber(n)));
    const lines = linesWith(...ids.map((platformId) => ({ platformId, lane: prompt })));
    expect(lines.room().prompt).toBe(0);
    const looks = ids.map((one) => lines.ended(one, false));
    expect(looks.indexOf(true)).toBe(promptMax / 4 - 1);
  });
});
