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
const positions = (events: readonly StoredEvent[] | undefined) =>
  events?.map(({ position }) => Number(position));

/** Somebody who follows from a position on; `at` is what is kept for them after it. */
function aFollower(recent: Recent, from: bigint) {
  const follower = recent.follow();
  const at = (position: bigint, most = 10_000) => positions(follower.after(position, most));
  at(from);
  return { at, leave: follower.leave };
}

describe('the newest events of a process', () => {
  it('are those right after a position', () => {
    const recent = keepRecent();
    const { at } = aFollower(recent, 4n);
    recent.add(eventsFrom(5, 4), 400);
    expect(at(5n, 2)).toEqual([6, 7]);
    expect(at(8n)).toEqual([]);
    expect(at(3n)).toBeUndefined();
    expect(at(9n)).toBeUndefined();
  });

  it('begin anew where others have written in between', () => {
    const recent = keepRecent();
    const { at } = aFollower(recent, 0n);
    recent.add(eventsFrom(1, 2), 200);
    recent.add(eventsFrom(4, 1), 100);
    expect([recent.has(2n), recent.has(4n)]).toEqual([false, true]);
    expect(at(0n)).toBeUndefined();
    expect(at(3n)).toEqual([4]);
  });

  it('are kept until the slowest has seen them', () => {
    const recent = keepRecent();
    const [quick, slow] = [aFollower(recent, 0n), aFollower(recent, 0n)];
    recent.add(eventsFrom(1, 1_000), 1_000);
    expect(quick.at(1_000n)).toEqual([]);
    recent.add(eventsFrom(1_001, 1), 1);
    expect(slow.at(0n)?.length).toBe(1_001);
    expect(slow.at(1_000n)).toEqual([1_001]);
    recent.add(eventsFrom(1_002, 1), 1);
    expect(quick.at(1_000n)).toEqual([1_001, 1_002]);
    // What all have seen only the database knows; it stays this process's own.
    expect(slow.at(999n)).toBeUndefined();
    expect(recent.has(1n)).toBe(true);
  });

  it('are there for one who was further behind, as soon as it has come so far', () => {
    const recent = keepRecent();
    const [near, far] = [aFollower(recent, 1_000n), aFollower(recent, 0n)];
    recent.add(eventsFrom(1_001, 500), 500);
    near.at(1_500n);
    recent.add(eventsFrom(1_501, 500), 500);
    expect(far.at(1_000n)?.length).toBe(1_000);
  });

  it('are not kept for one who has left, or was never there', () => {
    const recent = keepRecent();
    const [near, far] = [aFollower(recent, 0n), aFollower(recent, 0n)];
    recent.add(eventsFrom(1, 1_000), 1_000);
    near.at(1_000n);
    far.leave();
    recent.add(eventsFrom(1_001, 1), 1);
    expect(near.at(999n)).toBeUndefined();
    expect(near.at(1_000n)).toEqual([1_001]);

    const unread = keepRecent();
    unread.add(eventsFrom(1, 1_000), 1_000);
    expect(aFollower(unread, 999n).at(999n)).toBeUndefined();
    expect(aFollower(unread, 1_000n).at(1_000n)).toEqual([]);
  });

  it('are so many at most', () => {
    const recent = keepRecent();
    const { at } = aFollower(recent, 0n);
    recent.add(eventsFrom(1, 2 * keptMax + 1), 1);
    expect(at(0n)).toBeUndefined();
    expect(at(BigInt(keptMax + 1))?.length).toBe(keptMax);
  });

  it('are so many bytes at most', () => {
    const recent = keepRecent();
    const { at } = aFollower(recent, 0n);
    recent.add(eventsFrom(1, 2), keptBytesMax / 2);
    recent.add(eventsFrom(3, 2), keptBytesMax / 2);
    expect(at(0n)).toEqual([1, 2, 3, 4]);
    recent.add(eventsFrom(5, 1), 1);
    expect(at(0n)).toBeUndefined();
    expect(at(4n)).toEqual([5]);
  });
});
