import type { EventStore } from '../../infrastructure/event-store/event-store.ts';
import { postgresEventStore } from '../../infrastructure/event-store/postgres/store.ts';
import type { Log } from '../../infrastructure/observe/log.ts';
import type { Listening } from '../../infrastructure/postgres/listen.ts';

type Where = {
  readonly eventStoreUrl: string | undefined;
  readonly databaseUrl: string;
  readonly log: Log;
  readonly listening?: Listening;
};

/** The log where it was configured to be. The client of EventStoreDB is large, and loaded where it is used only. */
export async function openEventStore({
  eventStoreUrl,
  databaseUrl,
  log,
  listening,
}: Where): Promise<EventStore> {
  if (eventStoreUrl === undefined) return postgresEventStore(databaseUrl, log, listening);
  const { eventStoreDb } = await import('../../infrastructure/event-store/eventstoredb.ts');
  return eventStoreDb({ url: eventStoreUrl, log });
}
