import { setTimeout as sleep } from 'node:timers/promises';
import { pauseMs } from '../../kernel/backoff.ts';
import { pauseBounds, type Warns } from './backoff.ts';
import type { StoredEvent, SubscribeOptions, Subscription } from './event-store.ts';

/** One connection of a subscription. Its iteration ends, or throws, when the connection does. */
export type Connection<Arrival> = AsyncIterable<Arrival> & {
  /** How many arrivals wait to be iterated. */
  readonly readableLength: number;
  destroy(): unknown;
  unsubscribe(): Promise<void>;
};

/** A connection that held for so long was a good one. */
const lastsMs = 10_000;

/** The connection is gone; the subscription goes on with the next one. */
class Dropped extends Error {
  override name = 'Dropped';
}

/**
 * A subscription that survives its connections: it opens the next one after the last consumed event, with a growing
 * pause in between, and skips what `consume` has already been given. Only `consume` and `toStored` can make it fail.
 */
export function subscribe<Arrival>(
  open: (after: bigint | undefined) => Connection<Arrival>,
  toStored: (arrival: Arrival) => StoredEvent,
  { after, batchMax, consume }: SubscribeOptions & { readonly batchMax: number },
  log: Warns,
): Subscription {
  const stopping = new AbortController();
  const { signal } = stopping;
  let consumed = after;
  let failures = 0;

  const consumeAll = async (live: Connection<Arrival>) => {
    for await (const batch of batches(live, batchMax)) {
      if (signal.aborted) return;
      failures = 0;
      const events = batch
        .map(toStored)
        .filter(({ position }) => consumed === undefined || position > consumed);
      if (events.length > 0) await consume(events);
      consumed = events.at(-1)?.position ?? consumed;
    }
  };

  const run = async () => {
    while (!signal.aborted) {
      const live = open(consumed);
      const end = () => live.destroy();
      const opened = performance.now();
      signal.addEventListener('abort', end);
      try {
        await consumeAll(live);
      } catch (error) {
        if (!(error instanceof Dropped)) throw error;
        if (signal.aborted) return;
        // A server may take a subscription and refuse it in the next moment, again and again.
        if (performance.now() - opened > lastsMs) failures = 0;
        failures += 1;
        log.warn(
          { err: error.cause, consumed: `${consumed}`, failures, store: 'EVENTSTORE_URL' },
          'event subscription dropped, reconnecting',
        );
        await sleep(pauseMs(failures, pauseBounds), undefined, { signal }).catch(ignore);
      } finally {
        signal.removeEventListener('abort', end);
        live.destroy();
        live.unsubscribe().catch(ignore);
      }
    }
  };

  const done = run();
  return {
    done,
    async stop() {
      stopping.abort();
      await done.catch(ignore);
    },
  };
}

/** What has arrived, in lists of at most `batchMax`; then `Dropped`, however the connection ended. */
async function* batches<Arrival>(live: Connection<Arrival>, batchMax: number) {
  const arrivals = live[Symbol.asyncIterator]();
  const next = () =>
    arrivals.next().catch((cause: unknown) => {
      throw new Dropped('the connection failed', { cause });
    });
  for (let first = await next(); !first.done; first = await next()) {
    const batch: Arrival[] = [first.value];
    while (live.readableLength > 0 && batch.length < batchMax) {
      const more = await next();
      if (more.done) break;
      batch.push(more.value);
    }
    yield batch;
  }
  throw new Dropped('the server ended the subscription');
}

const ignore = () => undefined;
