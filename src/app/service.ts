/** The composition root: from a configuration to a running service, and back down in reverse order. */

import { timingSafeEqual } from 'node:crypto';
import { requireKnownTables } from '../../projections/migrations/migrate.ts';
import type { DomainRecords } from '../domain/ports/domain-records.ts';
import { unlessAborted } from '../infrastructure/deadlines/within.ts';
import type { EventStoreDbClient } from '../infrastructure/event-store/eventstoredb.ts';
import { migrateLog } from '../infrastructure/event-store/postgres/schema.ts';
import type { LogSetBack } from '../infrastructure/event-store/postgres/seen.ts';
import type { EveryMs } from '../infrastructure/jobs/periodic.ts';
import type { Jobs } from '../infrastructure/jobs/queues.ts';
import { createLog, forgetOutages, type Log } from '../infrastructure/observe/log.ts';
import { once } from '../infrastructure/scheduling/once.ts';
import { hashSecret } from '../infrastructure/secrets/hash.ts';
import type { Ids } from '../kernel/ids.ts';
import { openFaults } from '../sandbox/faults/faults.ts';
import type { Tokens } from '../use-cases/tokens/tokens.ts';
import { type Mailer, smtpMailer } from '../workers/mail/smtp.ts';
import type { Sender } from '../workers/webhooks/send.ts';
import { bootstrapPlatform, type Credentials } from './bootstrap.ts';
import type { Config } from './config.ts';
import { type CredentialsFile, type Installation, openDataDirectory } from './installation.ts';
import { basePath } from './interface/address.ts';
import { followClock, migrate, openClock, type ReadableClock } from './parts/clock.ts';
import type { Closer } from './parts/closer.ts';
import { type Core, openCore, waitsOf } from './parts/core/core.ts';
import { requireOwnLog } from './parts/core/own-log.ts';
import { openErasures } from './parts/erasures.ts';
import { finishRestoring, openSnapshots } from './parts/platform-snapshots.ts';
import { type OwnRail, openRails } from './parts/rails.ts';
import { loadRates, refreshRates } from './parts/rates.ts';
import type { OwnScreening } from './parts/screening.ts';
import { openWallets } from './parts/wallets.ts';
import { openOutgoing } from './parts/webhooks.ts';
import { type Listen, startHttp } from './roles/api.ts';
import { startLogTree } from './roles/log-tree.ts';
import { startProjector } from './roles/projector.ts';
import { startWorker } from './roles/worker.ts';
import { requireMasterKey } from './sealed-columns.ts';
import { toldAsLack } from './start/lack.ts';
import { requireStillTheirRail, requireTheirRail } from './start/one-rail.ts';
import { withRights } from './start/rights.ts';
import { ofThisVersion } from './start/versions.ts';

export type Overrides = {
  /** What was opened before, while this code was being loaded; it is closed with the service. */
  readonly installation?: Promise<Installation>;
  /** Instead of the clock of the installation; read again and again where it can be. */
  readonly clock?: ReadableClock;
  readonly ids?: Ids;
  readonly log?: Log;
  /** Instead of a client of EventStoreDB over the network. */
  readonly logClient?: (url: string) => EventStoreDbClient;
  /** Instead of the rails of the configuration, for every platform. */
  readonly rail?: OwnRail;
  /** Instead of the screening of the configuration, or of the sandbox. */
  readonly screening?: OwnScreening;
  /** Instead of the queues of BullMQ; they are closed with the service. */
  readonly jobs?: Jobs;
  /** Instead of calls to receivers over the network. */
  readonly sender?: Sender;
  /** Instead of the mail server of the configuration. */
  readonly mailer?: Mailer;
  /** Instead of a port that is listened on. */
  readonly listen?: Listen;
  readonly domainRecords?: DomainRecords;
  readonly checkResponses?: boolean;
  /** How long the service waits for Postgres and for the read models, instead of as long as usual. In milliseconds. */
  readonly patienceMs?: number | undefined;
  /** Interval of periodic tasks, in ms, in place of the usual one. */
  readonly everyMs?: EveryMs;
  /** For measurements: events have no hashes, and there is no tree over them. */
  readonly unchained?: boolean;
  /** Told that the log lacks what this process has seen of it: until the process ends, it serves nobody. */
  readonly logSetBack?: (error: LogSetBack) => void;
  /** Ends a start that is not over. */
  readonly signal?: AbortSignal;
};

type Reconciled = { readonly reconcile: () => Promise<number>; readonly empty: () => Promise<void> };

export type Service = {
  /** The address of the interface; `undefined` where this process does not serve it. */
  readonly url: string | undefined;
  readonly credentials: Credentials;
  /** Whether they are still taken: the token may have been deleted. */
  readonly credentialsWork: boolean;
  /** Where the credentials are kept; `undefined` when the environment gave them. */
  readonly credentialsFile: CredentialsFile | undefined;
  /** For tests: what is overdue is put back into the queue now, and what the queue holds can be thrown away. */
  readonly timers: Reconciled;
  /** The same for webhook deliveries: what is due is attempted now. */
  readonly webhooks: Reconciled;
  /** For tests: one more platform beside the first, with a first token of its own. Its reads show it when this resolves. */
  readonly addPlatform: (credentials: Credentials) => Promise<void>;
  /** Stops in an order in which nothing answered is lost. Safe to call twice. */
  stop(): Promise<void>;
};

/**
 * Starts what the configured roles need. What was started is stopped again when a later step fails, or the signal ends the
 * start. Throws `CannotStart` for what an operator has to change.
 */
