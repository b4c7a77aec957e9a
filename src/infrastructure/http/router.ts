/**
 * Mounts operations on Express. Every request takes the same way, in the order of completion 1.5: route, credentials,
 * idempotency, syntax, resource, permission, then the handler; the answer waits until the read models show what it did.
 */
import express, { type Request as HttpRequest, type RequestHandler, type Response, Router } from 'express';
import { derivedUuid, type Ids, idOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { malformed, parseBody, stringify } from '../../kernel/json.ts';
import { badField, Rejected } from '../../kernel/rejected.ts';
import type { FindAgent, FindToken } from './authenticate.ts';
import { type Caller, callerOf, countRequest, isPermitted, keyHolder, requirePermission } from './caller.ts';
import { checkAnswer, checkRefusal } from './describe/check-answer.ts';
import type { IdempotencyStore } from './once/idempotency.ts';
import type { RateLimits } from './once/rate-limits.ts';
import type { Answer, Operation, Principal, Request, Route } from './operation.ts';
import { problemOf } from './problem.ts';
import { type Received, receiveUpload, type UploadStore } from './uploads/multipart.ts';
import { parseWith, requireStorable } from './validation.ts';

const bodyLimit = '1mb';
const keyLengthMax = 255;

export type RouterDeps = {
  readonly findToken: FindToken;
  readonly findAgent: FindAgent;
  readonly idempotency: IdempotencyStore;
  readonly rateLimits: RateLimits;
  readonly ids: Ids;
  /** Where the files of multipart bodies go. */
  readonly uploads: UploadStore;
  /** Resolves when the read models contain everything up to the position, or when waiting has taken long enough. */
  readonly projected: (position: bigint) => Promise<void>;
  /** Tests turn this on: an answer that does not fit its own schema is then an error. */
  readonly checkResponses: boolean;
};

/** What a request has been found to be, kept for the log line. */
export type Locals = {
  requestId: string;
  operationId?: string;
  platformId?: string;
  authentication?: Operation['authentication'];
};

export function operationsRouter(routes: readonly Route[], deps: RouterDeps): Router {
  const router = Router({ caseSensitive: true });
  const byPath = Map.groupBy(routes, ({ operation }) => operation.path);
  const paths = [...byPath.keys()].toSorted((a, b) => specificity(b) - specificity(a));
  for (const path of paths) {
    const own = byPath.get(path) ?? [];
    for (const one of own) router[one.operation.method](expressPath(path), serve(one, deps));
    // Before any path with parameters gets to see the request: its methods are not those of this path.
    router.all(expressPath(path), refuseMethod(own.map(({ operation }) => operation.method.toUpperCase())));
  }
  return router;
}

const expressPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

/** Fixed segments go before parameters: `/customers/internal-accounts` is not a customer. */
const specificity = (path: string) =>
  path.split('/').reduce((sum, segment, n) => sum + (segment.startsWith('{') ? 0 : 1 << (20 - n)), 0);

const refuseMethod =
  (allowed: readonly string[]): RequestHandler =>
  (req, res) => {
    res.setHeader('Allow', allowed.join(', '));
    const message = `${req.method} is not a method of this path. Use ${allowed.join(' or ')}.`;
    throw new Rejected('METHOD_NOT_ALLOWED', message);
  };

const rawBody = express.raw({ type: () => true, limit: bodyLimit });

/** Reads the body of a request whose caller is known, and of an operation that takes one. */
const readBody = ({ body }: Operation, req: HttpRequest, res: Response) =>
  new Promise<void>((resolve, reject) => {
    if (body) rawBody(req, res, (error?: unknown) => (error ? reject(error) : resolve()));
    else resolve();
  });

const serve = (found: Route, deps: RouterDeps) => {
  const answer = answering(found, deps);
  if (!deps.checkResponses) return answer;
  return async (req: HttpRequest, res: Response<unknown, Locals>) => {
    try {
      await answer(req, res);
    } catch (error) {
      checkRefusal(found.operation, error);
      throw error;
    }
  };
};

const answering =
  (found: Route, deps: RouterDeps) => async (req: HttpRequest, res: Response<unknown, Locals>) => {
    const { operation } = found;
    res.locals.operationId = operation.operationId;
    const check = (answer: Answer) => {
      if (deps.checkResponses) checkAnswer(operation, answer);
      return answer;
    };
    res.locals.authentication = operation.authentication;
    const principal = await callerOf(operation, deps, req.get('authorization'));
    if (principal) res.locals.platformId = principal.platformId;
    await countRequest(deps.rateLimits, operation, req.params, principal);
    if (operation.multipart) return void (await serveUpload(found, deps, req, res, principal));
    await readBody(operation, req, res);
    const key = operation.idempotent ? idempotencyKey(req) : undefined;
    if (key === undefined || principal === undefined) {
      const { status, body } = check(await run(found, deps, req, res.locals.requestId, principal));
      return void send(res, status, body === undefined ? undefined : stringify(body));
    }
    const scope = derivedUuid(keyHolder(principal), req.method, pathOf(req), key);
    const kept = await deps.idempotency.begin(scope);
    if ('status' in kept) {
      requirePermission(operation, principal);
      res.setHeader('Idempotent-Replayed', 'true');
      return void send(res, kept.status, kept.body);
    }
    const first = derivedUuid(scope, kept.since);
    const answer = await settle(() => run(found, deps, req, res.locals.requestId, principal, first))
      .then(check)
      .catch(async (error) => {
        await deps.idempotency.release(scope);
        throw error;
      });
    const body = answer.body === undefined ? '' : stringify(answer.body);
    await deps.idempotency.keep(scope, { status: answer.status, body });
    return void send(res, answer.status, body);
  };

/** What a file was sent for decides whether it is kept: a request that is refused leaves nothing behind. */
async function serveUpload(
  found: Route,
  deps: RouterDeps,
  req: HttpRequest,
  res: Response<unknown, Locals>,
  principal: Caller,
): Promise<void> {
  const { multipart } = found.operation;
  invariant(multipart && principal, 'a file from nobody, or for nothing');
  paramsOf(found.operation, req);
  const store = isPermitted(found.operation, principal) ? deps.uploads : nowhere;
  // A connection whose body was not read to its end is of no use for another request.
  const received = await receiveUpload(req, multipart, store).finally(() => {
    if (!req.complete) res.shouldKeepAlive = false;
  });
  try {
    const answer = await run(found, deps, req, res.locals.requestId, principal, undefined, received);
    if (deps.checkResponses) checkAnswer(found.operation, answer);
    send(res, answer.status, answer.body === undefined ? undefined : stringify(answer.body));
  } catch (error) {
    if (error instanceof Rejected && received.file) await store.discard(received.file.uploadId);
    throw error;
  }
}

/** Takes the file of a request that will be refused for want of a permission, once everything else is known to be right. */
const nowhere: UploadStore = {
  begin: async () => 'nowhere',
  append: async () => undefined,
  discard: async () => undefined,
};

/** A refusal is an answer like any other, except what passes by itself or is not kept (completion 1.4): that rises. */
async function settle(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const problem = error instanceof Rejected ? problemOf(error) : undefined;
    if (!problem || problem.status === 401 || problem.status === 429 || problem.status >= 500) throw error;
    return { status: problem.status, body: problem };
  }
}

