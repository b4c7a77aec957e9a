/** The composition root: from a configuration to a running service, and back down in reverse order. */
import { loadCheckpoint, saveCheckpoint } from '../../projections/kept/checkpoints.ts';
import { toDomainEvent } from '../../projections/projector/events.ts';
import { projectedChannel, projector } from '../../projections/projector/run.ts';
import type { Operation } from '../api/operation.ts';
import { createOutbox } from '../api/webhooks/content.ts';
import type { DomainEvent } from '../domain/aggregates.ts';
import { noRail } from '../domain/ports/no-rail.ts';
import type { PaymentRail } from '../domain/ports/payment-rail.ts';
import { noScreening } from '../domain/ports/screening.ts';
import { reactionConsumer } from '../infrastructure/commands/reaction-consumer.ts';
import { followLog } from '../infrastructure/event-store/follow-log.ts';
import { createRateLimits } from '../infrastructure/http/once/rate-limits.ts';
import { type HttpServer, listenOn } from '../infrastructure/http/server.ts';
import { holdLease } from '../infrastructure/jobs/lease.ts';
import { every } from '../infrastructure/jobs/periodic.ts';
import { openQueue } from '../infrastructure/jobs/queues.ts';
import { createLog, type Log } from '../infrastructure/observe/log.ts';
import { announcements } from '../infrastructure/postgres/announce.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import { createSandboxIssuer } from '../sandbox/oidc-issuer.ts';
import { sandboxRail } from '../sandbox/rail.ts';
import { sandboxScreening } from '../sandbox/screening.ts';
import { createFindAgent } from '../use-cases/agents/authenticate.ts';
import { createReceivers } from '../use-cases/find/receivers.ts';
import { createLocalPayments } from '../use-cases/payments/local-payments.ts';
import { createPayments } from '../use-cases/payments/rail-payments.ts';
import { createRunTimer } from '../use-cases/payments/run-timer.ts';
import { remoteKeys } from '../use-cases/wallets/crypto/oidc-tokens.ts';
import { createTimers, type TimerJob } from '../workers/timers.ts';
import { openWebhooks, type Webhooks } from '../workers/webhooks/webhooks.ts';
import { bootstrapPlatform, type Credentials } from './bootstrap.ts';
import type { Config } from './config.ts';
import { type Closer, type Core, openCore, queueConnection } from './core.ts';
import { buildApp } from './http.ts';
import { openDataDirectory } from './installation.ts';
import { basePath } from './interface/openapi.ts';
import { allRoutes } from './interface/routes.ts';
import { loadRates } from './rates.ts';
import { openWallets, type Wallets } from './wallets.ts';

/** A request waits this long for the read models to show what it did. */
const projectionWaitMs = 2_000;
const reconcileEveryMs = 5_000;
/** A job for timers does all that are due: few are at work at a time. */
const timersAtOnce = 2;
/** A platform that is asked has this long to approve or reject. */
const approvalMs = 10_000;
const forgetKeysEveryMs = 3_600_000;
const sweepEveryMs = 600_000;

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
  const { databaseUrl, masterKeys, credentials, credentialsFile } = installation;
  const core = await openCore(config, overrides, { databaseUrl, masterKeys, rates, log }, closers);
  const bootstrapped = await bootstrapPlatform(core, credentials, config);

  const rails = openRails(core, overrides, closers);
  const webhooks = openOutgoing(core, closers);
  const wallets = openWallets({ ...core, smtpUrl: config.smtpUrl, connection: queueConnection(core) });
  closers.push(wallets.close);
  if (config.roles.includes('projector')) project(core, closers);
  if (config.roles.includes('worker')) work(core, rails, webhooks, wallets, closers);
  if (bootstrapped !== undefined) await core.progress.waitFor(bootstrapped, projectionWaitMs);
  const server = await serve(core, rails, webhooks, wallets, overrides, closers);
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

/** The outside world and what waits for it. */
function openRails(core: Core, overrides: Overrides, closers: Closer[]) {
  const { config, commands, readDb, log, now } = core;
  const queue = openQueue<TimerJob>(queueConnection(core), 'timers', log, timersAtOnce);
  closers.push(() => queue.close());
  const isSandbox = config.environment === 'sandbox';
  const rail = overrides.rail ?? (isSandbox ? sandboxRail(now, config.sandboxTimeScale) : noRail);
  const receivers = createReceivers(commands, rail);
  const local = createLocalPayments({ commands, readDb, now, approvalMs });
  const screening = isSandbox ? sandboxScreening : noScreening;
  const payments = createPayments({ commands, rail, local, receivers, now });
  const runTimer = createRunTimer({ commands, payments, now });
  const projected = (position: bigint) => core.progress.waitFor(position, projectionWaitMs);
  const timers = createTimers({ runTimer, queue, readDb, projected, now });
  return { queue, rail, screening, receivers, local, payments, timers };
}

