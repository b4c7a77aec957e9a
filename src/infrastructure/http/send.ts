/** Answers on their way out. */
import type { Request, Response } from 'express';
import { stringify } from '../../kernel/json.ts';
import { type IsStill, sendEvents } from './event-stream.ts';
import type { Answer } from './operation.ts';

/** A body that is text already is not made. */
export function textOf(answer: Answer): string | undefined {
  if (answer.text !== undefined) return answer.text;
  return answer.body === undefined ? undefined : stringify(answer.body);
}

export function sendAnswer(res: Response, answer: Answer, isStill: IsStill): void {
  if (answer.cookie !== undefined)
    res.setHeader('Set-Cookie', cameByHttps(res.req) ? `${answer.cookie}; Secure` : answer.cookie);
  if (answer.stream) sendEvents(res, answer.stream, isStill);
  else send(res, answer.status, textOf(answer));
}

/** As a proxy says that is trusted, or the browser itself: a page says where it is from with whatever it posts. */
const cameByHttps = (req: Request): boolean =>
  req.secure || (req.get('origin')?.startsWith('https:') ?? false);

export function send(res: Response, status: number, body: string | undefined): void {
  res.statusCode = status;
  if (body && status !== 204) {
    res.locals.answer = body;
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    const bytes = Buffer.byteLength(body);
    res.setHeader('Content-Length', bytes);
    // Letters of one byte each need not be encoded.
    res.end(body, bytes === body.length ? 'latin1' : 'utf8');
  } else res.end();
}
