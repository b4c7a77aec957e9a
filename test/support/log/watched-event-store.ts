import type { EventStore, NewEvent } from '../../../src/infrastructure/event-store/event-store.ts';

type Hooks = {
  /** Runs before an append; throwing stops it. */
  readonly beforeAppend?: (stream: string, events: readonly NewEvent[]) => unknown;
  /** Runs after an append that succeeded; throwing hides from the writer that it did. */
  readonly afterAppend?: (stream: string, events: readonly NewEvent[]) => unknown;
  readonly beforeRead?: (stream: string, from: number) => unknown;
};

/** The same store, with its appends and reads counted and a test's own code between caller and store. */
export function watchedEventStore(store: EventStore, hooks: Hooks = {}) {
  const counts = {
    appends: 0,
    reads: 0,
    /** Times at which reads were begun while there were none: those that travel together are one. */
    rounds: 0,
    /** That reads have given. */
    events: 0,
  };
  let underWay = 0;
  const watched: EventStore = {
    ...store,
    async append(stream, expected, events, proviso) {
      counts.appends += 1;
      await hooks.beforeAppend?.(stream, events);
      const appended = await store.append(stream, expected, events, proviso);
      await hooks.afterAppend?.(stream, events);
      return appended;
    },
    async read(stream, from, most) {
      counts.reads += 1;
      if (underWay === 0) counts.rounds += 1;
      underWay += 1;
      try {
        await hooks.beforeRead?.(stream, from ?? 0);
        const events = await store.read(stream, from, most);
        counts.events += events.length;
        return events;
      } finally {
        underWay -= 1;
      }
    },
  };
  return Object.assign(watched, { counts });
}
