import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { pagesOf } from '../../../src/infrastructure/event-store/postgres/pages.ts';
import { keepRecent } from '../../../src/infrastructure/event-store/postgres/recent.ts';

const eventsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_one, n) => ({ position: BigInt(first + n), revision: 0 }) as StoredEvent);
const positions = (events: readonly StoredEvent[]) => events.map(({ position }) => Number(position));

type Asked = { readonly values: readonly [bigint | readonly bigint[], number | readonly number[]] };

/** A process, and a database that has events up to a position, all but some. */
function aProcess(last: number, missing: readonly number[] = []) {
  const recent = keepRecent();
  const counts = { statements: 0, rows: 0, woken: 0 };
  const all = eventsFrom(1, last).filter(({ position }) => !missing.includes(Number(position)));
  const query = async ({ values: [after, most] }: Asked) => {
    const rows = Array.isArray(after)
      ? after.flatMap((from, n) =>
          all.filter(
            ({ position }) => position > from && position <= from + BigInt((most as number[])[n] ?? 0),
          ),
        )
      : all.filter(({ position }) => position > (after as bigint)).slice(0, most as number);
    counts.statements += 1;
    counts.rows += rows.length;
    return { rows };
  };
  const wakeAll = () => {
    counts.woken += 1;
  };
  const next = pagesOf({ query } as never, recent, { wakeAll }, { note: () => {} });
  const aFollower = () => {
    const follower = recent.follow();
    return async (after: number, asks = true) => positions(await next(follower, BigInt(after), 10, asks));
  };
  return { recent, counts, aFollower };
}

describe('pages of the log for those who follow it in one process', () => {
  it('are read once for all who ask at the same time, and kept for who comes later', async () => {
    const { counts, aFollower } = aProcess(5);
    const [one, other, late] = [aFollower(), aFollower(), aFollower()];
    await late(20, false);
    const pages = await Promise.all([one(0), other(0)]);
    expect(pages).toEqual([
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ]);
    expect(counts).toEqual({ statements: 1, rows: 5, woken: 1 });
    expect(await late(2, false)).toEqual([3, 4, 5]);
    expect(counts.statements).toBe(1);
  });

  it('are not asked for where nothing is heard of', async () => {
    const { recent, counts, aFollower } = aProcess(5);
    const one = aFollower();
    recent.hear(5n);
    expect(await one(5, false)).toEqual([]);
    expect(counts.statements).toBe(0);
  });

  it('have what the process has added itself from memory, and read what lies between in one statement', async () => {
    const { recent, counts, aFollower } = aProcess(9);
    const one = aFollower();
    expect(await one(1, false)).toEqual([]);
    recent.add(eventsFrom(3, 2), 2);
    recent.add(eventsFrom(7, 2), 2);
    recent.hear(9n);
    expect(await one(1, false)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    expect(counts).toMatchObject({ statements: 1, rows: 4 });
  });

  it('come from the database alone where that has less than there should be', async () => {
    const { recent, aFollower } = aProcess(9, [5]);
    const one = aFollower();
    await one(3, false);
    recent.add(eventsFrom(7, 2), 2);
    expect(await one(3, false)).toEqual([4, 6, 7, 8, 9]);
  });
});
