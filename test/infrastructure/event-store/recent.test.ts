import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import {
  keepRecent,
  keptBytesMax,
  keptMax,
} from '../../../src/infrastructure/event-store/postgres/recent.ts';

const eventsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_one, n) => ({ position: BigInt(first + n) }) as StoredEvent);
const positions = (events: readonly StoredEvent[] | undefined) =>
  events?.map(({ position }) => Number(position));

describe('the newest events of a process', () => {
  it('are those right after a position', () => {
    const recent = keepRecent();
    recent.add(eventsFrom(5, 4), 400);
    expect(positions(recent.after(5n, 2))).toEqual([6, 7]);
    expect(positions(recent.after(8n, 2))).toEqual([]);
    expect(recent.after(3n, 2)).toBeUndefined();
  });

  it('begin anew where others have written in between', () => {
    const recent = keepRecent();
    recent.add(eventsFrom(1, 2), 200);
    recent.add(eventsFrom(4, 1), 100);
    expect([recent.has(2n), recent.has(4n)]).toEqual([false, true]);
  });

  it('are so many at most', () => {
    const recent = keepRecent();
    recent.add(eventsFrom(1, 2 * keptMax + 1), 1);
    expect([recent.has(1n), recent.has(BigInt(2 * keptMax + 1))]).toEqual([false, true]);
  });

  it('are so many bytes at most', () => {
    const recent = keepRecent();
    recent.add(eventsFrom(1, 2), keptBytesMax / 2);
    recent.add(eventsFrom(3, 2), keptBytesMax / 2);
    expect(recent.has(1n)).toBe(true);
    recent.add(eventsFrom(5, 1), 1);
    expect([recent.has(4n), recent.has(5n)]).toEqual([false, true]);
  });
});
