import type { Answer, Client } from './client.ts';

/** A request with an Idempotency-Key. */
export const keyed = (through: Client, key: string, path: string, body?: unknown): Promise<Answer> =>
  through.post(path, body, { 'idempotency-key': key });

/** `true` where the answer is one that was given before. */
export const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');
