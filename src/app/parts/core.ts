/** What every role of a process rests on: log, commands, and what serves them. The tables have to be there. */
import { createListDb } from '../../../projections/bounded.ts';
import { createReadDb, type ReadDb } from '../../../projections/database.ts';
import { createCaughtUp, foundCheckpoints, loadBeginnings } from '../../../projections/kept/checkpoints.ts';
import { listenForProgress } from '../../../projections/projector/run.ts';
import { aggregates, eventSchemas } from '../../domain/aggregates.ts';
import type { Rates } from '../../domain/money/rates.ts';
import type { DomainRecords } from '../../domain/ports/domain-records.ts';
import { reactions } from '../../domain/reactions/reactions.ts';
import { createPlatformTimes, type PlatformTimes } from '../../infrastructure/clock/platform-times.ts';
import type { Closings } from '../../infrastructure/closings/closings.ts';
import { postgresClosings } from '../../infrastructure/closings/postgres.ts';
import { createDispatcher } from '../../infrastructure/commands/dispatch.ts';
import { textsAt } from '../../infrastructure/dns.ts';
import { createUntilAllShown, type UntilAllShown } from '../../infrastructure/event-store/all-shown.ts';
import type { EventStore } from '../../infrastructure/event-store/event-store.ts';
import { createLostRows, type LostRows } from '../../infrastructure/event-store/lost-rows.ts';
import { type MovedStreams, openMovedStreams } from '../../infrastructure/event-store/moved-streams.ts';
import { createSeen, type LogSetBack } from '../../infrastructure/event-store/postgres/seen.ts';
import { createProgress, type Progress } from '../../infrastructure/event-store/progress.ts';
import { type IdempotencyStore, idempotencyStore } from '../../infrastructure/http/once/idempotency.ts';
import { type Leases, openLeases, retryMs } from '../../infrastructure/jobs/lease.ts';
import { createEvery, type Every, type EveryMs } from '../../infrastructure/jobs/periodic.ts';
import { type Jobs, openJobs } from '../../infrastructure/jobs/queues.ts';
import { openWorkSession, type WorkSession } from '../../infrastructure/jobs/work-session.ts';
import type { Log } from '../../infrastructure/observe/log.ts';
import { type PersonKeys, personKeys } from '../../infrastructure/personal-data/keys.ts';
import { shownLog } from '../../infrastructure/personal-data/shown-log.ts';
import { createVault } from '../../infrastructure/personal-data/vault.ts';
import { type Listening, openListening } from '../../infrastructure/postgres/listen.ts';
import { createPool, type Pool, type Waits } from '../../infrastructure/postgres/pool.ts';
import { createSealer, type MasterKeys, type Sealer } from '../../infrastructure/secrets/sealing.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import { type AgentCredentials, agentCredentials } from '../../use-cases/agents/credentials.ts';
import { createRedemptions, type Redemptions } from '../../use-cases/agents/redemptions.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { type ConsoleSessions, createConsoleSessions } from '../../use-cases/console/sessions.ts';
import { createDocumentContents, type DocumentContents } from '../../use-cases/documents/contents.ts';
import { createTokenRecords, type TokenRecords } from '../../use-cases/tokens/records.ts';
import { createTokens, type Tokens } from '../../use-cases/tokens/tokens.ts';
import type { Config } from '../config.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import { openEventStore, restored } from './event-store.ts';
import { eventIdsOf, openIds } from './ids.ts';
import { requireOwnLog } from './own-log.ts';
import { followPlatformClocks } from './platform-clocks.ts';
import { hidingFor } from './vault.ts';

const usualProjectionWaitMs = 2_000;

/** How long a process waits for what it rests on. In milliseconds. */
export const waitsOf = (patienceMs: number | undefined): { database: Waits; projectionMs: number } =>
  patienceMs === undefined
    ? { database: {}, projectionMs: usualProjectionWaitMs }
    : { database: { waitMaxMs: patienceMs, statementMaxMs: patienceMs }, projectionMs: patienceMs };

