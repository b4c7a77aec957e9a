import { transactionLists } from '../../../projections/models/transaction-lists.ts';
import { createLive } from '../../api/console/live/live.ts';
import type { Operation } from '../../api/operation.ts';
import { createFollowers } from '../../api/sandbox/watching/followers.ts';
import { createRoom } from '../../infrastructure/http/doors/room.ts';
import {
  createFailureLimit,
  createOwnRateLimit,
  createRateLimits,
} from '../../infrastructure/http/once/rate-limits.ts';
import { behindMaxMs, createPressure } from '../../infrastructure/http/pressure.ts';
import { type Doors, type HttpServer, listenOn, usualDoors } from '../../infrastructure/http/server.ts';
import { seldom } from '../../infrastructure/observe/seldom.ts';
import type { Faults } from '../../sandbox/faults/faults.ts';
import { createFindAgent } from '../../use-cases/agents/authenticate.ts';
import { loadPlatform } from '../../use-cases/find/platform.ts';
import type { Erasures } from '../../workers/erasure/erasure.ts';
import { createPlatformClocks } from '../../workers/platform-clocks/platform-clocks.ts';
import type { PlatformSnapshots } from '../../workers/platform-snapshots/snapshots.ts';
import type { Webhooks } from '../../workers/webhooks/webhooks.ts';
import type { Config } from '../config.ts';
import { buildApp, buildMetricsApp } from '../http.ts';
import { basePath } from '../interface/address.ts';
import { allRoutes } from '../interface/routes.ts';
import type { Closer } from '../parts/closer.ts';
import type { Core } from '../parts/core/core.ts';
import { isPayment, openHealth } from '../parts/health.ts';
import { provers } from '../parts/provers.ts';
import type { Rails } from '../parts/rails.ts';
import { openReadiness } from '../parts/readiness.ts';
import { openRequestLog } from '../parts/request-log.ts';
import type { Wallets } from '../parts/wallets.ts';
import { connectionsWith, descriptorsMax } from '../start/descriptors.ts';
import { listening } from '../start/listening.ts';

/** So late the log has the first use of a token on a day. */
const recordUseEveryMs = 10_000;

/** Has an application listen on an address. Throws where it cannot. */
export type Listen = typeof listenOn;

type Parts = {
  readonly rails: Rails;
  readonly webhooks: Webhooks;
  readonly wallets: Wallets;
  /** There in a sandbox only. */
  readonly faults: Faults | undefined;
  readonly snapshots: PlatformSnapshots | undefined;
  readonly erasures: Erasures;
  /** What is there, and not as it should be. */
  readonly degraded: () => readonly string[];
};

