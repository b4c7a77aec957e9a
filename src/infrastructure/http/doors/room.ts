/** Bounds the bytes of bodies that are held at the same time: for each caller's address or network of IPv6, and in all. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { malformed } from '../../../kernel/json.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import { networkOf } from '../client-network.ts';

const mebibyte = 1024 * 1024;
export const bodiesPerAddress = 64 * mebibyte;
export const bodiesInAll = 256 * mebibyte;
/** Bodies that are no longer than this are so small that a bound on connections bounds them too. */
const smallMax = 16 * 1024;
const retryAfterSeconds = 1;

export type Room = {
  /**
   * Takes room until the request is answered. Throws `Rejected`: SERVICE_UNAVAILABLE where there is none, and what
   * `incomplete` makes where the caller has left.
   */
  readonly take: (bytes: number, req: IncomingMessage, res: ServerResponse) => void;
};

export function createRoom(perAddress = bodiesPerAddress, inAll = bodiesInAll): Room {
  const taken = new Map<string, number>();
  let all = 0;
  const add = (address: string, bytes: number) => {
    const sum = (taken.get(address) ?? 0) + bytes;
    if (sum > 0) taken.set(address, sum);
    else taken.delete(address);
    all += bytes;
  };
  return {
    take(bytes, req, res) {
      const address = callerOf(req);
      if (bytes <= smallMax) return;
      // Who has left meanwhile closes nothing any more, and would keep the room for ever.
      if (req.destroyed) throw incomplete();
      if ((taken.get(address) ?? 0) + bytes > perAddress || all + bytes > inAll) throw full();
      add(address, bytes);
      res.once('close', () => add(address, -bytes));
    },
  };
}

/** Behind a proxy whose word is taken, that of the address that it names. */
const callerOf = (req: IncomingMessage & { readonly ip?: string | undefined }): string =>
  networkOf(req.ip ?? req.socket.remoteAddress ?? '');

export const incomplete = () => malformed('The body ends before it is complete.');

const full = () =>
  new Rejected(
    'SERVICE_UNAVAILABLE',
    `As many bytes of bodies as are held at once are on their way. Send the request again in ${retryAfterSeconds} second.`,
    { retryAfterSeconds },
  );
