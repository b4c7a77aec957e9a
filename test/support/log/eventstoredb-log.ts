import type { EventStore, StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { eventStoreDb } from '../../../src/infrastructure/event-store/eventstoredb.ts';
import type { EventMetadata } from '../../../src/kernel/aggregate.ts';
import { serverLog } from '../servers/eventstoredb-server/log.ts';
import { startEventStoreDb } from '../servers/eventstoredb-server/server.ts';

export type TestLog = EventStore & { readonly all: readonly StoredEvent[] };

/** A log on the EventStoreDB in this process, which ends with it. `calls` are those that the server was sent. */
export async function eventStoreDbLog(): Promise<TestLog & { readonly calls: readonly string[] }> {
  const data = serverLog();
  const server = await startEventStoreDb({ log: data });
  const store = eventStoreDb({ url: server.url, streamPrefix: '', log: { warn: () => undefined } });
  return {
    ...store,
    calls: server.calls,
    get all() {
      return data.all.map(
        ({ id, type, stream, revision, position, data: told, metadata }): StoredEvent => ({
          ...{ id, type, stream, revision, position },
          data: JSON.parse(Buffer.from(told).toString()),
          metadata: JSON.parse(Buffer.from(metadata).toString()) as EventMetadata,
        }),
      );
    },
    async close() {
      await store.close();
      await server.close();
    },
  };
}