/** Statements are short and the cores of a machine few: more connections would only wait for each other. */
const booksConnectionsMax = 2;
const listConnectionsMax = 2;

/** Timers and webhooks. */
const queuesMax = 2;

/** Ends what was started, in reverse order. */
export type Closer = () => Promise<void>;

export type Core = {
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly readDb: ReadDb;
  /** For lists, which may take long: on connections of their own, with a deadline. */
  readonly listDb: ReadDb;
  /** The log by the names that the code knows, without what platforms had before they were put back to a snapshot. */
  readonly store: EventStore;
  readonly wholeLog: EventStore;
  /** Of customers, and of what is theirs: what seals personal texts in the log. */
  readonly persons: PersonKeys;
  /** What this process remembers of people is read again: some were erased. */
  readonly forgetPersons: () => void;
  /** There in a sandbox only. */
  readonly moved: MovedStreams | undefined;
  /** There where the log is not in the same Postgres as the tables. */
  readonly lost: LostRows | undefined;
  readonly closings: Closings;
  readonly listening: Listening;
  readonly jobs: Jobs;
  readonly every: Every;
  /** Of this process: what it claims is free when it ends. */
  readonly session: WorkSession;
  readonly leases: Leases;
  readonly sealer: Sealer;
  readonly domainRecords: DomainRecords;
  readonly commands: Commands;
  readonly tokens: Tokens;
  /** What the log is told of them. */
  readonly tokenRecords: TokenRecords;
  readonly agentCredentials: AgentCredentials;
  readonly redemptions: Redemptions;
  readonly consoleSessions: ConsoleSessions;
  readonly rates: Rates;
  readonly progress: Progress;
  /** How far reactions have come, where this process is the one that reacts. */
  readonly reacted: Progress;
  /** A request, or a timer, waits this long for the read models to show what came before it. */
  readonly projectionWaitMs: number;
  readonly untilAllShown: UntilAllShown;
  /** Of this process' own pools. */
  readonly waits: Waits;
  /** Events up to this position are told to nobody. */
  readonly webhooksAfter: bigint;
  /** Whether the read models have come so far that deliveries and timers may begin. */
  readonly caughtUp: () => Promise<boolean>;
  readonly idempotency: IdempotencyStore;
  readonly contents: DocumentContents;
  readonly times: PlatformTimes;
  /** What the service itself does has this time: leases, credentials, limits, mails, what it says to other servers. */
  readonly installationNow: () => Date;
  /** Of the platform that something is done for: all that its objects are stamped and compared with. */
  readonly now: () => Date;
};

type CoreOverrides = {
  readonly jobs?: Jobs;
  readonly unchained?: boolean;
  readonly ids?: Ids;
  readonly domainRecords?: DomainRecords;
  readonly patienceMs?: number | undefined;
  readonly everyMs?: EveryMs;
  readonly logSetBack?: (error: LogSetBack) => void;
};

type Opened = {
  readonly databaseUrl: string;
  readonly masterKeys: MasterKeys;
  readonly rates: Rates;
  readonly log: Log;
  readonly clock: Clock;
};

