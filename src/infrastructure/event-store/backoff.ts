import { setTimeout as sleep } from 'node:timers/promises';
import { pauseMs } from '../../kernel/backoff.ts';
import { StoreAway } from '../away.ts';

export type Warns = { warn(fields: object, message: string): void };

const attemptsMax = 5;
/** Of the pause after a call, or a connection, that failed. */
export const pauseBounds = { minMs: 100, maxMs: 10_000 };

/** No attempt begins so long after the first one. */
const beginMaxMs = 4_000;

/**
 * Repeats `attempt`, which must be safe to repeat, while its error is transient: a few times, within seconds. Throws
 * `StoreAway` when that was in vain.
 */
export async function retrying<T>(
  isTransient: (error: unknown) => boolean,
  log: Warns,
  attempt: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isTransient(error)) throw error;
      const pause = pauseMs(failures, pauseBounds);
      const isOver = failures === attemptsMax || performance.now() - began + pause > beginMaxMs;
      if (isOver)
        throw new StoreAway('the event store does not answer', {
          cause: error,
          store: 'EVENTSTORE_URL',
        });
      log.warn({ err: error, failures, store: 'EVENTSTORE_URL' }, 'event store call failed, repeating it');
      await sleep(pause);
    }
  }
}
