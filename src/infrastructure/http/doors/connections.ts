/** Bounds the connections that one address, or network of IPv6, holds. One too many is told so, and ended soon. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../client-network.ts';
import type { Problem } from '../problem.ts';
import { refuse } from './no-request.ts';

/** How long a connection too many may take to ask for something, so that it can be told. */
const surplusMs = 2_000;
const retryAfterSeconds = 1;
const tooMany: Problem = {
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  message: `Too many connections come from this address. Send the request again in ${retryAfterSeconds} second.`,
  details: { retryAfterSeconds },
};

export type Surplus = {
  /** Answers a request on a connection too many, and says that it was one. */
  readonly refuse: (res: ServerResponse) => boolean;
};

/** `perAddress` of 0 means no bound. Of an address that has twice as many as that, connections are ended at once. */
export function boundConnections(server: Server, perAddress: number): Surplus {
  const surplus = new Set<Socket>();
  const counts = new Map<string, number>();
  const end = (socket: Socket, address: string) => {
    surplus.delete(socket);
    const left = (counts.get(address) ?? 1) - 1;
    if (left > 0) counts.set(address, left);
    else counts.delete(address);
  };
  const count = (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    const held = (counts.get(address) ?? 0) + 1;
    counts.set(address, held);
    socket.once('close', () => end(socket, address));
    if (held > 2 * perAddress) return void socket.destroy();
    if (held <= perAddress) return;
    surplus.add(socket);
    const timer = setTimeout(() => socket.destroy(), surplusMs);
    socket.once('close', () => clearTimeout(timer));
  };
  if (perAddress > 0) server.prependListener('connection', count);
  return {
    refuse(res) {
      if (surplus.size === 0 || !res.socket || !surplus.has(res.socket)) return false;
      refuse(res, tooMany, { 'Retry-After': `${retryAfterSeconds}` });
      return true;
    },
  };
}
