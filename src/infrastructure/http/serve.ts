/**
 * The way of a request, the same for every operation: credentials, limits, idempotency, syntax, resource, permission,
 * then the handler; the answer waits until the read models show what it did.
 */
import type { Request as HttpRequest, Response } from 'express';
import { derivedUuid, type Ids, uuidsFor } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { type InTime, timeFor } from '../deadline.ts';
import { noticing } from '../rests-on.ts';
import { onceRestored, type ReadModels, Rest, untilAllShown } from './behind.ts';
import { checkAnswer, checkRefusal } from './describe/check-answer.ts';
import { proceed } from './doors/body.ts';
import type { Room } from './doors/room.ts';
import { goneOf } from './dropped.ts';
import type { Locals } from './locals.ts';
import { unknownNames } from './names/told.ts';
import { fingerprintOf } from './once/fingerprint.ts';
import type { Attempted, IdempotencyStore } from './once/idempotency.ts';
import { keptRefusal } from './once/kept-refusal.ts';
import { answerOnce } from './once/keyed.ts';
import type { Answer, Asking, Caller, Gate, Operation, Route } from './operation.ts';
import { idempotencyKey, paramsOf, parse, parsedBody, pathOf, readBody, sentBody } from './parse.ts';
import { type Pressure, underWay } from './pressure.ts';
import type { ProblemOf } from './problem.ts';
import { send, sendAnswer, textOf } from './send.ts';
import { pathOfOperation } from './shown-path.ts';
import { type StillKnown, stillKnown } from './still-known.ts';
import { nowhere, type UploadStore } from './uploads/keep-file.ts';
import { type Received, receiveUpload } from './uploads/multipart.ts';
import type { CodeOfFields } from './validation.ts';

export type ServeDeps<O extends Operation> = ReadModels & {
  readonly gate: Gate<O>;
  readonly problemOf: ProblemOf;
  readonly codeOfFields: CodeOfFields;
  readonly idempotency: IdempotencyStore;
  readonly ids: Ids;
  /** Runs the work in the time of the caller's platform. */
  readonly inTimeOf: <Result>(platformId: string, work: () => Result) => Result;
  /** Where the files of multipart bodies go. */
  readonly uploads: UploadStore;
  readonly pressure: Pressure;
  /** How long a request may take, in milliseconds, without the reading of its body. */
  readonly requestMaxMs: number;
  /** Told of a key that was used again, and for something else. */
  readonly repeatedWithOtherBody: (operationId: string, requestId: string, fields: readonly string[]) => void;
  /** For the bodies that are under way. */
  readonly room: Room;
  /** Tests turn this on: an answer that does not fit its own schema is then an error. */
  readonly checkResponses: boolean;
};

/** On an answer to another body than this one: the fields that differ. */
export const otherBodyHeader = 'Daybook-Body-Differs';
/** On the first answer to a key, given again. */
export const replayedHeader = 'Idempotent-Replayed';

type HttpResponse = Response<unknown, Locals>;

/** One request on its way; `attempted` of one with an Idempotency-Key. */
type Served<O extends Operation> = {
  readonly route: Route<O>;
  readonly req: HttpRequest;
  readonly res: HttpResponse;
  readonly caller: Caller | undefined;
  readonly stillKnown: StillKnown;
  readonly inTime: InTime;
  readonly attempted?: Attempted;
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
    const { operationId, authentication, idempotent: takesKey = false } = operation;
    const path = pathOfOperation(operation.path, req.params);
    Object.assign(res.locals, { operationId, authentication, path, takesKey });
    const inTime = timeFor(deps.requestMaxMs);
    const identify = () => deps.gate.identify(operation, req);
    const caller = await inTime(async () => {
      const identified = await identify();
      if (identified) {
        res.locals.platformId = identified.platformId;
        res.locals.actor = identified.actor;
      }
      await deps.gate.count(operation, req.params, identified, req);
      return identified;
    });
    const served = { route, req, res, caller, stillKnown: stillKnown(() => inTime(identify)), inTime };
    if (!caller) return answerServed(served, deps);
    return deps.inTimeOf(caller.platformId, () => answerServed(served, deps));
  };

async function answerServed<O extends Operation>(served: Served<O>, deps: ServeDeps<O>): Promise<void> {
  const { req, res, caller, inTime } = served;
  const { operation } = served.route;
  if (operation.multipart) return answerUpload(served, deps);
  await readBody(operation, req, res, deps.room);
  // It takes as long as its sender wants.
  await served.stillKnown();
  // Counted from here, where a caller who sends slowly holds up nobody.
  await underWay(deps.pressure, operation.method, caller, async () => {
    const key = operation.idempotent ? idempotencyKey(req) : undefined;
    if (key !== undefined && caller !== undefined) await inTime(() => answerKeyed(served, caller, key, deps));
    else sendAnswer(res, await answerOf(served, deps), isStillFor(served, deps));
  });
}

/** What was done is told in every case; what only says something may have waited for it to happen. */
async function answerOf<O extends Operation>(served: Served<O>, deps: ServeDeps<O>): Promise<Answer> {
  const answer = await served.inTime(() => runTold(served, deps));
  if (served.route.operation.method === 'get') await served.stillKnown();
  return answer;
}

