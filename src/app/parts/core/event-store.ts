import type { RestorationEvent } from '../../../domain/restorations/events.ts';
import { restorationsStream } from '../../../domain/restorations/restorations.ts';
import { streamOf } from '../../../domain/streams.ts';
import type { EventStore, LogCalled } from '../../../infrastructure/event-store/event-store.ts';
import type { EventStoreDbClient } from '../../../infrastructure/event-store/eventstoredb.ts';
import type { Moves } from '../../../infrastructure/event-store/moved-streams.ts';
import type { Seen } from '../../../infrastructure/event-store/postgres/seen.ts';
import { postgresEventStore } from '../../../infrastructure/event-store/postgres/store.ts';
import type { Log } from '../../../infrastructure/observe/log.ts';
import type { Listening } from '../../../infrastructure/postgres/listen.ts';
import type { Waits } from '../../../infrastructure/postgres/pool.ts';

type Where = {
  readonly eventStoreUrl: string | undefined;
  readonly streamPrefix: string;
  readonly databaseUrl: string;
  readonly log: Log;
  readonly listening?: Listening;
  readonly waits?: Waits;
  readonly seen?: Seen;
  /** Told of each call to EventStoreDB. */
  readonly called?: LogCalled;
  /** Instead of a client of EventStoreDB over the network. */
  readonly connect?: ((url: string) => EventStoreDbClient) | undefined;
};

/** Where the log says which platforms of a sandbox were put back to a snapshot. */
export const restored: Moves = {
  stream: streamOf('restorations', restorationsStream),
  of({ type, data, position }) {
    if (type !== 'PlatformStateRestored') return undefined;
    const { platformId, generation, streams } = data as RestorationEvent['data'];
    return { owner: platformId, generation, position, streams };
  },
};

/** The log where it was configured to be. The client of EventStoreDB is large, and loaded where it is used only. */
export async function openEventStore({
  eventStoreUrl,
  streamPrefix,
  databaseUrl,
  log,
  listening,
  waits,
  seen,
  called,
  connect,
}: Where): Promise<EventStore> {
  if (eventStoreUrl === undefined) return postgresEventStore(databaseUrl, log, { listening, waits, seen });
  const { eventStoreDb } = await import('../../../infrastructure/event-store/eventstoredb.ts');
  const patience = waits?.statementMaxMs === undefined ? {} : { deadlineMs: waits.statementMaxMs };
  const instead = { ...patience, ...(called && { called }), ...(connect && { connect }) };
  return eventStoreDb({ url: eventStoreUrl, streamPrefix, log, ...instead });
}
