import { afterAll, beforeAll, describe } from 'vitest';
import type { EventStore } from '../../src/infrastructure/event-store/event-store.ts';
import { eventStoreDb } from '../../src/infrastructure/event-store/eventstoredb.ts';
import { postgresEventStore } from '../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { eventStoreContract, type Opened } from '../infrastructure/event-store/contract.ts';
import { type Servers, startServers, whyNoDocker, whyNoEventStoreDb } from '../support/servers/containers.ts';

const log = createLog('silent');
const noDocker = await whyNoDocker();
const noEventStoreDb = noDocker ?? (await whyNoEventStoreDb());

let servers: Servers;

/** A test may close a store that it reopened; the end of the suite closes each store that is still open. */
async function opened(open: () => Promise<EventStore>): Promise<Opened> {
  const stores = new Set<EventStore>();
  const reopen = async () => {
    const store = await open();
    const close = async () => {
      if (stores.delete(closing)) await store.close();
    };
    const closing = { ...store, close };
    stores.add(closing);
    return closing;
  };
  const close = async () => {
    await Promise.all([...stores].map((store) => store.close()));
  };
  return { store: await reopen(), reopen, close };
}

describe.skipIf(noDocker)('in containers', () => {
  beforeAll(async () => {
    servers = await startServers({ eventStoreDb: !noEventStoreDb });
  });
  afterAll(() => servers?.stop());

  eventStoreContract('Postgres', () => opened(() => postgresEventStore(servers.outside.DATABASE_URL, log)));

  describe.skipIf(noEventStoreDb)('with EventStoreDB', () => {
    eventStoreContract('EventStoreDB', () =>
      opened(async () => eventStoreDb({ url: servers.outside.EVENTSTORE_URL ?? '', log })),
    );
  });
});
