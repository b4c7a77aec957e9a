/** What changes of a platform's payments, to whoever looks at them: one look at the log for all who do. */
import type { ReadDb } from '../../../../projections/database.ts';
import { changedTransactions } from '../../../../projections/models/transactions.ts';
import { receivingSideId } from '../../../domain/payments/receiving-side.ts';
import { isStreamOf, uuidOfStream } from '../../../domain/streams.ts';
import type { EventStore, StoredEvent } from '../../../infrastructure/event-store/event-store.ts';
import type { Progress } from '../../../infrastructure/event-store/progress.ts';
import type { EventStream, Sending } from '../../../infrastructure/http/event-stream.ts';
import { idOf, type PlatformId, type TransactionId } from '../../../kernel/ids.ts';
import { Rejected } from '../../../kernel/rejected.ts';

/** Streams of one process, and of them those of one platform. */
export const liveMax = { process: 100, platform: 10 };
/** What one stream has not taken; one that is further behind is ended. */
const behindMax = 500;
const retryAfterSeconds = 5;

export type Live = {
  /** Throws `Rejected` (RATE_LIMITED) for one too many. */
  readonly follow: (platformId: PlatformId, seconds: number) => Promise<EventStream>;
  /** Ends all streams, and begins no more. */
  readonly stop: () => Promise<void>;
};

type Deps = {
  readonly store: Pick<EventStore, 'subscribeToAll' | 'last'>;
  readonly progress: Pick<Progress, 'waitFor'>;
  readonly readDb: ReadDb;
  /** So often it is looked whether anybody waits still for the read models to have a change. */
  readonly projectionWaitMs: number;
};

type Watcher = {
  readonly platformId: PlatformId;
  /** What lies before it is told to others only. */
  readonly after: bigint;
  readonly tell: (event: Parameters<Sending['send']>[0]) => void;
  readonly end: () => void;
};

export function createLive({ store, progress, readDb, projectionWaitMs }: Deps): Live {
  const watchers = new Set<Watcher>();
  let reading: { readonly stop: () => Promise<void> } | undefined;
  let isStopped = false;

  const consume = async (events: readonly StoredEvent[]) => {
    const moved = movedIn(events);
    const last = events.findLast(({ stream }) => isStreamOf('transaction', stream));
    if (!last) return;
    while (watchers.size > 0 && !(await progress.waitFor(last.position, projectionWaitMs)));
    if (watchers.size === 0) return;
    const platforms = [...new Set([...watchers].map(({ platformId }) => platformId))];
    for (const row of await changedTransactions(readDb, platforms, [...moved.keys()])) {
      const { id, type, status, updated_at: at } = row;
      const { position, since } = moved.get(id) ?? { position: last.position, since: 0 };
      // An event that changes nothing shown leaves the row as it was.
      if (at.getTime() < since) continue;
      const data = JSON.stringify({ id, type, status, at: at.toISOString() });
      for (const { platformId, after, tell } of watchers)
        if (platformId === row.platform_id && position > after)
          tell({ id: position.toString(), event: 'transaction', data });
    }
  };
  const endAll = () => {
    for (const { end } of watchers) end();
  };
  const read = (after: bigint) => {
    const { stop, done } = store.subscribeToAll({ after, consume });
    // Whoever was told from it comes back, and is told from another.
    done.catch(endAll);
    return { stop };
  };
  const leave = (watcher: Watcher) => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    reading?.stop().catch(() => undefined);
    reading = undefined;
  };
  const requireRoom = (platformId: PlatformId) => {
    const own = [...watchers].filter((one) => one.platformId === platformId).length;
    if (isStopped || own >= liveMax.platform || watchers.size >= liveMax.process) throw tooMany();
  };

  return {
    async follow(platformId, seconds) {
      const after = await store.last();
      requireRoom(platformId);
      return {
        maxMs: seconds * 1_000,
        open({ send }, end) {
          // Others may have begun since, or the service ends.
          requireRoom(platformId);
          const watcher = { platformId, after, end, tell: inTurn(send, end) };
          watchers.add(watcher);
          reading ??= read(after);
          return () => leave(watcher);
        },
      };
    },
    async stop() {
      isStopped = true;
      endAll();
    },
  };
}

/** Nobody waits for a stream that takes nothing. */
function inTurn(send: Sending['send'], end: () => void): Watcher['tell'] {
  let waiting = 0;
  let sent: Promise<unknown> = Promise.resolve();
  return (event) => {
    if (waiting === behindMax) return end();
    waiting += 1;
    sent = sent
      .then(() => send(event))
      .catch(end)
      .finally(() => {
        waiting -= 1;
      });
  };
}

type Moved = { readonly position: bigint; readonly since: number };

/** Of each payment with events its last position and its first moment, under both of its ids. */
function movedIn(events: readonly StoredEvent[]): ReadonlyMap<TransactionId, Moved> {
  const all = new Map<TransactionId, Moved>();
  for (const { stream, position, data } of events) {
    if (!isStreamOf('transaction', stream)) continue;
    const id = idOf('Transaction', uuidOfStream(stream));
    const at = typeof data.at === 'string' ? Date.parse(data.at) : 0;
    const moved = { position, since: Math.min(at, all.get(id)?.since ?? at) };
    all.set(id, moved).set(receivingSideId(id), moved);
  }
  return all;
}

const tooMany = () =>
  new Rejected('RATE_LIMITED', `Too many look at the payments. Try again in ${retryAfterSeconds} seconds.`, {
    retryAfterSeconds,
  });
