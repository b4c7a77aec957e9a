/**
 * The way of a request, the same for every operation: credentials, limits, idempotency, syntax, resource, permission,
 * then the handler; the answer waits until the read models show what it did.
 */
import type { Request as HttpRequest, Response } from 'express';
import { derivedUuid, type Ids } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { stringify } from '../../kernel/json.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { checkAnswer, checkRefusal } from './describe/check-answer.ts';
import { proceed } from './doors/body.ts';
import type { Room } from './doors/room.ts';
import { differingFields, fingerprintOf } from './once/fingerprint.ts';
import type { IdempotencyStore } from './once/idempotency.ts';
import type { Answer, Caller, Gate, Operation, Request, Route } from './operation.ts';
import { idempotencyKey, paramsOf, parse, pathOf, readBody, sentBody } from './parse.ts';
import type { Pressure } from './pressure.ts';
import type { ProblemOf } from './problem.ts';
import type { UploadStore } from './uploads/keep-file.ts';
import { type Received, receiveUpload } from './uploads/multipart.ts';
import type { CodeOfFields } from './validation.ts';

export type ServeDeps<O extends Operation> = {
  readonly gate: Gate<O>;
  readonly problemOf: ProblemOf;
  readonly codeOfFields: CodeOfFields;
  readonly idempotency: IdempotencyStore;
  readonly ids: Ids;
  /** Where the files of multipart bodies go. */
  readonly uploads: UploadStore;
  /** Whether the read models contain everything up to the position: `false` when waiting has taken long enough. */
  readonly projected: (position: bigint) => Promise<boolean>;
  readonly pressure: Pressure;
  /** Told of a key that was used again, and for something else. */
  readonly repeatedWithOtherBody: (operationId: string, requestId: string, fields: readonly string[]) => void;
  /** For the bodies that are under way. */
  readonly room: Room;
  /** Tests turn this on: an answer that does not fit its own schema is then an error. */
  readonly checkResponses: boolean;
};

/** On an answer that lists may not show yet. */
export const behindHeader = 'Daybook-Read-Models';

/** On an answer to another body than this one: the fields that differ. */
export const otherBodyHeader = 'Daybook-Body-Differs';

/** What a request has been found to be, kept for the log line. */
export type Locals = {
  requestId: string;
  operationId?: string;
  platformId?: string;
  authentication?: Operation['authentication'];
};

type HttpResponse = Response<unknown, Locals>;

/** One request on its way. `scope` identifies a keyed request. */
type Served<O extends Operation> = {
  readonly route: Route<O>;
  readonly req: HttpRequest;
  readonly res: HttpResponse;
  readonly caller: Caller | undefined;
  readonly scope?: string;
  readonly received?: Received;
};

export function serve<O extends Operation>(route: Route<O>, deps: ServeDeps<O>) {
  const answer = answering(route, deps);
  if (!deps.checkResponses) return answer;
  return async (req: HttpRequest, res: HttpResponse) => {
    try {
      await answer(req, res);
    } catch (error) {
      checkRefusal(route.operation, error, deps.problemOf);
      throw error;
    }
  };
}

const answering =
  <O extends Operation>(route: Route<O>, deps: ServeDeps<O>) =>
  async (req: HttpRequest, res: HttpResponse) => {
    const { operation } = route;
    const { operationId, authentication } = operation;
    Object.assign(res.locals, { operationId, authentication });
    const caller = await deps.gate.identify(operation, req.get('authorization'));
    if (caller) res.locals.platformId = caller.platformId;
    await deps.gate.count(operation, req.params, caller, req);
    const served = { route, req, res, caller };
    if (operation.multipart) return answerUpload(served, deps);
    await readBody(operation, req, res, deps.room);
    // Counted from here, where a caller who sends slowly holds up nobody.
    const leave = deps.pressure.enter(operation.method);
    try {
      const key = operation.idempotent ? idempotencyKey(req) : undefined;
      if (key !== undefined && caller !== undefined) await answerOnce(served, caller, key, deps);
      else sendAnswer(res, await (caller ? run(served, deps) : runForStranger(served, deps)));
    } finally {
      leave();
    }
  };

/** What somebody without credentials asks for in vain counts. */
async function runForStranger<O extends Operation>(served: Served<O>, deps: ServeDeps<O>): Promise<Answer> {
  const { route, req } = served;
  try {
    return await run(served, deps);
  } catch (error) {
    if (error instanceof Rejected) await deps.gate.refused(route.operation, req.params, req, error);
    throw error;
  }
}

