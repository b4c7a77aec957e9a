import type { Express, Request as HttpRequest, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { isFromConsole } from '../api/callers/console-session.ts';
import { createGate, type GateDeps } from '../api/callers/gate.ts';
import type { RequestLog } from '../api/console/requests/log.ts';
import { codeOfFields } from '../api/fields/amount-fields.ts';
import type { Operation, Route } from '../api/operation.ts';
import { problemOf } from '../api/refusals.ts';
import type { Rail } from '../domain/ports/rail-module.ts';
import { timeFor } from '../infrastructure/deadlines/deadline.ts';
import { answerErrors } from '../infrastructure/http/answer-errors.ts';
import { receiveBody } from '../infrastructure/http/doors/body.ts';
import type { Locals } from '../infrastructure/http/locals.ts';
import { operationsRouter, refuseOtherThan } from '../infrastructure/http/router.ts';
import type { ServeDeps } from '../infrastructure/http/serve.ts';
import { createApp } from '../infrastructure/http/server.ts';
import { pathOfNothing } from '../infrastructure/http/shown-path.ts';
import type { Log } from '../infrastructure/observe/log.ts';
import { idOf, systemIds } from '../kernel/ids.ts';
import { Rejected } from '../kernel/rejected.ts';
import { type AdminDeps, serveAdmin } from './admin.ts';
import { serveConsole } from './console-pages.ts';
import { serveDocumentation } from './documentation.ts';
import { basePath } from './interface/address.ts';
import { frontPage } from './interface/front-page.ts';
import type { HttpMetrics, MetricsText } from './metrics.ts';
import type { Readiness } from './parts/readiness.ts';

export type AppDeps = GateDeps &
  Omit<ServeDeps<Operation>, 'gate' | 'problemOf' | 'codeOfFields' | 'named'> & {
    readonly routes: readonly Route[];
    readonly log: Log;
    readonly trustedProxies: readonly string[];
    readonly metrics: HttpMetrics & { readonly shown: MetricsText };
    readonly environment: string;
    /** `/metrics` is at another address, and not here. */
    readonly metricsApart: boolean;
    /** Told of every request of a caller who is known. */
    readonly noteRequest: RequestLog['note'];
    readonly installationNow: () => Date;
    readonly readiness: () => Promise<Readiness>;
    /** What keeps no process from serving, and some requests from being answered. */
    readonly degraded: () => readonly string[];
    /** Takes what the rail's world posts, where the rail wants it. */
    readonly receiveForRail: Rail['receive'] | undefined;
    /** The same for the screening. */
    readonly receiveForScreening: Rail['receive'] | undefined;
    /** Where the pages of the console are, if not where they are built. */
    readonly consoleDirectory?: URL | undefined;
    /** Decides for the operator, where there is a token for that. */
    readonly admin: Omit<AdminDeps, 'room' | 'projected'> | undefined;
  };

/** The HTTP side without a port: the process and the tests both listen on it. */
export function buildApp(deps: AppDeps): Express {
  const app = createApp();
  app.set('trust proxy', [...deps.trustedProxies]);
  app.use(identify(deps));
  app.use(securityHeaders());
  app.get('/healthz', (_req, res) => void res.json({ status: 'ok' }));
  app.get('/readyz', async (_req, res) => {
    const { ready, notReady, followers } = await deps.readiness();
    const degraded = deps.degraded();
    const isWhole = notReady.length === 0 && degraded.length === 0;
    res.status(ready ? 200 : 503).json({
      status: ready ? (isWhole ? 'ready' : 'degraded') : 'not ready',
      notReady,
      followers: followers.map(shownFollower),
      ...(degraded.length > 0 && { degraded }),
    });
  });
  if (!deps.metricsApart) showMetrics(app, deps.metrics.shown);
  showFrontPage(app, deps);
  serveDocumentation(app);
  app.all(['/healthz', '/readyz', '/openapi.json', '/docs'], refuseOtherThan(['GET']));
  if (deps.receiveForRail) takeEvents(app, '/rail/events', deps.receiveForRail, deps);
  if (deps.receiveForScreening) takeEvents(app, '/screening/events', deps.receiveForScreening, deps);
  if (deps.admin) serveAdmin(app, { ...deps.admin, room: deps.room, projected: deps.projected });
  const interfaceDeps = { ...deps, gate: createGate(deps), problemOf, codeOfFields, named };
  const operations = operationsRouter(deps.routes, interfaceDeps);
  app.use(basePath, operations);
  if (deps.routes.length > 0) serveConsole(app, operations, deps.consoleDirectory);
  app.use(() => {
    throw new Rejected(
      'REFERENCE_NOT_FOUND',
      `There is nothing at this path. Operations lie under ${basePath}; see /docs.`,
    );
  });
  app.use(
    answerErrors({ problemOf, log: deps.log, challenges: (req) => !isFromConsole((name) => req.get(name)) }),
  );
  return app;
}

/** Positions are larger than JSON's numbers are exact. */
const shownFollower = ({ name, position, behind, stillMs }: Readiness['followers'][number]) => ({
  name,
  position: `${position}`,
  behind: `${behind}`,
  standsStillSeconds: Math.floor(stillMs / 1_000),
});

/** What the outside world posts is checked by whom it is for; nothing is said but a status. What is late records nothing. */
function takeEvents(
  app: Express,
  path: string,
  receive: NonNullable<Rail['receive']>,
  { room, requestMaxMs }: Pick<AppDeps, 'room' | 'requestMaxMs'>,
): void {
  app.post(path, async (req, res) => {
    const body = await receiveBody(req, res, room);
    const headers = Object.fromEntries(
      Object.entries(req.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
    );
    const inTime = timeFor(requestMaxMs);
    res.status(await inTime(() => receive({ headers, body }))).end();
  });
  app.all(path, refuseOtherThan(['POST']));
}

/** Nothing but `/metrics`, for an address of its own. */
export function buildMetricsApp(shown: MetricsText): Express {
  const app = createApp();
  app.use(securityHeaders());
  showMetrics(app, shown);
  app.use((_req, res) => void res.status(404).type('text').send('Only /metrics is here.\n'));
  return app;
}

function showMetrics(app: Express, { contentType, text }: MetricsText): void {
  app.get('/metrics', async (_req, res) => void res.type(contentType).send(await text()));
  app.all('/metrics', refuseOtherThan(['GET']));
}

/** To a browser; others are told that there is nothing, as at any path that is none. */
function showFrontPage(app: Express, shown: Pick<AppDeps, 'environment' | 'metricsApart'>): void {
  const page = frontPage(shown);
  app.get('/', (req, res, next) => {
    if (req.accepts(['json', 'html']) === 'html') res.type('html').send(page);
    else next();
  });
}

/** What helmet sets is the same for every answer: it is asked once. Nothing is kept on the way: answers carry secrets. */
function securityHeaders(): RequestHandler {
  const headers: [name: string, value: string][] = [['Cache-Control', 'no-store']];
  const recorder = {
    setHeader: (name: string, value: string) => void headers.push([name, value]),
    removeHeader: () => undefined,
  };
  const set = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
  set({} as never, recorder as never, () => undefined);
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}

/** Asked for every few seconds by what watches the service. */
const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

function named(res: Pick<Response<unknown, Locals>, 'locals' | 'setHeader'>, uuid: string): void {
  res.locals.requestId = idOf('Request', uuid);
  res.setHeader('X-Request-Id', res.locals.requestId);
}

/** Gives every request an id, and a log line and a measurement when it is done. */
function identify(deps: AppDeps): RequestHandler<object, unknown, unknown, unknown, Locals> {
  const { ids, log, metrics } = deps;
  const note = noting(deps);
  // With a seed whoever is let in has another id, which follows from it: who is not moves no count.
  const { uuid } = ids.seeded ? systemIds : ids;
  return (req, res, next) => {
    const started = performance.now();
    const asked = req.path;
    named(res, uuid());
    res.once('close', () => {
      const seconds = (performance.now() - started) / 1000;
      const { requestId, operationId, platformId, path: known } = res.locals;
      const status = res.writableFinished ? res.statusCode : 499;
      metrics.answered(operationId ?? 'none', status, seconds);
      note(req, res.locals, status, seconds * 1000);
      const level = probes.has(asked) ? 'debug' : 'info';
      if (!log.isLevelEnabled(level)) return;
      const path = known === undefined ? pathOfNothing(asked) : basePath + known;
      const ms = Math.round(seconds * 1000);
      log[level]({ requestId, method: req.method, path, operationId, status, ms, platformId }, 'request');
    });
    next();
  };
}

type Finished = Pick<HttpRequest, 'method' | 'originalUrl' | 'body' | 'get'>;

/** Leaves what there is of a request; the console's own are not told of. `ms` is how long it took. */
const noting =
  ({ noteRequest, installationNow }: Pick<AppDeps, 'noteRequest' | 'installationNow'>) =>
  (req: Finished, locals: Locals, status: number, ms: number): void => {
    const { requestId, platformId, actor, operationId, path, answer } = locals;
    if (platformId === undefined || actor === undefined) return;
    if (operationId === undefined || path === undefined || path.startsWith('/console/')) return;
    noteRequest({
      requestId,
      platformId,
      actor,
      operationId,
      path,
      status,
      ms,
      at: new Date(installationNow().getTime() - ms),
      method: req.method,
      key: req.get('idempotency-key'),
      url: req.originalUrl,
      requestBody: req.body,
      responseText: answer,
    });
  };
