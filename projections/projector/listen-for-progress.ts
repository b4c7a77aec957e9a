import { within } from '../../src/infrastructure/deadlines/within.ts';
import type { Progress } from '../../src/infrastructure/event-store/progress.ts';
import type { Listening } from '../../src/infrastructure/postgres/listen.ts';
import type { ReadDb } from '../database.ts';
import { loadCheckpoint, projectionsCheckpoint } from '../kept/checkpoints.ts';

/** Where processes hear how far the read models have come. */
export const projectedChannel = 'daybook_projected';

/** A server that has just come back takes a while until it answers. */
const askAgainMs = 250;
const asksMax = 20;
const lastMaxMs = 1_000;

/**
 * Tells how far the read models have come, in whichever process they are kept up to date. Their commits do not wait for the
 * disk: with each connection that is lost, rows may have been.
 */
export function listenForProgress(
  listening: Pick<Listening, 'on' | 'onLoss'>,
  db: ReadDb,
  progress: Pick<Progress, 'passed' | 'owe' | 'unsure'>,
  lastPosition: () => Promise<bigint>,
): void {
  // Notifications are lost while nobody listens: after each connection the checkpoint says how far it has come. What the
  // log has by then another process may have shown; read models are shown where the log is away, too.
  const ask = async (asks = 1): Promise<void> => {
    try {
      const last = await within(lastMaxMs, lastPosition()).catch(() => 'late' as const);
      if (last !== 'late') progress.owe(last);
      const position = await loadCheckpoint(db, projectionsCheckpoint);
      if (position !== undefined) progress.passed(position);
    } catch {
      if (asks < asksMax) setTimeout(ask, askAgainMs, asks + 1).unref();
    }
  };
  listening.onLoss(progress.unsure);
  listening.on(projectedChannel, (position) => {
    if (position) return progress.passed(BigInt(position));
    // Whatever was said of a commit before the loss has been heard by now.
    progress.unsure();
    return ask();
  });
}