function openOutgoing(core: Core, closers: Closer[]): Webhooks {
  const { config, pool, readDb, commands, databaseUrl, sealer, metrics, log, now } = core;
  const webhooks = openWebhooks({
    ...{ pool, readDb, commands, databaseUrl, sealer, log, now, ...config.webhooks },
    connection: queueConnection(core),
    attempted: metrics.webhookAttempted,
  });
  closers.push(webhooks.close);
  return webhooks;
}

function project(
  { pool, readDb, store, databaseUrl, progress, metrics, log }: Core,
  closers: Closer[],
): void {
  const others = announcements(pool, projectedChannel);
  const passed = (position: bigint) => {
    progress.passed(position);
    others.announce(position.toString());
    metrics.projected(position);
  };
  const consumer = projector({ db: readDb, store, passed, extra: [createOutbox()] });
  const lease = holdLease(databaseUrl, 'projections', log, (signal) =>
    followLog(store, consumer, log, signal),
  );
  closers.push(others.stop, () => lease.stop());
}

type Rails = ReturnType<typeof openRails>;

function work(
  core: Core,
  { timers, payments, queue }: Rails,
  webhooks: Webhooks,
  wallets: Wallets,
  closers: Closer[],
): void {
  const { readDb, store, databaseUrl, commands, idempotency, contents, metrics, log, now } = core;
  const consumer = reactionConsumer<DomainEvent>({
    decode: toDomainEvent,
    reactions: [
      (event) => commands.react(event, {}),
      payments.submit,
      timers.schedule,
      wallets.react,
      contents.tidy,
    ],
    load: () => loadCheckpoint(readDb, 'policies'),
    save: (position) => saveCheckpoint(readDb, 'policies', position),
    refused: metrics.reactionRefused,
    log,
  });
  const lease = holdLease(databaseUrl, 'policies', log, (signal) => followLog(store, consumer, log, signal));
  closers.push(() => lease.stop());
  queue.work(timers.run);
  closers.push(
    webhooks.work(),
    wallets.work(),
    every(reconcileEveryMs, log, async () => metrics.timersReconciled(await timers.reconcile())),
    every(forgetKeysEveryMs, log, () => idempotency.forgetOld(now())),
    every(sweepEveryMs, log, contents.sweep),
  );
}

/** Every process answers for its health and metrics; those with the role `api` serve the interface too. */
async function serve(
  core: Core,
  rails: Rails,
  webhooks: Webhooks,
  wallets: Wallets,
  overrides: Overrides,
  closers: Closer[],
): Promise<HttpServer> {
  const { config, metrics, log, ids, tokens, idempotency, progress, pool, store } = core;
  const served = config.roles.includes('api');
  const { keys: webhookKeys, sender: webhookSender, store: webhookStore } = webhooks;
  const routes = served
    ? allRoutes({
        ...{ ...rails, ...core, ...wallets, webhookKeys, webhookSender, webhookStore },
        ...provers(core, () => `${config.publicUrl ?? server.origin}${basePath}`),
        sessionMs: config.walletSessionMs,
        quoteLifetimeMs: config.quoteLifetimeMs,
        allowPrivateWebhooks: config.webhooks.allowPrivate,
      }).filter(({ operation }) => isServed(operation, config.environment))
    : [];
  const app = buildApp({
    ...{ routes, log, metrics, ids, idempotency, uploads: core.contents, findToken: tokens.find },
    rateLimits: createRateLimits(pool, config.rateLimits),
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

/** What takes no credentials cannot tell a sandbox's caller from another: it is there in a sandbox only. */
const isServed = ({ sandboxOnly, authentication }: Operation, environment: Config['environment']) =>
  environment === 'sandbox' || !sandboxOnly || authentication !== 'none';

/** Who vouches for the identities of wallet credentials. */
function provers({ config, pool, sealer, now }: Core, baseUrl: () => string) {
  const sandboxIssuer = createSandboxIssuer({ pool, sealer, now, baseUrl });
  const configured = config.oidc.issuers.map(({ issuer, audience, jwksUrl }) => ({
    issuer,
    audiences: audience,
    keys: remoteKeys(jwksUrl),
  }));
  return {
    sandboxIssuer,
    issuersFor: (environment: Config['environment']) =>
      environment === 'sandbox' ? [...configured, sandboxIssuer.issuer()] : configured,
    requireNonce: config.oidc.requireNonce,
    passkeyRules: config.passkeys,
  };
}

function once(work: Closer): Closer {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
