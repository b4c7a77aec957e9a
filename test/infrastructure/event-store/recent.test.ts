import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import {
  keepRecent,
  keptBytesMax,
  keptMax,
  type Recent,
} from '../../../src/infrastructure/event-store/postgres/recent.ts';

const eventsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_one, n) => ({ position: BigInt(first + n) }) as StoredEvent);
const positions = (events: readonly StoredEvent[]) => events.map(({ position }) => Number(position));

/** Somebody who follows from a position on; `at` is what is kept for them after it. */
function aFollower(recent: Recent, from: bigint) {
  const follower = recent.follow();
  const at = (position: bigint, most = 10_000) => positions(follower.after(position, most));
  at(from);
  return { at, leave: follower.leave, follower };
}

describe('the newest events that a process knows', () => {
  it('are those after a position, among so many positions', () => {
    const recent = keepRecent();
    const { at } = aFollower(recent, 4n);
    recent.add(eventsFrom(5, 4), 400);
    expect(at(5n, 2)).toEqual([6, 7]);
    expect(at(3n, 2)).toEqual([5]);
    expect(at(8n)).toEqual([]);
    expect(at(9n)).toEqual([]);
  });

  it("are this process' own on both sides of what others have written in between", () => {
    const recent = keepRecent();
    const { at } = aFollower(recent, 0n);
    recent.add(eventsFrom(1, 2), 200);
    recent.add(eventsFrom(4, 1), 100);
    expect(at(0n)).toEqual([1, 2, 4]);
    expect(recent.newest()).toBe(4n);
  });

  it('are kept of what one has read for the others, until they have come so far', () => {
    const recent = keepRecent();
    const [quick, slow] = [aFollower(recent, 0n), aFollower(recent, 0n)];
    recent.add(eventsFrom(3, 2), 200);
    expect(recent.learn(eventsFrom(1, 4), quick.follower)).toBe(false);
    expect(slow.at(0n)).toEqual([1, 2, 3, 4]);
    expect(recent.learn(eventsFrom(5, 200), quick.follower)).toBe(true);
    quick.at(204n);
    slow.at(204n);
    recent.add(eventsFrom(205, 1), 1);
    expect(slow.at(0n)).toEqual([205]);
  });

  it.each([
    ['as it is', 3, 2],
    ['in part', 4, 1],
    ['with what others have added after it', 3, 4],
    ['with what others have added before it', 1, 4],
  ])('are kept once where one has read them before the process knows of them: %s', (_how, first, count) => {
    const recent = keepRecent();
    const [quick, slow] = [aFollower(recent, 0n), aFollower(recent, 0n)];
    recent.learn(eventsFrom(first, count), quick.follower);
    recent.add(eventsFrom(3, 2), 200);
    const all = new Set([3, 4, ...positions(eventsFrom(first, count))]);
    expect(slow.at(0n)).toEqual([...all].toSorted((one, other) => one - other));
  });

  it('are not kept of what one has read where nobody else is about to ask', () => {
    const recent = keepRecent();
    const [near, far] = [aFollower(recent, 10_000n), aFollower(recent, 0n)];
    recent.learn(eventsFrom(10_001, 5), near.follower);
    expect(far.at(10_000n)).toEqual([]);
  });

  it('are heard of once', () => {
    const recent = keepRecent();
    recent.add(eventsFrom(1, 5), 5);
    expect([recent.hear(5n), recent.hear(6n), recent.hear(6n)]).toEqual([false, true, false]);
  });

  it('are kept until the slowest has seen them', () => {
    const recent = keepRecent();
    const [quick, slow] = [aFollower(recent, 0n), aFollower(recent, 0n)];
    recent.add(eventsFrom(1, 1_000), 1_000);
    expect(quick.at(1_000n)).toEqual([]);
    recent.add(eventsFrom(1_001, 1), 1);
    expect(slow.at(0n).length).toBe(1_001);
    expect(slow.at(1_000n)).toEqual([1_001]);
    recent.add(eventsFrom(1_002, 1), 1);
    expect(quick.at(1_000n)).toEqual([1_001, 1_002]);
    // What all have seen only the database knows.
    expect(slow.at(0n)).toEqual([1_001, 1_002]);
  });

  it('are there for one who was further behind, as soon as it has come so far', () => {
    const recent = keepRecent();
    const [near, far] = [aFollower(recent, 1_000n), aFollower(recent, 0n)];
    recent.add(eventsFrom(1_001, 500), 500);
    near.at(1_500n);
    recent.add(eventsFrom(1_501, 500), 500);
    expect(far.at(1_000n).length).toBe(1_000);
  });

  it('are not kept for one who has left, or was never there', () => {
    const recent = keepRecent();
    const [near, far] = [aFollower(recent, 0n), aFollower(recent, 0n)];
    recent.add(eventsFrom(1, 1_000), 1_000);
    near.at(1_000n);
    far.leave();
    recent.add(eventsFrom(1_001, 1), 1);
    expect(near.at(0n)).toEqual([1_001]);

    const unread = keepRecent();
    unread.add(eventsFrom(1, 1_000), 1_000);
    expect(aFollower(unread, 0n).at(0n)).toEqual([]);
  });

  it('are so many at most', () => {
    const recent = keepRecent();
    const { at } = aFollower(recent, 0n);
    recent.add(eventsFrom(1, 2 * keptMax + 1), 1);
    expect(at(0n).length).toBe(keptMax);
    expect(at(0n)[0]).toBe(keptMax + 2);
  });

  it('are so many bytes at most', () => {
    const recent = keepRecent();
    const { at } = aFollower(recent, 0n);
    recent.add(eventsFrom(1, 2), keptBytesMax / 2);
    recent.add(eventsFrom(3, 2), keptBytesMax / 2);
    expect(at(0n)).toEqual([1, 2, 3, 4]);
    recent.add(eventsFrom(5, 1), 1);
    expect(at(0n)).toEqual([5]);
  });
});
