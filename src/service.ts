/** The composition root: from a configuration to a running service, and back down in reverse order. */
import { loadCheckpoint, saveCheckpoint } from '../projections/checkpoints.ts';
import { createReadDb, type ReadDb } from '../projections/database.ts';
import { migrateBooks } from '../projections/migrations/migrate.ts';
import { listenForProgress, projector, toDomainEvent } from '../projections/run.ts';
import { createFindAgent } from './agents/authenticate.ts';
import { type AgentCredentials, agentCredentials } from './agents/credentials.ts';
import { aggregates, type Commands, type DomainEvent } from './aggregates.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { loadRates, type Rates } from './exchange-rates/rates.ts';
import { type Clock, systemClock } from './infrastructure/clock.ts';
import { createDispatcher } from './infrastructure/commands/dispatch.ts';
import type { EventStore } from './infrastructure/event-store/event-store.ts';
import { eventStoreDb } from './infrastructure/event-store/eventstoredb.ts';
import { postgresEventStore } from './infrastructure/event-store/postgres.ts';
import { type IdempotencyStore, idempotencyStore } from './infrastructure/http/idempotency.ts';
import { type HttpServer, listenOn } from './infrastructure/http/server.ts';
import { type Ids, type InvitationId, systemIds, uuidOf } from './infrastructure/ids.ts';
import { createLog, type Log } from './infrastructure/log.ts';
import { createMetrics, type Metrics } from './infrastructure/metrics.ts';
import { createPool, type Pool } from './infrastructure/postgres.ts';
import { holdLease } from './infrastructure/workers/lease.ts';
import { every } from './infrastructure/workers/periodic.ts';
import { policyConsumer } from './infrastructure/workers/policies.ts';
import { createProgress, type Progress } from './infrastructure/workers/progress.ts';
import { openQueue } from './infrastructure/workers/queues.ts';
import { followLog } from './infrastructure/workers/subscribe.ts';
import { openDataDirectory } from './installation.ts';
import { basePath } from './openapi.ts';
import { bootstrapPlatform, type Credentials } from './platforms/bootstrap.ts';
import { policies } from './policies.ts';
import { createLocalPayments } from './rails/local-payments.ts';
import { noRail } from './rails/no-rail.ts';
import type { PaymentRail } from './rails/payment-rail.ts';
import { createPayments } from './rails/payments.ts';
import { createReceivers } from './rails/receivers.ts';
import { createTimers, type TimerJob } from './rails/timers.ts';
import { allRoutes } from './routes.ts';
import { sandboxRail } from './sandbox/rail.ts';
import { createTokens, type Tokens } from './tokens/tokens.ts';
import { createOutbox } from './webhooks/outbox.ts';
import { openWebhooks, type Webhooks } from './webhooks/webhooks.ts';

/** A request waits this long for the read models to show what it did. */
const projectionWaitMs = 2_000;
const reconcileEveryMs = 5_000;
/** A platform that is asked has this long to approve or reject (completion 17). */
const approvalMs = 10_000;
const forgetKeysEveryMs = 3_600_000;

export type Overrides = {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
  readonly rail?: PaymentRail;
  readonly checkResponses?: boolean;
};

type Reconciled = { readonly reconcile: () => Promise<number>; readonly empty: () => Promise<void> };

export type Service = {
  /** The address of the interface; `undefined` where this process does not serve it. */
  readonly url: string | undefined;
  readonly credentials: Credentials;
  /** Where the credentials are kept, and whether they were made just now; `undefined` when the environment gave them. */
  readonly credentialsFile: { readonly path: string; readonly created: boolean } | undefined;
  /** For tests: what is overdue is put back into the queue now, and what the queue holds can be thrown away. */
  readonly timers: Reconciled;
  /** The same for webhook deliveries. */
  readonly webhooks: Reconciled;
  /** Stops in an order in which nothing answered is lost. Safe to call twice. */
  stop(): Promise<void>;
};

