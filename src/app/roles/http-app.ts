/** What answers requests, made of the parts of a process: whom it asks who calls, what it counts, what it waits for. */
import type { Express } from 'express';
import type { Health } from '../../api/console/health/ring.ts';
import type { RequestLog } from '../../api/console/requests/log.ts';
import { createRoom } from '../../infrastructure/http/doors/room.ts';
import {
  createFailureLimit,
  createOwnRateLimit,
  createRateLimits,
} from '../../infrastructure/http/once/rate-limits.ts';
import { behindMaxMs, createPressure } from '../../infrastructure/http/pressure.ts';
import { createFindAgent } from '../../use-cases/agents/authenticate.ts';
import { loadPlatform } from '../../use-cases/find/platform.ts';
import type { PlatformSnapshots } from '../../workers/platform-snapshots/snapshots.ts';
import { type AppDeps, buildApp } from '../http.ts';
import type { Core } from '../parts/core/core.ts';
import { isPayment } from '../parts/health.ts';
import type { Rails } from '../parts/rails.ts';

export type AppParts = Pick<AppDeps, 'routes' | 'readiness' | 'degraded' | 'checkResponses'> & {
  /** Whether the interface is, and not health and metrics alone. */
  readonly served: boolean;
  readonly rails: Rails;
  /** There in a sandbox only. */
  readonly snapshots: PlatformSnapshots | undefined;
  readonly health: Health;
  /** Not there where requests are not kept. */
  readonly requestLog: RequestLog | undefined;
};

export function httpApp(core: Core, parts: AppParts): Express {
  const { config, metrics, log, ids, tokens, tokenRecords, idempotency, progress, pool } = core;
  const { routes, served, rails, snapshots, health, requestLog, readiness, degraded, checkResponses } = parts;
  const counting = { pool, now: core.installationNow };
  return buildApp({
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
    environmentOf: rails.environmentOf,
    isStrict: async (platformId) =>
      (await loadPlatform(core.commands, platformId)).strictIdempotency ?? false,
    refusesUnknownFields: async (platformId) =>
      (await loadPlatform(core.commands, platformId)).strictFields ?? false,
    findAgent: createFindAgent(core.commands, core.agentCredentials),
    checkResponses,
    requestMaxMs: config.requestMaxMs,
    pressure: createPressure(progress.behindMs, Math.max(behindMaxMs, core.projectionWaitMs / 2)),
    room: createRoom(),
    projected: projectedOf(core),
    hasLost: progress.hasLost,
    restored: () => progress.restored(core.projectionWaitMs),
    repeatedWithOtherBody(operationId, requestId, fields) {
      metrics.repeatedWithOtherBody(operationId);
      log.warn({ operationId, requestId, fields }, 'a key was used again with another body');
    },
    lastPosition: () => core.store.last(),
    readiness,
    degraded,
    noteRequest(answered) {
      requestLog?.note(answered);
      health.note(answered.platformId, answered.ms, isPayment(answered));
    },
    installationNow: core.installationNow,
  });
}

function projectedOf({ progress, projectionWaitMs, metrics }: Core): AppDeps['projected'] {
  return async (position, what) => {
    const appended = performance.now();
    const shown = await progress.waitFor(position, projectionWaitMs);
    if (what === 'seen') return shown;
    metrics.projectionWaited((performance.now() - appended) / 1_000);
    if (!shown) metrics.projectionWaitTimedOut();
    return shown;
  };
}

const adminOf = ({ config, commands, readDb, untilAllShown, now }: Core) => {
  const { adminToken: token } = config.outside;
  return token === undefined ? undefined : { token, commands, readDb, untilAllShown, now };
};
