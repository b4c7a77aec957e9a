/**
 * What is left of a body when its request is answered. A little of it is read off, and the connection serves the next
 * request; where there may be much the connection is closed, in a way that lets the caller see the answer.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** What a request may declare and leave for the service to read off. */
const readOffMax = 64 * 1024;
/** What is taken after the answer, so that a caller who sends first and reads then comes to reading. */
const lingeringBytes = 1024 * 1024;
const lingeringMs = 1_000;

/** How long a body is, or `undefined` where only its end will show it. */
export function declaredLength({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] === undefined ? 0 : undefined;
}

/** Whether more may come than is read off. */
export const mayBeLong = (req: IncomingMessage): boolean =>
  (declaredLength(req) ?? Number.POSITIVE_INFINITY) > readOffMax;

/** The answer ends the connection, unless the body has come to its end by then. */
export function closeUnlessRead(req: IncomingMessage, res: ServerResponse): void {
  const { writeHead } = res;
  res.writeHead = ((...head: Parameters<typeof writeHead>) => {
    if (!req.complete) closeAfterAnswer(req, res);
    return writeHead.apply(res, head);
  }) as typeof writeHead;
}

function closeAfterAnswer(req: IncomingMessage, res: ServerResponse): void {
  res.shouldKeepAlive = false;
  req.pause();
  // Node reads off, to its end and as fast as it comes, what nobody has begun to read.
  req.read();
  req.socket.destroySoon = () => linger(req);
}

/** Closes the sending side, reads on for a while and no more than a bound, and ends. */
function linger(req: IncomingMessage): void {
  const { socket } = req;
  socket.end();
  let left = lingeringBytes;
  req.on('data', (piece: Uint8Array) => {
    left -= piece.length;
    if (left < 0) req.pause();
  });
  req.once('end', () => Socket.prototype.destroySoon.call(socket));
  req.resume();
  const timer = setTimeout(() => socket.destroy(), lingeringMs);
  socket.once('close', () => clearTimeout(timer));
}