/** Asked while an answer goes on. */
const isStillFor =
  <O extends Operation>({ route, req }: Served<O>, { gate }: ServeDeps<O>) =>
  () =>
    gate.isStill(route.operation, req);

/** What is asked for in vain may count. */
async function runTold<O extends Operation>(served: Served<O>, deps: ServeDeps<O>): Promise<Answer> {
  const { route, req, caller } = served;
  try {
    return await run(served, deps);
  } catch (error) {
    if (error instanceof Rejected) await deps.gate.refused(route.operation, req.params, caller, req, error);
    throw error;
  }
}

/** The first answer to a key is the answer to all. */
async function answerKeyed<O extends Operation>(
  served: Served<O>,
  caller: Caller,
  key: string,
  deps: ServeDeps<O>,
): Promise<void> {
  const { route, req, res } = served;
  const { operation } = route;
  const { gate } = deps;
  const keyed = {
    scope: derivedUuid(gate.keyHolder(caller), req.method, pathOf(req), key),
    fingerprint: fingerprintOf(sentBody(req)),
    tenant: gate.tenantOf(caller),
  };
  const { status, body, isReplay } = await answerOnce(deps.idempotency, keyed, {
    run: (attempted) => run({ ...served, attempted }, deps),
    resume: (attempted, isSame) => resume({ ...served, attempted }, isSame, deps),
    keptRefusal: (refusal) => keptRefusal(refusal, operation, caller, deps),
    textOf: (answer) => textOf(answer) ?? '',
    tellOther: async (fields) => {
      if (!gate.isPermitted(operation, caller)) return;
      res.setHeader(otherBodyHeader, fields.join(', '));
      deps.repeatedWithOtherBody(operation.operationId, res.locals.requestId, fields);
      await gate.refuseOtherBody(caller, fields);
    },
  });
  if (isReplay) {
    gate.requirePermission(operation, caller);
    res.setHeader(replayedHeader, 'true');
    // The first answer may have been too early for the read models, or have come to nobody.
    if (status < 400) await untilAllShown(res, deps);
  }
  send(res, status, body);
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
    await served.stillKnown();
    await underWay(deps.pressure, operation.method, caller, async () =>
      sendAnswer(
        res,
        await served.inTime(() => run({ ...served, received }, deps)),
        isStillFor(served, deps),
      ),
    );
  } catch (error) {
    if (error instanceof Rejected && received.file) await store.discard(received.file.uploadId);
    throw error;
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

/** Parses, finds the resource, checks the permission, and runs the handler. */
function run<O extends Operation>(served: Served<O>, deps: ServeDeps<O>): Promise<Answer> {
  const { route, req, res, caller, received } = served;
  const { operation, load, handle } = route;
  return inOrder(served, deps, async (asking) => {
    const isRefused = async () => caller !== undefined && (await deps.gate.refusesUnread(caller));
    const wrong = await unknownNames(operation, { req, res, received }, isRefused);
    const request = { ...asking, ...parse(operation, req, received, deps.codeOfFields, wrong) };
    const loaded = await load(request);
    if (caller) deps.gate.requirePermission(operation, caller);
    return checked(deps, operation, await handle(request, loaded as never));
  });
}

/** What the request has done in an attempt that was cut short, whatever its body says now. */
async function resume<O extends Operation>(
  served: Served<O>,
  isSame: boolean,
  deps: ServeDeps<O>,
): Promise<Answer | undefined> {
  const { route, req, res, caller } = served;
  const { operation } = route;
  return inOrder(served, deps, async (asking) => {
    const params = paramsOf(operation, req);
    if (caller) deps.gate.requirePermission(operation, caller);
    const body = isSame ? parsedBody(operation, req) : undefined;
    const done = await route.resume?.({ ...asking, params, body });
    if (!done) return undefined;
    await untilAllShown(res, deps);
    return checked(deps, operation, done);
  });
}

/** Waits, after the work, until the read models show what it did, and what it has seen in the log. */
async function inOrder<O extends Operation, T>(
  { res, req, caller, attempted }: Served<O>,
  deps: ServeDeps<O>,
  work: (asking: Asking) => Promise<T>,
): Promise<T> {
  const rest = new Rest(res, deps);
  const { platformId, actor } = caller ?? { platformId: '', actor: 'anybody' };
  const seen = (at: bigint) => rest.did(at);
  const { requestId } = res.locals;
  const { scope, key } = attempted ?? {};
  try {
    const asking = {
      principal: caller as Caller,
      header: (name: string) => req.get(name),
      requestedBy: scope ?? requestId,
      isKeyed: scope !== undefined,
      cause: {
        platformId,
        actor,
        correlationId: requestId,
        causationId: requestId,
        ...(key && { key }),
        seen,
      },
      gone: () => goneOf(res),
      uuidFor: uuidsFor(deps.ids, scope, requestId),
    };
    return await noticing(rest, () => onceRestored(res, deps, () => work(asking)));
  } finally {
    await rest.untilAllShown();
  }
}
