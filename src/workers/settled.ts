/** Waits until nothing more follows from what has been recorded. */
import type { ReadDb } from '../../projections/database.ts';
import { loadCheckpoint, reactionsCheckpoint } from '../../projections/kept/checkpoints.ts';
import type { Progress } from '../infrastructure/event-store/progress.ts';

/** What follows from an event without a request records at most so many times what something else follows from. */
const roundsMax = 3;
const waitMaxMs = 10_000;
const askedEveryMs = 50;

export type SettledDeps = {
  readonly readDb: ReadDb;
  readonly store: { readonly last: () => Promise<bigint> };
  readonly progress: Pick<Progress, 'waitFor'>;
  /** How far this process has come, where it is the one that reacts. */
  readonly reacted: Pick<Progress, 'waitFor'>;
  readonly projectionWaitMs: number;
};

/** Resolves when the log, the reactions and the read models agree, or have had ten seconds for that, or as long as a request waits. */
export async function settled(deps: SettledDeps): Promise<void> {
  const { readDb, store, progress, reacted, projectionWaitMs } = deps;
  const until = performance.now() + Math.max(waitMaxMs, projectionWaitMs);
  const isReacted = async (position: bigint) => {
    if (await reacted.waitFor(position, askedEveryMs)) return true;
    return ((await loadCheckpoint(readDb, reactionsCheckpoint)) ?? 0n) >= position;
  };
  let last = await store.last();
  for (let round = 0; round < roundsMax; round++) {
    while (!(await isReacted(last)) && performance.now() < until);
    await progress.waitFor(last, Math.max(0, until - performance.now()));
    const now = await store.last();
    if (now === last) return;
    last = now;
  }
  await progress.waitFor(last, Math.max(0, until - performance.now()));
}
