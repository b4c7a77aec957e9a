/**
 * The way of a request, the same for every operation: credentials, limits, whom the operation is for, idempotency, syntax,
 * resource, permission, then the handler; the answer waits until the read models show what it did.
 */
import type { Request as HttpRequest } from 'express';
import { derivedUuid } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { timeFor } from '../deadlines/deadline.ts';
import { untilAllShown } from './behind.ts';
import { checkRefusal } from './describe/check-answer.ts';
import { proceed } from './doors/body.ts';
import type { Room } from './doors/room.ts';
import { fingerprintOf } from './once/fingerprint.ts';
import type { IdempotencyStore } from './once/idempotency.ts';
import { keptRefusal } from './once/kept-refusal.ts';
import { answerOnce } from './once/keyed.ts';
import type { Answer, Caller, Operation, Route } from './operation.ts';
import { idempotencyKey, paramsOf, pathOf, readBody, sentBody } from './parse.ts';
import { type Pressure, underWay } from './pressure.ts';
import { seededRequests } from './seeded-requests.ts';
import { send, sendAnswer, textOf } from './send.ts';
import { pathOfOperation } from './shown-path.ts';
import { stillKnown } from './still-known.ts';
import { nowhere, type UploadStore } from './uploads/keep-file.ts';
import { receiveUpload } from './uploads/multipart.ts';
import {
  type HttpResponse,
  type KeyedWork,
  keyedWork,
  resume,
  run,
  type Served,
  type WorkDeps,
} from './work.ts';

export type ServeDeps<O extends Operation> = WorkDeps<O> & {
  readonly idempotency: IdempotencyStore;
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
  /** Gives a request the identifier that it has from then on. */
  readonly named: (res: HttpResponse, uuid: string) => void;
};

/** On an answer to another body than this one: the fields that differ. */
export const otherBodyHeader = 'Daybook-Body-Differs';
/** On the first answer to a key, given again. */
export const replayedHeader = 'Idempotent-Replayed';

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

function answering<O extends Operation>(route: Route<O>, deps: ServeDeps<O>) {
  const { operation } = route;
  const { seeded } = deps.ids;
  const comes = seeded && seededRequests(seeded);
  return async (req: HttpRequest, res: HttpResponse) => {
    const coming = comes?.(req, res);
    const { operationId, authentication, idempotent: takesKey = false } = operation;
    const path = pathOfOperation(operation.path, req.params);
    Object.assign(res.locals, { operationId, authentication, path, takesKey });
    const inTime = timeFor(deps.requestMaxMs);
    const identify = () => deps.gate.identify(operation, req);
    const letIn = async () => {
      try {
        const identified = await identify();
        const counted = identified && deps.gate.countedAs(identified, req);
        if (coming) deps.named(res, await coming.letIn(counted));
        return identified;
      } finally {
        coming?.over();
      }
    };
    const caller = await inTime(async () => {
      const identified = await (coming ? letIn() : identify());
      if (identified) {
        res.locals.platformId = identified.platformId;
        res.locals.actor = identified.actor;
      }
      await deps.gate.count(operation, req.params, identified, req);
      const admitted = identified && deps.gate.admit(operation, identified);
      if (admitted) await admitted;
      return identified;
    });
    const requireSame = caller && deps.gate.staying(caller);
    const known = { caller, requireSame, stillKnown: stillKnown(() => inTime(identify)) };
    const served = { route, req, res, ...known, inTime };
    if (!caller) return answerServed(served, deps);
    return deps.inTimeOf(caller.platformId, () => answerServed(served, deps));
  };
}

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
    if (key === undefined || caller === undefined)
      return sendAnswer(res, await answerOf(served, deps), isStillFor(served, deps));
    const { over } = await inTime(() => answerKeyed(served, caller, key, deps));
    // Its place is free when nothing is done for it any more, or it has had its time.
    await inTime(over).catch(() => undefined);
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
): Promise<Pick<KeyedWork, 'over'>> {
  const { route, req, res } = served;
  const { operation } = route;
  const { gate, idempotency } = deps;
  const keyed = {
    scope: derivedUuid(gate.keyHolder(caller), req.method, pathOf(req), key),
    fingerprint: fingerprintOf(sentBody(req)),
    tenant: gate.tenantOf(caller),
  };
  const work = keyedWork(served, deps, idempotency.isUnderWay(keyed.scope));
  const { status, body, isReplay } = await answerOnce(idempotency, keyed, {
    run: work.run,
    resume: (attempted, isSame) => resume({ ...served, attempted }, isSame, deps),
    keptRefusal: (refusal) => keptRefusal(refusal, operation, caller, deps),
    textOf: (answer) => textOf(answer) ?? '',
    tellOther: async (fields) => {
      if (!gate.isPermitted(operation, caller)) return;
      res.setHeader(otherBodyHeader, fields.join(', '));
      deps.repeatedWithOtherBody(operation.operationId, res.locals.requestId, fields);
      await gate.refuseOtherBody(caller, fields);
    },
  }).finally(work.shown);
  if (isReplay) {
    gate.requirePermission(operation, caller);
    res.setHeader(replayedHeader, 'true');
    // The first answer may have been too early for the read models, or have come to nobody.
    if (status < 400) await untilAllShown(res, deps);
  }
  send(res, status, body);
  return work;
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
