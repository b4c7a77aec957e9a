import type { ServerResponse } from 'node:http';

/** The connection is closed without an answer, as where a network fails. */
export class Dropped extends Error {
  override name = 'Dropped';
}

/** Aborts when the connection of an answer that is not sent yet is closed by whoever waits for it. */
export function goneOf(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (res.destroyed) gone.abort();
  else res.once('close', () => gone.abort());
  return gone.signal;
}
