import { createLive } from '../../api/console/live/live.ts';
import { createFollowers } from '../../api/sandbox/watching/followers.ts';
import { type Doors, type HttpServer, listenOn, usualDoors } from '../../infrastructure/http/server.ts';
import { seldom } from '../../infrastructure/observe/seldom.ts';
import { createPlatformClocks } from '../../workers/platform-clocks/platform-clocks.ts';
import { buildMetricsApp } from '../http.ts';
import { basePath } from '../interface/address.ts';
import type { Closer } from '../parts/closer.ts';
import type { Core } from '../parts/core/core.ts';
import { openHealth } from '../parts/health.ts';
import { openReadiness } from '../parts/readiness.ts';
import { openRequestLog } from '../parts/request-log.ts';
import { connectionsWith, descriptorsMax } from '../start/descriptors.ts';
import { listening } from '../start/listening.ts';
import { type AppParts, httpApp } from './http-app.ts';
import { type RouteParts, servedRoutes } from './served-routes.ts';

/** So late the log has the first use of a token on a day. */
const recordUseEveryMs = 10_000;

/** Has an application listen on an address. Throws where it cannot. */
export type Listen = typeof listenOn;

type Parts = RouteParts & Pick<AppParts, 'degraded'>;

/** Every process answers for its health and metrics; those with the role `api` serve the interface too. */
export async function startHttp(
  core: Core,
  parts: Parts,
  { checkResponses = false, listen = listenOn }: { checkResponses?: boolean; listen?: Listen },
  closers: Closer[],
): Promise<HttpServer> {
  const { config, metrics, tokenRecords } = core;
  const { rails, webhooks } = parts;
  const served = config.roles.includes('api');
  const followers = createFollowers(core);
  const live = createLive(core);
  const health = openHealth(core, closers);
  const platformClocks = createPlatformClocks({ ...core, runTimer: rails.runTimer, webhooks });
  const baseUrl = () => `${config.publicUrl ?? server.origin}${basePath}`;
  const routes = served
    ? servedRoutes(core, parts, { followers, live, health, platformClocks }, baseUrl)
    : [];
  const recordUse = core.every('use of tokens', recordUseEveryMs, tokenRecords.recordUse);
  closers.push(tokenRecords.recordUse, recordUse);
  const requestLog = served ? openRequestLog(core, closers) : undefined;
  const readiness = await openReadiness(core, closers);
  const app = httpApp(core, { ...parts, served, routes, health, requestLog, readiness, checkResponses });
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
  closers.push(core.unhurried.end, server.close, followers.stop, live.stop, platformClocks.stop);
  if (served && config.environment === 'sandbox') void platformClocks.endAbandoned();
  return server;
}

function doorsOf({ config, log }: Core, descriptors: number | undefined): Doors {
  const { connectionsPerAddress } = config;
  const connectionsMax = connectionsWith(descriptors, usualDoors.connectionsMax);
  if (connectionsMax < usualDoors.connectionsMax)
    log.warn({ descriptors, connectionsMax }, 'few files may be open: fewer connections are held');
  const isToTell = seldom();
  const dropped = () => {
    if (isToTell()) log.warn({ connectionsMax }, 'connections are refused: as many are open as are held');
  };
  return { ...usualDoors, connectionsMax, connectionsPerAddress, dropped };
}
