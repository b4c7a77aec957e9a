import type { Term } from '../jobs/lease.ts';
import { pause } from '../jobs/pause.ts';
import type { Log } from '../observe/log.ts';
import type { EventStore, StoredEvent } from './event-store.ts';

const firstDelayMs = 100;
const longestDelayMs = 10_000;

export type CheckpointedConsumer = {
  readonly name: string;
  /** The position after which to go on. */
  readonly checkpoint: () => Promise<bigint | undefined>;
  /** Handles the events and remembers how far it came. Called again with the same events when it throws. */
  readonly consume: (events: readonly StoredEvent[]) => Promise<void>;
  /** Called once nothing more comes: remembers what is not remembered yet. */
  readonly close?: () => Promise<void>;
};

/** What was read says more than it may by now: it is read again from the checkpoint, which is no failure. */
export class ReadAgain extends Error {
  override name = 'ReadAgain';

  constructor() {
    super('the events are read again');
  }
}

/**
 * Feeds a consumer from its checkpoint onwards while the lease is held. When the consumer or the store fails, it starts
 * again from the checkpoint, waiting longer each time nothing got through.
 */
export async function followLog(
  store: EventStore,
  { name, checkpoint, consume, close }: CheckpointedConsumer,
  log: Log,
  { signal, isHeld }: Pick<Term, 'signal' | 'isHeld'>,
): Promise<void> {
  let delayMs = firstDelayMs;
  while (!signal.aborted) {
    try {
      const subscription = store.subscribeToAll({
        after: await checkpoint(),
        async consume(events) {
          if (signal.aborted) return;
          if (!isHeld()) throw new Error('the lease is lost');
          await consume(events);
          delayMs = firstDelayMs;
        },
      });
      const stop = () => void subscription.stop();
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      await subscription.done.finally(() => signal.removeEventListener('abort', stop));
    } catch (error) {
      if (error instanceof ReadAgain) continue;
      log.error(
        { err: error, subscription: name },
        'subscription failed; starting again from its checkpoint',
      );
      await pause(delayMs, signal);
      delayMs = Math.min(delayMs * 2, longestDelayMs);
    }
  }
  await close?.();
}
