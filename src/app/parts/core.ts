/** What every role of a process rests on: log, commands, and what serves them. The tables have to be there. */
import { createListDb } from '../../../projections/bounded.ts';
import { createReadDb, type ReadDb } from '../../../projections/database.ts';
import { createCaughtUp, foundCheckpoints, loadBeginnings } from '../../../projections/kept/checkpoints.ts';
import { listenForProgress } from '../../../projections/projector/run.ts';
import { aggregates } from '../../domain/aggregates.ts';
import type { Rates } from '../../domain/money/rates.ts';
import type { DomainRecords } from '../../domain/ports/domain-records.ts';
import { reactions } from '../../domain/reactions/reactions.ts';
import type { Closings } from '../../infrastructure/closings/closings.ts';
import { postgresClosings } from '../../infrastructure/closings/postgres.ts';
import { createDispatcher } from '../../infrastructure/commands/dispatch.ts';
import { textsAt } from '../../infrastructure/dns.ts';
import type { EventStore } from '../../infrastructure/event-store/event-store.ts';
import { createProgress, type Progress } from '../../infrastructure/event-store/progress.ts';
import { type IdempotencyStore, idempotencyStore } from '../../infrastructure/http/once/idempotency.ts';
import { type Leases, openLeases } from '../../infrastructure/jobs/lease.ts';
import { createEvery, type Every } from '../../infrastructure/jobs/periodic.ts';
import { type Jobs, openJobs } from '../../infrastructure/jobs/queues.ts';
import { openWorkSession, type WorkSession } from '../../infrastructure/jobs/work-session.ts';
import type { Log } from '../../infrastructure/observe/log.ts';
import { type Listening, openListening } from '../../infrastructure/postgres/listen.ts';
import { createPool, type Pool } from '../../infrastructure/postgres/pool.ts';
import { createSealer, type MasterKeys, type Sealer } from '../../infrastructure/secrets/sealing.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Ids, systemIds } from '../../kernel/ids.ts';
import { type AgentCredentials, agentCredentials } from '../../use-cases/agents/credentials.ts';
import { createRedemptions, type Redemptions } from '../../use-cases/agents/redemptions.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { createDocumentContents, type DocumentContents } from '../../use-cases/documents/contents.ts';
import { createTokenRecords, type TokenRecords } from '../../use-cases/tokens/records.ts';
import { createTokens, type Tokens } from '../../use-cases/tokens/tokens.ts';
import type { Config } from '../config.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import { openEventStore } from './event-store.ts';

/** A request, or a timer, waits this long for the read models to show what came before it. */
export const projectionWaitMs = 2_000;

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
  readonly store: EventStore;
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
  readonly rates: Rates;
  readonly progress: Progress;
  /** Events up to this position are told to nobody. */
  readonly webhooksAfter: bigint;
  /** Whether the read models have come so far that deliveries and timers may begin. */
  readonly caughtUp: () => Promise<boolean>;
  readonly idempotency: IdempotencyStore;
  readonly contents: DocumentContents;
  readonly now: () => Date;
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
  overrides: { readonly ids?: Ids; readonly domainRecords?: DomainRecords },
  { databaseUrl, masterKeys, rates, log, clock }: Opened,
  closers: Closer[],
): Promise<Core> {
  const ids = overrides.ids ?? systemIds;
  const now = () => clock.now();
  const pool = createPool({ url: databaseUrl, max: booksConnectionsMax, name: 'books' });
  const readDb = createReadDb(pool);
  const listDb = createListDb(databaseUrl, listConnectionsMax);
  closers.push(
    () => readDb.destroy(),
    () => listDb.destroy(),
  );
  const { eventStoreUrl } = config;
  const listening = openListening(databaseUrl, log);
  closers.push(() => listening.stop());
  const store = await openEventStore({ eventStoreUrl, databaseUrl, log, listening });
  closers.push(() => store.close());
  await foundCheckpoints(readDb, () => store.last());
  const { webhooks: webhooksAfter, deliveries } = await loadBeginnings(readDb);
  const caughtUp = createCaughtUp(readDb, deliveries);
  const closings = postgresClosings(pool, log);
  const commands = createDispatcher({ store, newEventId: ids.uuid, now, closings }, aggregates, reactions);
  const at = config.redisUrl ? { redisUrl: config.redisUrl } : { databaseUrl };
  const jobs = await openJobs(at, queuesMax, log);
  closers.push(jobs.close);
  const session = openWorkSession(databaseUrl);
  closers.push(session.end);
  const leases = openLeases(databaseUrl, log);
  const progress = createProgress();
  listenForProgress(listening, readDb, progress);
  const tokenRecords = createTokenRecords({ commands, now, log });
  const tokens = createTokens(readDb, tokenRecords);
  const idempotency = idempotencyStore(pool, now);
  const contents = createDocumentContents({ pool, commands, ids, now });
  const metrics = createMetrics();
  const sealer = createSealer(masterKeys);
  const every = createEvery({ log, failed: metrics.periodicWorkFailed });
  const domainRecords = overrides.domainRecords ?? { textsAt };
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
    closings,
    listening,
    jobs,
    every,
    session,
    leases,
    sealer,
    domainRecords,
  };
  const credentials = { tokens, tokenRecords, agentCredentials: agentCredentials(pool, sealer) };
  const redemptions = createRedemptions(pool, sealer);
  return {
    ...infrastructure,
    ...credentials,
    redemptions,
    config,
    commands,
    rates,
    progress,
    webhooksAfter,
    caughtUp,
    idempotency,
    contents,
    now,
  };
}