/** The first answer to a key is the answer to all. */
async function answerOnce<O extends Operation>(
  served: Served<O>,
  caller: Caller,
  key: string,
  deps: ServeDeps<O>,
): Promise<void> {
  const { route, req, res } = served;
  const scope = derivedUuid(deps.gate.keyHolder(caller), req.method, pathOf(req), key);
  const fingerprint = fingerprintOf(sentBody(req));
  const begun = await deps.idempotency.begin(scope, fingerprint);
  const differing = differingFields(begun.fingerprint ?? fingerprint, fingerprint);
  if (differing.length > 0 && deps.gate.isPermitted(route.operation, caller)) {
    await tellOtherBody(served, caller, differing, deps).catch(async (error) => {
      if ('release' in begun) await begun.release();
      throw error;
    });
  }
  if ('status' in begun) {
    deps.gate.requirePermission(route.operation, caller);
    res.setHeader('Idempotent-Replayed', 'true');
    return send(res, begun.status, begun.body);
  }
  const first = derivedUuid(scope, begun.since);
  const answer = await settle(served, () => run({ ...served, scope: first }, deps), deps)
    .then((settled) => checked(deps, route.operation, settled))
    .catch(async (error) => {
      await begun.release();
      throw error;
    });
  const body = textOf(answer) ?? '';
  await begun.keep({ status: answer.status, body });
  return send(res, answer.status, body);
}

/** The key was used for something else before. Throws `Rejected` where its holder does not want that. */
async function tellOtherBody<O extends Operation>(
  { route, res }: Served<O>,
  caller: Caller,
  differing: readonly string[],
  { gate, repeatedWithOtherBody }: ServeDeps<O>,
): Promise<void> {
  res.setHeader(otherBodyHeader, differing.join(', '));
  repeatedWithOtherBody(route.operation.operationId, res.locals.requestId, differing);
  await gate.refuseOtherBody(caller, differing);
}

/** Of a file on its way to the store, what is in memory. */
const heldOfUpload = 512 * 1024;

/** What a file was sent for decides whether it is kept: a request that is refused leaves nothing behind. */
async function answerUpload<O extends Operation>(served: Served<O>, deps: ServeDeps<O>): Promise<void> {
  const { req, res, caller } = served;
  const { operation } = served.route;
  const { multipart } = operation;
  invariant(multipart && caller, 'a file from nobody, or for nothing');
  paramsOf(operation, req);
  const store = deps.gate.isPermitted(operation, caller) ? deps.uploads : nowhere;
  deps.room.take(heldOfUpload, req, res);
  proceed(req, res);
  const received = await receiveUpload(req, multipart, store);
  try {
    sendAnswer(res, await run({ ...served, received }, deps));
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

/**
 * A refusal is an answer like any other, except what passes by itself or is not kept: that rises. Nothing is kept of
 * what a caller without the right is told, since another token of the same holder may have it.
 */
async function settle<O extends Operation>(
  { route: { operation }, caller }: Served<O>,
  work: () => Promise<Answer>,
  { gate, problemOf }: Pick<ServeDeps<O>, 'gate' | 'problemOf'>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const problem = error instanceof Rejected ? problemOf(error) : undefined;
    const isLasting = problem && problem.status < 500 && problem.details?.retryAfterSeconds === undefined;
    const isKept = isLasting && problem.status !== 401 && problem.status !== 429;
    if (!isKept || !caller || !gate.isPermitted(operation, caller)) throw error;
    return { status: problem.status, body: problem };
  }
}

/** In tests, what an operation does not declare is a fault. */
function checked<O extends Operation>(
  { checkResponses }: ServeDeps<O>,
  operation: O,
  answer: Answer,
): Answer {
  if (checkResponses) checkAnswer(operation, answer);
  return answer;
}

function textOf(answer: Answer): string | undefined {
  if (answer.text !== undefined) return answer.text;
  return answer.body === undefined ? undefined : stringify(answer.body);
}

const sendAnswer = (res: Response, answer: Answer) => send(res, answer.status, textOf(answer));

function send(res: Response, status: number, body: string | undefined): void {
  res.statusCode = status;
  if (body && status !== 204) {
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('Content-Length', Buffer.byteLength(body));
    res.end(body);
  } else res.end();
}

/** Parses, finds the resource, checks the permission, and runs the handler. */
async function run<O extends Operation>(served: Served<O>, deps: ServeDeps<O>): Promise<Answer> {
  const { route, req, res, caller, scope, received } = served;
  const { operation, load, handle } = route;
  let position = 0n;
  const { platformId, actor } = caller ?? { platformId: '', actor: 'anybody' };
  const seen = (at: bigint) => {
    if (at > position) position = at;
  };
  const { requestId } = res.locals;
  const request: Request = {
    ...parse(operation, req, received, deps.codeOfFields),
    principal: caller as Caller,
    header: (name) => req.get(name),
    requestedBy: scope ?? requestId,
    cause: { platformId, actor, correlationId: requestId, causationId: requestId, seen },
    uuidFor: (what) => (scope ? derivedUuid(scope, what) : deps.ids.uuid()),
  };
  try {
    const loaded = await load(request);
    if (caller) deps.gate.requirePermission(operation, caller);
    return checked(deps, operation, await handle(request, loaded as never));
  } finally {
    if (position > 0n && !(await deps.projected(position))) res.setHeader(behindHeader, 'behind');
  }
}