/** Every process answers for its health and metrics; those with the role `api` serve the interface too. */
export async function startHttp(
  core: Core,
  { rails, webhooks, wallets, faults, snapshots, erasures, degraded }: Parts,
  { checkResponses = false, listen = listenOn }: { checkResponses?: boolean; listen?: Listen },
  closers: Closer[],
): Promise<HttpServer> {
  const { config, metrics, log, ids, tokens, tokenRecords, idempotency, progress, pool } = core;
  const counting = { pool, now: core.installationNow };
  const served = config.roles.includes('api');
  const { keys: webhookKeys, sender: webhookSender, turns: webhookTurns } = webhooks;
  const followers = createFollowers(core);
  const live = createLive(core);
  const health = openHealth(core, closers);
  const platformClocks = createPlatformClocks({ ...core, runTimer: rails.runTimer, webhooks });
  const routes = served
    ? allRoutes({
        ...rails,
        ...core,
        ...wallets,
        listTransactions: transactionLists(core.listDb),
        webhookKeys,
        webhookSender,
        webhookTurns,
        askForRedelivery: webhooks.askForRedelivery,
        followers,
        live,
        health,
        faults,
        snapshots,
        erasures,
        platformClocks,
        ...provers(core, () => `${config.publicUrl ?? server.origin}${basePath}`),
        sessionMs: config.walletSessionMs,
        quoteLifetimeMs: config.quoteLifetimeMs,
        operatorLimits: config.operatorLimits,
        allowPrivateWebhooks: config.webhooks.allowPrivate,
      }).filter(({ operation }) => isServed(operation, config.environment))
    : [];
  const recordUse = core.every('use of tokens', recordUseEveryMs, tokenRecords.recordUse);
  closers.push(tokenRecords.recordUse, recordUse);
  const requestLog = served ? openRequestLog(core, closers) : undefined;
  const app = buildApp({
    routes,
    trustedProxies: config.trustedProxies,
    log,
    metrics,
    receiveForRail: served ? rails.watched.receive?.bind(rails.watched) : undefined,
    receiveForScreening: served ? rails.screening.receive : undefined,
    admin: served ? adminOf(core) : undefined,
    environment: config.environment,
    metricsApart: config.metricsAddress !== undefined,
    ids,
    inTimeOf: core.times.within,
    idempotency,
    uploads: core.contents,
    findToken: tokens.find,
    consoleSessions: core.consoleSessions,
    used: tokenRecords.used,
    rateLimits: createRateLimits(counting, config.rateLimits),
    guesses: {
      strangers: createFailureLimit(counting, 'redeem', config.guesses.strangers),
      platforms: createFailureLimit(counting, 'invitations', config.guesses.platforms),
    },
    countList: createOwnRateLimit(config.listsPerMinute),
    requireWhole: (platformId) => snapshots?.requireWhole(platformId),
    staying: (platformId) => snapshots?.staying(platformId) ?? (() => undefined),
    isStrict: async (platformId) =>
      (await loadPlatform(core.commands, platformId)).strictIdempotency ?? false,
    refusesUnknownFields: async (platformId) =>
      (await loadPlatform(core.commands, platformId)).strictFields ?? false,
    findAgent: createFindAgent(core.commands, core.agentCredentials),
    checkResponses,
    requestMaxMs: config.requestMaxMs,
    pressure: createPressure(progress.behindMs, Math.max(behindMaxMs, core.projectionWaitMs / 2)),
    room: createRoom(),
    async projected(position, what) {
      const appended = performance.now();
      const shown = await progress.waitFor(position, core.projectionWaitMs);
      if (what === 'seen') return shown;
      metrics.projectionWaited((performance.now() - appended) / 1_000);
      if (!shown) metrics.projectionWaitTimedOut();
      return shown;
    },
    hasLost: progress.hasLost,
    restored: () => progress.restored(core.projectionWaitMs),
    repeatedWithOtherBody(operationId, requestId, fields) {
      metrics.repeatedWithOtherBody(operationId);
      log.warn({ operationId, requestId, fields }, 'a key was used again with another body');
    },
    lastPosition: () => core.store.last(),
    readiness: await openReadiness(core, closers),
    degraded,
    noteRequest(answered) {
      requestLog?.note(answered);
      health.note(answered.platformId, answered.ms, isPayment(answered));
    },
    installationNow: core.installationNow,
  });
  const doors = doorsOf(core, await descriptorsMax());
  if (config.metricsAddress) {
    const { port, host } = config.metricsAddress;
    const named = { host: 'DAYBOOK_METRICS_ADDRESS', port: 'DAYBOOK_METRICS_ADDRESS' };
    const shown = () => listen(buildMetricsApp(metrics.shown), port, host, doors);
    closers.push((await listening({ host, port }, named, shown)).close);
  }
  const server = await listening(config, { host: 'HOST', port: 'PORT' }, () =>
    listen(app, config.port, config.host, doors),
  );
  closers.push(server.close, followers.stop, live.stop, platformClocks.stop);
  if (served && config.environment === 'sandbox') void platformClocks.endAbandoned();
  return server;
}

const adminOf = ({ config, commands, readDb, untilAllShown, now }: Core) => {
  const { adminToken: token } = config.outside;
  return token === undefined ? undefined : { token, commands, readDb, untilAllShown, now };
};

function doorsOf({ config, log, installationNow }: Core, descriptors: number | undefined): Doors {
  const { connectionsPerAddress } = config;
  const connectionsMax = connectionsWith(descriptors, usualDoors.connectionsMax);
  if (connectionsMax < usualDoors.connectionsMax)
    log.warn({ descriptors, connectionsMax }, 'few files may be open: fewer connections are held');
  const isToTell = seldom(installationNow);
  const dropped = () => {
    if (isToTell()) log.warn({ connectionsMax }, 'connections are refused: as many are open as are held');
  };
  return { ...usualDoors, connectionsMax, connectionsPerAddress, dropped };
}

/** What takes no credentials cannot tell a sandbox's caller from another: it is there in a sandbox only. */
const isServed = ({ sandboxOnly, authentication }: Operation, environment: Config['environment']) =>
  environment === 'sandbox' || !sandboxOnly || authentication !== 'none';