function send(res: Response, status: number, body: string | undefined): void {
  res.status(status);
  if (!body) res.end();
  else res.type('application/json').send(body);
}

/** The path that a request means: the same whether its ids are percent-encoded or not, with a slash behind or without. */
const pathOf = ({ path }: HttpRequest) => decodeURIComponent(path).replace(/\/$/, '');

function idempotencyKey(req: HttpRequest): string | undefined {
  const key = req.get('idempotency-key');
  if (key === undefined || (key.length >= 1 && key.length <= keyLengthMax)) return key;
  throw badField('Idempotency-Key', `must be from 1 to ${keyLengthMax} characters`);
}

/** Parses, finds the resource, checks the permission, and runs the handler. `scope` identifies a keyed request. */
async function run(
  { operation, load, handle }: Route,
  deps: RouterDeps,
  req: HttpRequest,
  requestId: string,
  principal: Caller,
  scope?: string,
  received?: Received,
): Promise<Answer> {
  let position = 0n;
  const { platformId, actor } = principal ?? { platformId: '', actor: 'anybody' };
  const seen = (at: bigint) => {
    if (at > position) position = at;
  };
  const requestedBy = scope ?? requestId;
  const request: Request<Operation> = {
    ...parse(operation, req, received),
    principal: principal as Principal,
    signature: { stamp: req.get('service-wallet-signature'), requestId: req.get('request-id') },
    requestedBy,
    cause: { platformId, actor, correlationId: requestId, causationId: requestId, seen },
    uuidFor: (what) => (scope ? derivedUuid(scope, what) : deps.ids.uuid()),
  };
  try {
    const loaded = await load(request);
    if (principal) requirePermission(operation, principal);
    return await handle(request, loaded as never);
  } finally {
    if (position > 0n) await deps.projected(position);
  }
}

function parse(
  operation: Operation,
  req: HttpRequest,
  received: Received | undefined,
): Pick<Request<Operation>, 'params' | 'query' | 'body' | 'upload'> {
  const params = paramsOf(operation, req);
  if (operation.query) requireStorable(req.query);
  return {
    params,
    query: (operation.query ? parseWith(operation.query, req.query) : {}) as Record<string, never>,
    body: bodyWith(operation, req, received) as Record<string, never>,
    upload: received?.file as undefined,
  };
}

function paramsOf({ params, notFound }: Operation, req: HttpRequest): Record<string, never> {
  const parsed = params?.safeParse(req.params);
  if (parsed && !parsed.success)
    throw notFound?.() ?? new Rejected('REFERENCE_NOT_FOUND', 'There is no such resource.');
  return (parsed?.data ?? {}) as Record<string, never>;
}

function bodyWith({ body, multipart, bodyOptional }: Operation, req: HttpRequest, received?: Received) {
  if (multipart) return parseWith(multipart.fields, received?.fields, received?.errors);
  return body ? parseWith(body, bodyOf(req, bodyOptional ?? false)) : {};
}

function bodyOf(req: HttpRequest, optional: boolean): unknown {
  const type = req.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const empty = !(req.body instanceof Uint8Array) || req.body.length === 0;
  if (empty && optional) return {};
  if (empty) throw malformed('This operation needs a JSON body.');
  if (type !== 'application/json') throw malformed('Send the body with Content-Type: application/json.');
  return parseBody(req.body);
}

export const newRequestId = (ids: Ids): string => idOf('Request', ids.uuid());
