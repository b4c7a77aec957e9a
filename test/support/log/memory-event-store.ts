import {
  type EventStore,
  type StoredEvent,
  type Subscription,
  WrongRevision,
} from '../../../src/infrastructure/event-store/event-store.ts';

/** The event store of unit and API tests: the same promises as the real ones, kept in arrays. */
export function memoryEventStore(): EventStore & { readonly all: readonly StoredEvent[] } {
  const all: StoredEvent[] = [];
  const streams = new Map<string, StoredEvent[]>();
  const wakers = new Set<() => void>();
  const subscriptions = new Set<Subscription>();

  return {
    all,
    async append(stream, expected, events, proviso) {
      proviso?.requireStill();
      const stored = streams.get(stream) ?? [];
      const actual = stored.length === 0 ? 'none' : stored.length - 1;
      if (actual !== expected) {
        const from = expected === 'none' ? 0 : expected + 1;
        const there = stored.slice(from, from + events.length);
        const last = there.at(-1);
        const repeated = there.length === events.length && there.every((e, i) => e.id === events[i]?.id);
        if (repeated && last) return { revision: last.revision, position: last.position };
        throw new WrongRevision(stream, expected, actual);
      }
      for (const event of events) {
        const { id, type, data, metadata } = event;
        const copy = structuredClone({ id, type, data, metadata });
        const next = { ...copy, stream, revision: stored.length, position: BigInt(all.length) + 1n };
        stored.push(next);
        all.push(next);
      }
      streams.set(stream, stored);
      for (const wake of wakers) wake();
      return { revision: stored.length - 1, position: BigInt(all.length) };
    },
    read: async (stream, from = 0, most = Number.POSITIVE_INFINITY) =>
      (streams.get(stream) ?? []).slice(from, from + most),
    last: async () => all.at(-1)?.position ?? 0n,
    subscribeToAll({ after, streamPrefixes, batchMax = 500, consume }) {
      let next = Number(after ?? 0n);
      let stopped = false;
      let wake = () => {};
      const done = (async () => {
        while (!stopped) {
          const batch = all.slice(next, next + batchMax);
          next += batch.length;
          const wanted = streamPrefixes
            ? batch.filter((event) => streamPrefixes.some((prefix) => event.stream.startsWith(prefix)))
            : batch;
          if (wanted.length > 0) await consume(wanted);
          if (batch.length > 0) continue;
          await new Promise<void>((resolve) => {
            wake = resolve;
            wakers.add(resolve);
          });
          wakers.delete(wake);
        }
      })();
      const subscription = {
        done,
        async stop() {
          stopped = true;
          wake();
          await done.catch(() => undefined);
          subscriptions.delete(subscription);
        },
      };
      subscriptions.add(subscription);
      return subscription;
    },
    async close() {
      await Promise.all([...subscriptions].map((subscription) => subscription.stop()));
    },
  };
}