export async function openCore(
  config: Config,
  overrides: CoreOverrides,
  { databaseUrl, masterKeys, rates, log, clock }: Opened,
  closers: Closer[],
): Promise<Core> {
  const installationNow = () => clock.now();
  const times = createPlatformTimes(clock);
  const { now } = times;
  const { database, projectionMs: projectionWaitMs } = waitsOf(overrides.patienceMs);
  const seen = createSeen(overrides.logSetBack);
  const { eventStoreUrl, streamPrefix } = config;
  const listening = openListening(databaseUrl, log);
  closers.push(() => listening.stop());
  const metrics = createMetrics();
  const { logCalled: called } = metrics;
  const wholeLog = await openEventStore({
    eventStoreUrl,
    streamPrefix,
    databaseUrl,
    log,
    listening,
    waits: { ...database, askNew: seen.requireIn },
    seen,
    called,
  });
  closers.push(() => wholeLog.close());
  const lost = eventStoreUrl === undefined ? undefined : createLostRows(wholeLog);
  const waits = { ...database, askNew: lost?.askNew ?? seen.requireIn };
  const pool = createPool({ url: databaseUrl, max: booksConnectionsMax, name: 'books', ...waits });
  const readDb = createReadDb(pool);
  const ids = overrides.ids ?? (await openIds(config.sandboxSeed, pool));
  const listDb = createListDb(databaseUrl, listConnectionsMax, times.tenant, waits);
  closers.push(
    () => readDb.destroy(),
    () => listDb.destroy(),
  );
  const moved = config.environment === 'sandbox' ? await openMovedStreams(wholeLog, restored) : undefined;
  const sealer = createSealer(masterKeys);
  const persons = personKeys(pool, sealer);
  const vault = createVault(eventSchemas, persons);
  const store = shownLog(moved?.store ?? wholeLog, vault);
  await requireOwnLog({ readDb, store }, config);
  await foundCheckpoints(readDb, () => store.last());
  const { webhooks: webhooksAfter, deliveries } = await loadBeginnings(readDb);
  const caughtUp = createCaughtUp(readDb, deliveries);
  const closings = postgresClosings(pool, log);
  const commands = createDispatcher(
    {
      store,
      newEventId: eventIdsOf(ids),
      now: installationNow,
      times,
      closings,
      hide: hidingFor(vault),
      ...(moved && { placeOf: moved.placeOf, onMove: moved.onMove }),
      ...(overrides.unchained && { seal: (_stream, _head, events) => events }),
    },
    aggregates,
    reactions,
  );
  if (config.environment === 'sandbox') await followPlatformClocks({ readDb, listening, times, log });
  const at = config.redisUrl ? { redisUrl: config.redisUrl } : { databaseUrl, waits };
  const jobs = overrides.jobs ?? (await openJobs(at, queuesMax, log));
  closers.push(jobs.close);
  const session = openWorkSession(databaseUrl, waits);
  closers.push(session.end);
  const { everyMs = (_, ms) => ms } = overrides;
  const leases = openLeases(databaseUrl, log, everyMs('leases', retryMs));
  const progress = createProgress();
  listenForProgress(listening, readDb, progress);
  const tokenRecords = createTokenRecords({ commands, now: installationNow, log });
  const tokens = createTokens(readDb, tokenRecords);
  const consoleSessions = createConsoleSessions({ pool, findToken: tokens.find, now: installationNow });
  const idempotency = idempotencyStore({
    pool,
    now: installationNow,
    seed: ids.seeded?.mark,
    ...(lost && { lostUntil: lost.until }),
  });
  const contents = createDocumentContents({ pool, commands, ids, now: installationNow });
  const every = createEvery({ log, failed: metrics.periodicWorkFailed, everyMs });
  const domainRecords = overrides.domainRecords ?? { textsAt };
  const forgetPersons = () => {
    persons.forget();
    commands.forget();
  };
  const infrastructure = {
    clock,
    ids,
    log,
    metrics,
    databaseUrl,
    pool,
    readDb,
    listDb,
    store,
    wholeLog,
    persons,
    forgetPersons,
    moved,
    lost,
    closings,
    listening,
    jobs,
    every,
    session,
    leases,
    sealer,
    domainRecords,
  };
  const credentials = { tokens, tokenRecords, agentCredentials: agentCredentials(pool, sealer, ids.seeded) };
  const redemptions = createRedemptions(pool, sealer);
  return {
    ...infrastructure,
    ...credentials,
    redemptions,
    consoleSessions,
    config,
    commands,
    rates,
    progress,
    reacted: createProgress(),
    projectionWaitMs,
    untilAllShown: createUntilAllShown(store, progress, projectionWaitMs),
    waits,
    webhooksAfter,
    caughtUp,
    idempotency,
    contents,
    times,
    installationNow,
    now,
  };
}
