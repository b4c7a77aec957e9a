/** The read models of a life beside those that are built anew from its log. */
import { createReadDb } from '../../../../projections/database.ts';
import { projections } from '../../../../projections/projector/projections.ts';
import { createShadowPool, rebuild } from '../../../../projections/projector/rebuild/rebuild.ts';
import { restored } from '../../../../src/app/parts/core/event-store.ts';
import type { EventStore } from '../../../../src/infrastructure/event-store/event-store.ts';
import { openMovedStreams } from '../../../../src/infrastructure/event-store/moved-streams.ts';
import { createPool } from '../../../../src/infrastructure/postgres/pool.ts';
import { openLog, rowsOf } from '../../../support/postgres/read-models.ts';

/** As `npm run rebuild` does it. */
export async function rebuildAt(url: string, opening: Promise<EventStore>): Promise<void> {
  const db = createReadDb(createPool({ url, max: 2, name: 'simulation-books' }));
  const [shadow, log] = [createShadowPool(url), await openLog(url, opening)];
  try {
    const { store } = await openMovedStreams(log, restored, { tellsFormerMoves: false });
    await rebuild({ db, shadow, store }, projections);
  } finally {
    await Promise.all([log.close(), shadow.end(), db.destroy()]);
  }
}

/** Rows that are there, or there otherwise, in one of both alone: `-` as they were, `+` as they are built anew. */
export async function differencesOfRebuild(
  url: string,
  open: () => Promise<EventStore>,
): Promise<readonly string[]> {
  const before = await rowsOf(url);
  await rebuildAt(url, open());
  const after = await rowsOf(url);
  const without = (some: readonly string[] = [], others: readonly string[] = []) => {
    const there = new Set(others);
    return some.filter((row) => !there.has(row));
  };
  return Object.keys(before).flatMap((table) => [
    ...without(before[table], after[table]).map((row) => `- ${table} ${row}`),
    ...without(after[table], before[table]).map((row) => `+ ${table} ${row}`),
  ]);
}