/** Everything that takes requests and events has in common. */
type Core = {
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly databaseUrl: string;
  readonly pool: Pool;
  readonly readDb: ReadDb;
  readonly store: EventStore;
  readonly commands: Commands;
  readonly tokens: Tokens;
  readonly agentCredentials: AgentCredentials;
  readonly rates: Rates;
  readonly progress: Progress;
  readonly idempotency: IdempotencyStore;
  readonly now: () => Date;
};

type Closer = () => Promise<void>;

/** Starts what the configured roles need. What was started is stopped again when a later step fails. */
export async function startService(config: Config, overrides: Overrides = {}): Promise<Service> {
  const closers: Closer[] = [];
  const stop = once(async () => {
    for (const close of closers.toReversed()) await close();
  });
  try {
    return await start(config, overrides, closers, stop);
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

async function start(
  config: Config,
  overrides: Overrides,
  closers: Closer[],
  stop: Closer,
): Promise<Service> {
  const log = overrides.log ?? createLog(config.logLevel);
  const rates = await loadRates(config.ratesFile);
  const installation = await openDataDirectory(config, log);
  closers.push(installation.close);
  const { databaseUrl, masterKey, credentials, credentialsFile } = installation;
  const core = await openCore(config, overrides, { databaseUrl, rates, log }, closers);
  const bootstrapped = await bootstrapPlatform(core, credentials, config.environment);

  const rails = openRails(core, overrides, closers);
  const webhooks = openOutgoing(core, masterKey, closers);
  if (config.roles.includes('projector')) project(core, closers);
  if (config.roles.includes('worker')) work(core, rails, webhooks, closers);
  if (bootstrapped !== undefined) await core.progress.waitFor(bootstrapped, projectionWaitMs);
  const server = await serve(core, rails, webhooks, overrides, closers);
  const url = config.roles.includes('api') ? `${server.origin}${basePath}` : undefined;
  return {
    url,
    credentials,
    credentialsFile,
    timers: { reconcile: rails.timers.reconcile, empty: rails.queue.empty },
    webhooks: { reconcile: webhooks.delivery.reconcile, empty: webhooks.empty },
    stop,
  };
}

async function openCore(
  config: Config,
  overrides: Overrides,
  { databaseUrl, rates, log }: { databaseUrl: string; rates: Rates; log: Log },
  closers: Closer[],
): Promise<Core> {
  const clock = overrides.clock ?? systemClock;
  const ids = overrides.ids ?? systemIds;
  const now = () => clock.now();
  const pool = createPool({ url: databaseUrl, max: 20, name: 'books' });
  const readDb = createReadDb(pool);
  closers.push(() => readDb.destroy());
  await migrateBooks(readDb);
  const { eventStoreUrl } = config;
  const store = eventStoreUrl
    ? eventStoreDb({ url: eventStoreUrl, log })
    : await postgresEventStore(databaseUrl, log);
  closers.push(() => store.close());
  const commands = createDispatcher({ store, newEventId: ids.uuid, now }, aggregates, policies);
  const progress = createProgress();
  const listener = listenForProgress(databaseUrl, readDb, progress, log);
  closers.push(() => listener.stop());
  const tokens = createTokens(pool);
  const idempotency = idempotencyStore(pool, now);
  const metrics = createMetrics();
  const infrastructure = { clock, ids, log, metrics, databaseUrl, pool, readDb, store };
  const credentials = { tokens, agentCredentials: agentCredentials(pool) };
  return { ...infrastructure, ...credentials, config, commands, rates, progress, idempotency, now };
}

/** The outside world and what waits for it. */
function openRails(core: Core, overrides: Overrides, closers: Closer[]) {
  const { config, commands, readDb, log, now } = core;
  const queue = openQueue<TimerJob>(queueConnection(core), 'timers', log);
  closers.push(() => queue.close());
  const isSandbox = config.environment === 'sandbox';
  const rail = overrides.rail ?? (isSandbox ? sandboxRail(now, config.sandboxTimeScale) : noRail);
  const receivers = createReceivers(commands, rail);
  const local = createLocalPayments({ commands, readDb, now, approvalMs });
  const payments = createPayments({ commands, rail, local, receivers, now });
  const timers = createTimers({ commands, payments, queue, readDb, now });
  return { queue, rail, receivers, local, payments, timers };
}

const queueConnection = ({ config, databaseUrl }: Core) =>
  config.redisUrl ? { redisUrl: config.redisUrl } : { databaseUrl };

function openOutgoing(core: Core, masterKey: string, closers: Closer[]): Webhooks {
  const { config, pool, readDb, commands, databaseUrl, metrics, log, now } = core;
  const webhooks = openWebhooks({
    ...{ pool, readDb, commands, databaseUrl, masterKey, log, now, ...config.webhooks },
    connection: queueConnection(core),
    attempted: metrics.webhookAttempted,
  });
  closers.push(webhooks.close);
  return webhooks;
}

function project(
  { readDb, store, commands, databaseUrl, progress, metrics, log }: Core,
  closers: Closer[],
): void {
  const passed = (position: bigint) => {
    progress.passed(position);
    metrics.projected(position);
  };
  const loadInvitation = (id: InvitationId) => commands.load('invitation', uuidOf(id));
  const consumer = projector(readDb, passed, [createOutbox({ loadInvitation })]);
  const lease = holdLease(databaseUrl, 'projections', log, (signal) =>
    followLog(store, consumer, log, signal),
  );
  closers.push(() => lease.stop());
}

type Rails = ReturnType<typeof openRails>;

function work(core: Core, { timers, payments, queue }: Rails, webhooks: Webhooks, closers: Closer[]): void {
  const { readDb, store, databaseUrl, commands, idempotency, metrics, log, now } = core;
  const consumer = policyConsumer<DomainEvent>({
    decode: toDomainEvent,
    reactions: [(event) => commands.react(event, {}), payments.submit, timers.schedule],
    load: () => loadCheckpoint(readDb, 'policies'),
    save: (position) => saveCheckpoint(readDb, 'policies', position),
    refused: metrics.policyRefused,
    log,
  });
  const lease = holdLease(databaseUrl, 'policies', log, (signal) => followLog(store, consumer, log, signal));
  closers.push(() => lease.stop());
  queue.work(timers.run);
  closers.push(
    webhooks.work(),
    every(reconcileEveryMs, log, async () => metrics.timersReconciled(await timers.reconcile())),
    every(forgetKeysEveryMs, log, () => idempotency.forgetOld(now())),
  );
}

/** Every process answers for its health and metrics; those with the role `api` serve the interface too. */
async function serve(
  core: Core,
  rails: Rails,
  webhooks: Webhooks,
  overrides: Overrides,
  closers: Closer[],
): Promise<HttpServer> {
  const { config, metrics, log, ids, tokens, idempotency, progress, pool, store } = core;
  const served = config.roles.includes('api');
  const { keys: webhookKeys, sender: webhookSender, store: webhookStore } = webhooks;
  const routes = served
    ? allRoutes({
        ...{ ...rails, ...core, webhookKeys, webhookSender, webhookStore },
        quoteLifetimeMs: config.quoteLifetimeMs,
        allowPrivateWebhooks: config.webhooks.allowPrivate,
      })
    : [];
  const app = buildApp({
    ...{ routes, log, metrics, ids, idempotency, findToken: tokens.find },
    findAgent: createFindAgent(core.commands, core.agentCredentials),
    checkResponses: overrides.checkResponses ?? false,
    async projected(position) {
      if (!(await progress.waitFor(position, projectionWaitMs))) metrics.projectionWaitTimedOut();
    },
    async notReady() {
      const checks = { database: pool.query('select 1'), eventStore: store.read('readiness') };
      const results = await Promise.allSettled(Object.values(checks));
      return Object.keys(checks).filter((_name, n) => results[n]?.status === 'rejected');
    },
  });
  const server = await listenOn(app, config.port, config.host);
  closers.push(server.close);
  return server;
}

function once(work: Closer): Closer {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
