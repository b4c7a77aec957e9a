/** The log as it is, the tables beside it, and what hears of both. */
import { createListDb } from '../../../../projections/bounded.ts';
import { createReadDb, type ReadDb } from '../../../../projections/database.ts';
import type { PlatformTimes } from '../../../infrastructure/clock/platform-times.ts';
import type { EventStore } from '../../../infrastructure/event-store/event-store.ts';
import type { EventStoreDbClient } from '../../../infrastructure/event-store/eventstoredb.ts';
import { createLostRows, type LostRows } from '../../../infrastructure/event-store/lost-rows.ts';
import { createSeen, type LogSetBack } from '../../../infrastructure/event-store/postgres/seen.ts';
import type { Log } from '../../../infrastructure/observe/log.ts';
import { type Listening, openListening } from '../../../infrastructure/postgres/listen.ts';
import { createPool, type Pool, type Waits } from '../../../infrastructure/postgres/pool.ts';
import type { Config } from '../../config.ts';
import type { Metrics } from '../../metrics.ts';
import type { Closer } from '../closer.ts';
import { openEventStore } from './event-store.ts';
import { createUnhurried, type Unhurried } from './unhurried.ts';

/** Statements are short and the cores of a machine few: more connections would only wait for each other. */
const booksConnectionsMax = 2;
const listConnectionsMax = 2;

export type Stores = {
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly unhurried: Unhurried;
  readonly readDb: ReadDb;
  /** For lists, which may take long: on connections of their own, with a deadline. */
  readonly listDb: ReadDb;
  readonly wholeLog: EventStore;
  /** There where the log is not in the same Postgres as the tables. */
  readonly lost: LostRows | undefined;
  readonly listening: Listening;
  /** Of this process' own pools. */
  readonly waits: Waits;
};

type Where = Pick<Config, 'eventStoreUrl' | 'streamPrefix'> & {
  readonly databaseUrl: string;
  readonly listeningAs: string;
  /** How long it is waited for a connection, and for a statement. */
  readonly patience: Waits;
  readonly logSetBack: ((error: LogSetBack) => void) | undefined;
  /** Instead of a client of EventStoreDB over the network. */
  readonly logClient: ((url: string) => EventStoreDbClient) | undefined;
};
type Deps = {
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'logCalled'>;
  readonly times: Pick<PlatformTimes, 'tenant'>;
};

export async function openStores(
  { databaseUrl, listeningAs, eventStoreUrl, streamPrefix, patience, logSetBack, logClient }: Where,
  { log, metrics, times }: Deps,
  closers: Closer[],
): Promise<Stores> {
  const seen = createSeen(logSetBack);
  const listening = openListening(databaseUrl, log, listeningAs);
  closers.push(() => listening.stop());
  const wholeLog = await openEventStore({
    eventStoreUrl,
    streamPrefix,
    databaseUrl,
    log,
    listening,
    waits: { ...patience, askNew: seen.requireIn },
    seen,
    called: metrics.logCalled,
    connect: logClient,
  });
  closers.push(() => wholeLog.close());
  const lost = eventStoreUrl === undefined ? undefined : createLostRows(wholeLog);
  const waits = { ...patience, askNew: lost?.askNew ?? seen.requireIn };
  const pool = createPool({ url: databaseUrl, max: booksConnectionsMax, name: 'books', ...waits });
  const unhurried = createUnhurried(databaseUrl, waits);
  const readDb = createReadDb(pool);
  const listDb = createListDb(databaseUrl, listConnectionsMax, times.tenant, waits);
  closers.push(
    () => readDb.destroy(),
    () => listDb.destroy(),
    unhurried.end,
    // Who is woken reads: that comes to an end before there is nothing to read from.
    () => listening.stop(),
  );
  return { databaseUrl, pool, unhurried, readDb, listDb, wholeLog, lost, listening, waits };
}
