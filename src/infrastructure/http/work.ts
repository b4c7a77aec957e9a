/** What is done for a request once it is through the doors: it is read, what it is about is found, and the handler does it. */
import type { Request as HttpRequest, Response } from 'express';
import { type Ids, uuidsFor } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { InTime } from '../deadlines/deadline.ts';
import { noticing } from '../rests-on.ts';
import { onceRestored, type ReadModels, Rest, untilAllShown } from './behind.ts';
import { checkAnswer } from './describe/check-answer.ts';
import { goneOf } from './dropped.ts';
import type { Locals } from './locals.ts';
import { unknownNames, type Warn, warningOf } from './names/told.ts';
import type { Attempted } from './once/idempotency.ts';
import type { Answer, Asking, Caller, Gate, Operation, Request, Route } from './operation.ts';
import { paramsOf, parse, parsedBody } from './parse.ts';
import type { ProblemOf } from './problem.ts';
import type { StillKnown } from './still-known.ts';
import type { Received } from './uploads/multipart.ts';
import type { CodeOfFields } from './validation.ts';

export type WorkDeps<O extends Operation> = ReadModels & {
  readonly gate: Gate<O>;
  readonly problemOf: ProblemOf;
  readonly codeOfFields: CodeOfFields;
  readonly ids: Ids;
  /** Tests turn this on: an answer that does not fit its own schema is then an error. */
  readonly checkResponses: boolean;
};

export type HttpResponse = Response<unknown, Locals>;

/** One request on its way; `attempted` of one with an Idempotency-Key. */
export type Served<O extends Operation> = {
  readonly route: Route<O>;
  readonly req: HttpRequest;
  readonly res: HttpResponse;
  readonly caller: Caller | undefined;
  readonly stillKnown: StillKnown;
  readonly inTime: InTime;
  readonly requireSame: (() => void) | undefined;
  readonly attempted?: Attempted;
  readonly received?: Received;
};

/** What a request says, and what it is about. */
type Found = {
  readonly said: Pick<Request, 'params' | 'query' | 'body' | 'upload'>;
  readonly loaded: unknown;
};

/** Parses the request, finds what it is about, checks the permission, and runs the handler. */
export function run<O extends Operation>(served: Served<O>, deps: WorkDeps<O>): Promise<Answer> {
  const warn: Warn = (warning) => tell(served.res, warning);
  return inOrder(served, deps, async (rest) => {
    return handle(served, deps, rest, await find(served, deps, warn));
  });
}

/** What a request with a key asks for. */
export type KeyedWork = {
  /** Does it; `isAnew` where what was found before the key was held may be old. */
  readonly run: (attempted: Attempted, isAnew: boolean) => Promise<Answer>;
  /** Until the read models show what was done: they come to that while the answer is kept. */
  readonly shown: () => Promise<void>;
  /** Until nothing is looked for any more: where the key had an answer, that goes out before. */
  readonly over: () => Promise<void>;
};

/**
 * What a request is about is looked for while its key is: neither waits for the other. It is for nothing where the key has
 * an answer, and looked for anew where the key was waited for, or something may have been done under it. `isAwaited` where
 * it will be waited for: then nothing is looked for before.
 */
export function keyedWork<O extends Operation>(
  served: Served<O>,
  deps: WorkDeps<O>,
  isAwaited: boolean,
): KeyedWork {
  const { res } = served;
  const rest = new Rest(res, deps);
  let warning: string | undefined;
  const look = () =>
    resting(served, deps, rest, () =>
      find(served, deps, (told) => {
        warning = told;
      }),
    );
  const early = isAwaited ? undefined : unheard(look());
  let shown: Promise<void> | undefined;
  return {
    async run(attempted, isAnew) {
      try {
        const found = await ((isAnew ? undefined : early) ?? look());
        const attempt = { ...served, attempted };
        const answer = await resting(served, deps, rest, () => handle(attempt, deps, rest, found));
        shown = unheard(rest.untilAllShown());
        return answer;
      } catch (error) {
        // Repeats of a refusal do not wait: it is kept when the read models show what it rests on.
        await rest.untilAllShown();
        throw error;
      } finally {
        if (warning !== undefined) tell(res, warning);
      }
    },
    shown: async () => shown,
    over: async () => void (await early?.catch(() => undefined)),
  };
}

