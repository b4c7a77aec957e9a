import { Rejected } from '../../kernel/rejected.ts';
import type { EventStore } from './event-store.ts';
import type { Progress } from './progress.ts';

/**
 * Resolves once the read models have all that the log has at that moment: before what rests on their rows is decided for
 * good. Throws `Rejected` (SERVICE_UNAVAILABLE) when that takes too long.
 */
export type UntilAllShown = () => Promise<void>;

const retryAfterSeconds = 1;

export const createUntilAllShown =
  (store: Pick<EventStore, 'last'>, progress: Pick<Progress, 'waitFor'>, timeoutMs: number): UntilAllShown =>
  async () => {
    if (await progress.waitFor(await store.last(), timeoutMs)) return;
    throw new Rejected(
      'SERVICE_UNAVAILABLE',
      `What this rests on is not in the lists yet. Send the request again in ${retryAfterSeconds} second.`,
      { retryAfterSeconds },
    );
  };
