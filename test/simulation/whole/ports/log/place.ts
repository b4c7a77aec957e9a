/** Where the log of a life is: in the Postgres of its tables, or in a server of its own. */
import type { EventStore } from '../../../../../src/infrastructure/event-store/event-store.ts';
import {
  type EventStoreDbClient,
  eventStoreDb,
} from '../../../../../src/infrastructure/event-store/eventstoredb.ts';
import { postgresEventStore } from '../../../../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../../../../src/infrastructure/observe/log.ts';
import type { ServerLog } from '../../../../support/servers/eventstoredb-server/log.ts';
import { beginProcess } from '../../engine/process.ts';
import { simulateLogServer } from './server.ts';

export const logNames = ['postgres', 'eventstoredb'] as const;
export type LogName = (typeof logNames)[number];

/** The address of a server that is nowhere. */
export const logServerUrl = 'esdb://log.simulated:2113?tls=false';

/** The log as a client has it, whose calls this one carries out; in Postgres without one. */
export async function storeOn(
  databaseUrl: string,
  connect?: (url: string) => EventStoreDbClient,
): Promise<EventStore> {
  const log = createLog('silent');
  return connect ? eventStoreDb({ url: logServerUrl, log, connect }) : postgresEventStore(databaseUrl, log);
}

/** A client whose calls are carried out at once, and never go wrong: for what is looked at when a life is over. */
export function quietClient(log: ServerLog): () => EventStoreDbClient {
  const quiet = simulateLogServer(log, {
    turns: { wait: (_, go) => void setImmediate(go) },
    strikes: () => false,
    below: (limit) => limit - 1,
    crash: () => undefined,
    late: () => undefined,
  });
  return () => quiet.clientOf(beginProcess('nobody').process);
}
