import { describe, expect, it } from 'vitest';
import type { ReadDb } from '../../../projections/database.ts';
import { watchFollowers } from '../../../src/app/parts/followers.ts';

type Places = { projections: bigint; policies: bigint; end: bigint };

/** Followers that are where the test puts them, looked at once a second. */
function watching(places: Places) {
  let [now, isAway] = [0, false];
  const rows = () => (['projections', 'policies'] as const).map((name) => ({ name, position: places[name] }));
  const execute = async () => {
    if (isAway) throw new Error('away');
    return rows();
  };
  const readDb = { selectFrom: () => ({ select: () => ({ execute }) }) } as unknown as ReadDb;
  const watched = watchFollowers({ readDb, store: { last: async () => places.end }, nowMs: () => now });
  const forSeconds = async (seconds: number) => {
    for (let n = 0; n < seconds; n++) {
      await watched.look().catch(() => undefined);
      now += 1_000;
    }
  };
  const stuck = () => watched.all().flatMap(({ name, isStuck }) => (isStuck ? [name] : []));
  const setAway = (away: boolean) => {
    isAway = away;
  };
  return { ...watched, forSeconds, stuck, setAway };
}

describe('who follows the log', () => {
  it('is told with how far it is behind', async () => {
    const { forSeconds, all } = watching({ projections: 7n, policies: 9n, end: 9n });
    await forSeconds(3);
    expect(all()).toEqual([
      { name: 'projections', position: 7n, behind: 2n, stillMs: 3_000, isStuck: false },
      { name: 'outbox', position: 7n, behind: 2n, stillMs: 3_000, isStuck: false },
      { name: 'reactions', position: 9n, behind: 0n, stillMs: 0, isStuck: false },
    ]);
  });

  it('is stuck when it has stood still with work to do for 10 s', async () => {
    const { forSeconds, stuck } = watching({ projections: 9n, policies: 3n, end: 9n });
    await forSeconds(9);
    expect(stuck()).toEqual([]);
    await forSeconds(1);
    expect(stuck()).toEqual(['reactions']);
  });

  it('is stuck at once where the log ends before it', async () => {
    const places = { projections: 9n, policies: 8n, end: 9n };
    const { forSeconds, stuck } = watching(places);
    await forSeconds(1);
    places.end = 8n;
    await forSeconds(1);
    expect(stuck()).toEqual(['projections', 'outbox']);
  });

  it('is not stuck while it moves, however far behind', async () => {
    const places = { projections: 0n, policies: 9_000n, end: 9_000n };
    const { forSeconds, stuck } = watching(places);
    for (let n = 0; n < 5; n++) {
      await forSeconds(8);
      places.projections += 1n;
    }
    expect(stuck()).toEqual([]);
  });

  it('is not stuck when work comes after a long rest', async () => {
    const places = { projections: 9n, policies: 9n, end: 9n };
    const { forSeconds, stuck } = watching(places);
    await forSeconds(60);
    places.end = 10n;
    await forSeconds(9);
    expect(stuck()).toEqual([]);
    await forSeconds(3);
    expect(stuck()).toEqual(['projections', 'outbox', 'reactions']);
  });

  it('is not stuck for the time in which the stores were away', async () => {
    const { forSeconds, stuck, setAway } = watching({ projections: 1n, policies: 9n, end: 9n });
    await forSeconds(2);
    setAway(true);
    await forSeconds(60);
    setAway(false);
    await forSeconds(8);
    expect(stuck()).toEqual([]);
    await forSeconds(4);
    expect(stuck()).toEqual(['projections', 'outbox']);
  });
});
