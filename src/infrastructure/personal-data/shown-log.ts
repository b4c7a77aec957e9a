import type { EventStore } from '../event-store/event-store.ts';
import type { Vault } from './vault.ts';

/** The log with its personal texts, as far as they can be read. What is appended is stored as it is. */
export const shownLog = (log: EventStore, vault: Pick<Vault, 'show'>): EventStore => ({
  ...log,
  read: (stream, from, most) =>
    log.read(stream, from, most).then((events) => (events.length === 0 ? events : vault.show(events))),
  subscribeToAll: ({ consume, ...options }) =>
    log.subscribeToAll({ ...options, consume: async (events) => consume(await vault.show(events)) }),
});
