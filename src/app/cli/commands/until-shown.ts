import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadDb } from '../../../../projections/database.ts';
import { loadCheckpoint, projectionsCheckpoint } from '../../../../projections/kept/checkpoints.ts';

const shownWithinMs = 5_000;
const askedEveryMs = 50;

/** Throws where the read models do not come to the end of the log: what they do not have would be left out. */
export async function untilShown(db: ReadDb, last: () => Promise<bigint>): Promise<void> {
  const position = await last();
  const until = performance.now() + shownWithinMs;
  while (((await loadCheckpoint(db, projectionsCheckpoint)) ?? 0n) < position) {
    if (performance.now() > until)
      throw new Error('The read models are behind the log. Start the service, and run this again.');
    await sleep(askedEveryMs);
  }
}
