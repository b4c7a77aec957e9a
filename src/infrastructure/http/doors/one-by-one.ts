/**
 * One request of a connection at a time. Node hands over all that it has read of a connection, a few thousand requests in
 * a piece, and keeps the answers to all but the first in memory: their senders need not read a byte of them.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait for the answer to the one before them. One more ends the connection. */
export const waitingMax = 16;

type Waiting = readonly [req: IncomingMessage, res: ServerResponse];

/** The next request begins when its connection has taken the answer to the one before. */
export function oneByOne(begin: RequestListener): RequestListener {
  /** What waits behind the request that is under way. */
  const lines = new WeakMap<Socket, Waiting[]>();
  const take = (socket: Socket, [req, res]: Waiting, line: Waiting[]) => {
    res.once('close', () => {
      const next = isOver(socket) ? undefined : line.shift();
      if (next) take(socket, next, line);
      else lines.delete(socket);
    });
    begin(req, res);
  };
  return (req, res) => {
    const { socket } = req;
    // The rest of a piece whose connection has been ended.
    if (isOver(socket)) return;
    const line = lines.get(socket);
    if (line === undefined) {
      const none: Waiting[] = [];
      lines.set(socket, none);
      take(socket, [req, res], none);
    } else if (line.length < waitingMax) line.push([req, res]);
    else socket.destroy();
  };
}

/** Nothing more is said on it: the last answer has been one that ends it, or the caller has gone. */
const isOver = (socket: Socket): boolean => socket.destroyed || socket.writableEnded;
