/** What is answered when a request ends in an error: what the caller can do about it, or that the service failed. */
import type { ErrorRequestHandler, Request, Response } from 'express';
import { stringify } from '../../kernel/json.ts';
import { RequestLate } from '../away.ts';
import type { Log } from '../observe/log.ts';
import { isStoreAway } from '../postgres/away.ts';
import { Dropped } from './dropped.ts';
import type { Locals } from './locals.ts';
import { type Asked, internalProblem, type Problem, type ProblemOf } from './problem.ts';

type Deps = {
  readonly problemOf: ProblemOf;
  readonly log: Pick<Log, 'error' | 'warn'>;
  /** Whether whoever asks is told how to send credentials: a browser then asks for them with a window of its own. */
  readonly challenges?: (req: Pick<Request, 'get'>) => boolean;
};
type Handler = ErrorRequestHandler<object, unknown, unknown, unknown, Locals>;
type HttpResponse = Response<unknown, Locals>;

/** The last handler of an application. It always answers, in JSON, and passes nothing on. */
export const answerErrors =
  ({ problemOf, log, challenges = () => true }: Deps): Handler =>
  (error, req, res, _next) => {
    if (error instanceof Dropped) return void res.destroy();
    const { requestId } = res.locals;
    try {
      const known = problemOf(error, howAsked(req, res.locals));
      if (!known) log.error({ err: error, requestId }, 'request failed');
      else if (error instanceof RequestLate) log.warn({ err: error, requestId }, 'a request was too late');
      else if (isStoreAway(error)) log.warn({ err: error, requestId }, 'a store is away');
      if (res.headersSent) res.destroy();
      else sendProblem(res, known ?? internalProblem(requestId), challenges(req));
    } catch (failure) {
      sendLast(res);
      log.error({ err: failure, requestId }, 'answering an error failed');
    }
  };

/** A key that the operation does not take is as good as none. */
function howAsked(req: Pick<Request, 'method' | 'get'>, { takesKey }: Locals): Asked {
  if (req.method === 'GET' || req.method === 'HEAD') return 'to read';
  return takesKey && req.get('idempotency-key') !== undefined ? 'with a key' : 'without a key';
}

function sendProblem(res: HttpResponse, problem: Problem, isChallenged: boolean): void {
  const body = stringify(problem);
  res.locals.answer = body;
  const retryAfter = problem.details?.retryAfterSeconds;
  if (typeof retryAfter === 'number') res.setHeader('Retry-After', String(retryAfter));
  const scheme = res.locals.authentication === 'bearer' ? 'Bearer' : 'Basic';
  if (problem.status === 401 && isChallenged) res.setHeader('WWW-Authenticate', `${scheme} realm="Daybook"`);
  res.status(problem.status).type('application/json').send(body);
}

const lastAnswer = JSON.stringify({
  status: 500,
  code: 'INTERNAL_ERROR',
  message: 'The service failed to handle the request.',
} satisfies Problem);

/** Rests on nothing that could fail once more. */
function sendLast(res: HttpResponse): void {
  if (res.headersSent) return void res.destroy();
  res.statusCode = 500;
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.end(lastAnswer);
}
