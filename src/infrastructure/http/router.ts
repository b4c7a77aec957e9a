/**
 * Mounts operations on Express. Every request takes the same way, in the order of completion 1.5: route, credentials,
 * idempotency, syntax, resource, permission, then the handler; the answer waits until the read models show what it did.
 */
import express, { type Request as HttpRequest, type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import { Rejected } from '../commands/rejected.ts';
import { derivedUuid, type Ids, idOf } from '../ids.ts';
import { invariant } from '../invariant.ts';
import { authenticate, authenticateAgent, type FindAgent, type FindToken } from './authenticate.ts';
import type { IdempotencyStore } from './idempotency.ts';
import { malformed, parseBody, stringify } from './json.ts';
import type { AgentPrincipal, Answer, Operation, Principal, Request, Route } from './operation.ts';
import { problemOf } from './problem.ts';
import { parseWith, requireStorable } from './validation.ts';

const bodyLimit = '1mb';
const keyLengthMax = 255;

export type RouterDeps = {
  readonly findToken: FindToken;
  readonly findAgent: FindAgent;
  readonly idempotency: IdempotencyStore;
  readonly ids: Ids;
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

const serve =
  (found: Route, deps: RouterDeps) => async (req: HttpRequest, res: Response<unknown, Locals>) => {
    const { operation } = found;
    res.locals.operationId = operation.operationId;
    res.locals.authentication = operation.authentication;
    const principal = await callerOf(operation, deps, req.get('authorization'));
    if (principal) res.locals.platformId = principal.platformId;
    await readBody(operation, req, res);
    const key = operation.idempotent ? idempotencyKey(req) : undefined;
    if (key === undefined || principal === undefined) {
      const { status, body } = await run(found, deps, req, res.locals.requestId, principal);
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
    const answer = await settle(() => run(found, deps, req, res.locals.requestId, principal, first)).catch(
      async (error) => {
        await deps.idempotency.release(scope);
        throw error;
      },
    );
    const body = answer.body === undefined ? '' : stringify(answer.body);
    await deps.idempotency.keep(scope, { status: answer.status, body });
    return void send(res, answer.status, body);
  };

type Caller = Principal | AgentPrincipal | undefined;

function callerOf(
  { authentication }: Operation,
  { findToken, findAgent }: RouterDeps,
  header: string | undefined,
): Promise<Caller> | undefined {
  if (authentication === 'none') return undefined;
  return authentication === 'bearer' ? authenticateAgent(findAgent, header) : authenticate(findToken, header);
}

/** Whose keys they are: each agent has its own, and the tokens of a platform share theirs. */
const keyHolder = (principal: Principal | AgentPrincipal) =>
  'agentId' in principal ? principal.agentId : principal.platformId;

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
  const message = `must be from 1 to ${keyLengthMax} characters`;
  throw new Rejected('INVALID_INPUT', `Idempotency-Key ${message}.`, {
    errors: [{ field: 'Idempotency-Key', message }],
  });
}

/** Parses, finds the resource, checks the permission, and runs the handler. `scope` identifies a keyed request. */
async function run(
  { operation, load, handle }: Route,
  deps: RouterDeps,
  req: HttpRequest,
  requestId: string,
  principal: Caller,
  scope?: string,
): Promise<Answer> {
  let position = 0n;
  const { platformId, actor } = principal ?? { platformId: '', actor: 'anybody' };
  const seen = (at: bigint) => {
    if (at > position) position = at;
  };
  const requestedBy = scope ?? requestId;
  const request: Request<Operation> = {
    ...parse(operation, req),
    principal: principal as Principal,
    requestedBy,
    cause: { platformId, actor, correlationId: requestId, causationId: requestId, seen },
    uuidFor: (what) => (scope ? derivedUuid(scope, what) : deps.ids.uuid()),
  };
  try {
    const loaded = await load(request);
    if (principal) requirePermission(operation, principal);
    const answer = await handle(request, loaded as never);
    if (deps.checkResponses) checkResponse(operation, answer);
    return answer;
  } finally {
    if (position > 0n) await deps.projected(position);
  }
}

function parse(
  operation: Operation,
  req: HttpRequest,
): Pick<Request<Operation>, 'params' | 'query' | 'body'> {
  const params = operation.params?.safeParse(req.params);
  if (params && !params.success) {
    throw operation.notFound?.() ?? new Rejected('REFERENCE_NOT_FOUND', 'There is no such resource.');
  }
  requireStorable(req.query);
  return {
    params: (params?.data ?? {}) as Record<string, never>,
    query: (operation.query ? parseWith(operation.query, req.query) : {}) as Record<string, never>,
    body: (operation.body
      ? parseWith(operation.body, bodyOf(req, operation.bodyOptional ?? false))
      : {}) as Record<string, never>,
  };
}

function bodyOf(req: HttpRequest, optional: boolean): unknown {
  const type = req.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const empty = !(req.body instanceof Uint8Array) || req.body.length === 0;
  if (empty && optional) return {};
  if (empty) throw malformed('This operation needs a JSON body.');
  if (type !== 'application/json') throw malformed('Send the body with Content-Type: application/json.');
  return parseBody(req.body);
}

/** What an agent may do follows from its policy, which its operations look at themselves. */
function requirePermission(
  { permission, sandboxOnly }: Operation,
  principal: Principal | AgentPrincipal,
): void {
  if ('agentId' in principal) return;
  if (sandboxOnly && principal.environment !== 'sandbox') {
    throw new Rejected('FORBIDDEN', 'Sandbox operations take a token of the sandbox.');
  }
  const suffices = permission.some((one) => one === 'VIEW' || principal.permissions.includes(one));
  if (suffices) return;
  throw new Rejected('FORBIDDEN', `The API token lacks the permission ${permission.join(' or ')}.`, {
    requiredPermission: permission.length === 1 ? permission[0] : permission,
  });
}

function checkResponse({ operationId, responses }: Operation, { status, body }: Answer): void {
  const declared = responses[status];
  invariant(declared, `${operationId} answered ${status}, which it does not declare`);
  const schema: z.ZodType | undefined = declared.schema;
  invariant(
    (schema === undefined) === (body === undefined),
    `${operationId} answered ${status} with the wrong kind of body`,
  );
  const checked = schema?.safeParse(body);
  invariant(!checked || checked.success, `${operationId}: ${checked?.error?.message}`);
  invariant(
    !checked || stringify(sorted(checked.data)) === stringify(sorted(body)),
    `${operationId} answered undeclared fields`,
  );
}

/** Members in one order, so that objects compare by their text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

export const newRequestId = (ids: Ids): string => idOf('Request', ids.uuid());