/** One that was late has been answered already. */
function tell(res: HttpResponse, warning: string): void {
  if (!res.headersSent) res.appendHeader('Warning', warning);
}

/** What becomes of it may be of no interest. */
function unheard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** What the request has done in an attempt that was cut short, whatever its body says now. */
export function resume<O extends Operation>(
  served: Served<O>,
  isSame: boolean,
  deps: WorkDeps<O>,
): Promise<Answer | undefined> {
  const { route, req, res, caller } = served;
  const { operation } = route;
  return inOrder(served, deps, async (rest) => {
    const params = paramsOf(operation, req);
    if (caller) deps.gate.requirePermission(operation, caller);
    const body = isSame ? parsedBody(operation, req) : undefined;
    const done = await route.resume?.({ ...askingOf(served, deps, rest), params, body });
    if (!done) return undefined;
    await untilAllShown(res, deps);
    return checked(deps, operation, done);
  });
}

/** Only looks: nothing is done. `warn` is told of what the operation does not read. */
async function find<O extends Operation>(
  { route, req, caller, received }: Served<O>,
  deps: WorkDeps<O>,
  warn: Warn,
): Promise<Found> {
  const { operation, load } = route;
  const isRefused = async () => caller !== undefined && (await deps.gate.refusesUnread(caller));
  const wrong = await unknownNames(operation, { req, received, warn }, isRefused);
  const said = parse(operation, req, received, deps.codeOfFields, wrong);
  return { said, loaded: await load({ ...said, principal: caller as Caller, header: headerOf(req) }) };
}

async function handle<O extends Operation>(
  served: Served<O>,
  deps: WorkDeps<O>,
  rest: Rest,
  { said, loaded }: Found,
): Promise<Answer> {
  const { route, caller } = served;
  if (caller) deps.gate.requirePermission(route.operation, caller);
  const answer = await route
    .handle({ ...askingOf(served, deps, rest), ...said }, loaded as never)
    .catch((error: unknown) => {
      // What it rests on is not there any more: nothing has been refused of what is there now.
      if (error instanceof Rejected) served.requireSame?.();
      throw error;
    });
  const { unread = [] } = answer;
  if (unread.length > 0) tell(served.res, warningOf(unread.map((field) => ({ field }))));
  return checked(deps, route.operation, answer);
}

/** In tests, what an operation does not declare is a fault. */
function checked<O extends Operation>(
  { checkResponses }: Pick<WorkDeps<O>, 'checkResponses'>,
  operation: O,
  answer: Answer,
): Answer {
  if (checkResponses) checkAnswer(operation, answer);
  return answer;
}

/** Waits, after the work, until the read models show what it did, and what it has seen in the log. */
async function inOrder<O extends Operation, T>(
  served: Served<O>,
  deps: WorkDeps<O>,
  work: (rest: Rest) => Promise<T>,
): Promise<T> {
  const rest = new Rest(served.res, deps);
  try {
    return await resting(served, deps, rest, () => work(rest));
  } finally {
    await rest.untilAllShown();
  }
}

/** Does a part of the work of a request; `rest` hears of what it looks at in the log. */
const resting = <O extends Operation, T>(
  { res }: Served<O>,
  deps: WorkDeps<O>,
  rest: Rest,
  work: () => Promise<T>,
): Promise<T> => noticing(rest, () => onceRestored(res, deps, work));

const headerOf = (req: HttpRequest) => (name: string) => req.get(name);

function askingOf<O extends Operation>(
  { req, res, caller, stillKnown, requireSame, attempted }: Served<O>,
  deps: Pick<WorkDeps<O>, 'ids'>,
  rest: Rest,
): Asking {
  const { platformId, actor } = caller ?? { platformId: '', actor: 'anybody' };
  const { requestId } = res.locals;
  const { scope, key } = attempted ?? {};
  return {
    principal: caller as Caller,
    header: headerOf(req),
    requestedBy: scope ?? requestId,
    isKeyed: scope !== undefined,
    stillKnown,
    cause: {
      platformId,
      actor,
      correlationId: requestId,
      causationId: requestId,
      ...(key && { key }),
      seen: (at) => rest.did(at),
      ...(requireSame && { requireSame }),
    },
    gone: () => goneOf(res),
    uuidFor: uuidsFor(deps.ids, scope, requestId),
  };
}