export async function startService(config: Config, overrides: Overrides = {}): Promise<Service> {
  const closers: Closer[] = [];
  const log = overrides.log ?? createLog(config.logLevel);
  const stop = once(async () => {
    const failures: unknown[] = [];
    // What cannot be closed keeps nothing else from it.
    for (const close of closers.toReversed())
      await close().catch((error: unknown) => void failures.push(error));
    if (failures.length > 0) log.warn({ err: failures[0] }, 'something could not be closed');
    forgetOutages(log);
  });
  try {
    return await unlessAborted(overrides.signal, start(config, { ...overrides, log }, closers, stop));
  } catch (error) {
    await stop().catch(() => undefined);
    throw toldAsLack(error, config);
  }
}

async function start(
  config: Config,
  overrides: Overrides & { readonly log: Log },
  closers: Closer[],
  stop: Closer,
): Promise<Service> {
  const opening = overrides.installation ?? openDataDirectory(config, overrides.log, overrides.signal);
  closers.push(async () => (await opening.catch(() => undefined))?.close());
  const installation = await opening;
  try {
    return await startOn(installation, config, overrides, closers, stop);
  } catch (error) {
    throw await installation.explained(error);
  }
}

async function startOn(
  installation: Installation,
  config: Config,
  overrides: Overrides & { readonly log: Log },
  closers: Closer[],
  stop: Closer,
): Promise<Service> {
  const { log } = overrides;
  const { databaseUrl, masterKeys, credentials, credentialsFile } = installation;
  const logFirst = config.eventStoreUrl === undefined ? () => migrateLog(databaseUrl) : undefined;
  await ofThisVersion(config, () => withRights(databaseUrl, () => migrate(databaseUrl, logFirst)));
  await requireTheirRail(databaseUrl, config);
  const clock =
    overrides.clock ?? (await openClock(databaseUrl, log, waitsOf(overrides.patienceMs).database));
  const { rates, live } = await loadRates(config, { log, now: () => clock.now() });
  const core = await openCore(config, overrides, { databaseUrl, masterKeys, rates, log, clock }, closers);
  // A later version may have changed them before it could see that this process is there.
  await ofThisVersion(config, () => requireKnownTables(core.readDb));
  await core.listening.begun();
  await requireStillTheirRail(core.pool, config);
  followClock(clock, core, closers);
  await requireMasterKey(core.pool, core.sealer);
  if (live) refreshRates(live, core, closers);
  await finishRestoring(core);
  const { position, isOneMore } = await bootstrapPlatform(core, credentials, {
    ...config,
    keptIn: credentialsFile?.path,
  });
  if (isOneMore)
    log.warn(
      { clientId: credentials.clientId },
      'the first token is of a new platform, beside those that the installation has',
    );
  await requireOwnLog(core, config);

  const faults = config.environment === 'sandbox' ? await openFaultsOf(core) : undefined;
  const { rail: ownRail, screening: ownScreening } = overrides;
  const rails = await openRails(core, { ownRail, ownScreening, faults }, closers);
  const webhooks = openOutgoing(core, { faults, ownSender: overrides.sender });
  // Of a Redis that says nothing each waits for a while, and the process is to end in time.
  closers.push(async () => void (await Promise.all([webhooks.close(), rails.queue.close()])));
  const mailer = overrides.mailer ?? (config.outside.smtp && smtpMailer(config.outside.smtp));
  const wallets = openWallets({ ...core, mailer });
  closers.push(wallets.close);
  const erasures = openErasures(core, wallets);
  const degraded = () => (live?.areStale() ? ['rates'] : []);
  const snapshots = openSnapshots(core, { rails, webhooks, faults });
  const parts = { rails, webhooks, wallets, faults, snapshots, erasures, degraded };
  if (config.roles.includes('projector')) {
    startProjector(core, closers);
    if (!overrides.unchained) startLogTree(core, closers);
  }
  if (config.roles.includes('worker')) startWorker(core, parts, closers);
  await shown(core, position);
  await untilCaughtUp(core);
  const server = await startHttp(core, parts, overrides, closers);
  // Before anything is waited for: who waits for a platform that is halfway would wait for good.
  closers.push(async () => snapshots?.stop());
  const url = config.roles.includes('api') ? `${server.origin}${basePath}` : undefined;
  await installation.servesAt(url ?? server.origin);
  return {
    url,
    credentials,
    credentialsWork: await areTaken(core.tokens, credentials),
    credentialsFile,
    timers: { reconcile: rails.timers.reconcile, empty: rails.queue.empty },
    webhooks: { reconcile: webhooks.reconcile, empty: webhooks.empty },
    addPlatform: async (added) => shown(core, (await bootstrapPlatform(core, added, config)).position),
    stop,
  };
}

/** Once the read models have passed the position, if there is one, or have been waited for long enough. */
async function shown(
  { progress, projectionWaitMs }: Pick<Core, 'progress' | 'projectionWaitMs'>,
  position: bigint | undefined,
): Promise<void> {
  if (position !== undefined) await progress.waitFor(position, projectionWaitMs);
}

/** A start waits so long, at the most, for what the former process was not able to show, or a crash has taken back. */
const caughtUpMaxMs = 1_000;

/** Before anybody asks for what was there, where the read models are not far behind; otherwise the requests wait for it. */
async function untilCaughtUp({ store, progress, projectionWaitMs }: Core): Promise<void> {
  progress.owe(await store.last());
  await progress.restored(Math.min(projectionWaitMs, caughtUpMaxMs));
}

const openFaultsOf = ({ pool, listening, log, times }: Core) =>
  openFaults({ pool, listening, log, nowOf: times.nowOf });

async function areTaken(tokens: Tokens, { clientId, clientSecret }: Credentials): Promise<boolean> {
  const found = await tokens.find(clientId);
  return found !== undefined && timingSafeEqual(found.secretHash, hashSecret(clientSecret));
}
