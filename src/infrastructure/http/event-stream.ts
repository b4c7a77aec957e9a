/** Server-sent events, as HTML has them: text that goes on until one of both ends it. */
import { once } from 'node:events';
import type { Response } from 'express';

export const heartbeatMs = 15_000;
/** A client that takes nothing for so long is gone. */
const drainMaxMs = 30_000;

/** `data` has no line breaks. */
export type SentEvent = { readonly id: string; readonly event: string; readonly data: string };

export type EventStream = {
  /** The answer ends then at the latest. */
  readonly maxMs: number;
  /** Begins to send, though nothing before it returns. Returns what ends it; throws `Rejected` for one too many. */
  readonly open: (sending: Sending, end: () => void) => () => void;
};

/** Rejects where the client is gone. */
export type Sending = {
  readonly send: (event: SentEvent) => Promise<void>;
  /** Tells the client where to go on when it comes back, without an event. */
  readonly passed: (id: string) => Promise<void>;
};

/** Whether whom a stream is for may still have it. */
export type IsStill = () => Promise<boolean>;

/** `isStill` is asked before anything is sent: where it is not so the stream ends. */
export function sendEvents(res: Response, { open, maxMs }: EventStream, isStill: IsStill): void {
  if (res.req.method === 'HEAD') return void asStream(res).end();
  const end = () => void (res.writableEnded || res.end());
  const write = async (text: string) => {
    if (!(await isStill())) end();
    if (res.closed || res.writableEnded) throw new Error('the client is gone');
    if (res.write(text)) return;
    await once(res, 'drain', { signal: AbortSignal.timeout(drainMaxMs) }).catch((error) => {
      res.destroy();
      throw error;
    });
  };
  // Who has gone already says so no more.
  if (res.closed || res.destroyed) return;
  const sending: Sending = {
    send: ({ id, event, data }) => write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`),
    passed: (id) => write(`id: ${id}\n\n`),
  };
  // Before the answer begins, so that a refusal has its status.
  const close = open(sending, end);
  asStream(res).flushHeaders();
  res.write(': begun\n\n');
  const beating = setInterval(() => write(': here\n\n').catch(() => undefined), heartbeatMs);
  const ending = setTimeout(end, maxMs);
  res.once('close', () => {
    clearInterval(beating);
    clearTimeout(ending);
    close();
  });
}

function asStream(res: Response): Response {
  res.statusCode = 200;
  res.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  return res;
}
