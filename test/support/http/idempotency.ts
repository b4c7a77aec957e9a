import { beforeAll } from 'vitest';
import { payoutParties, quoteBody } from '../resources/flows.ts';
import type { Answer, Client } from './client.ts';

/** A request with an Idempotency-Key. */
export const keyed = (through: Client, key: string, path: string, body?: unknown): Promise<Answer> =>
  through.post(path, body, { 'idempotency-key': key });

/** `true` where the answer is one that was given before. */
export const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');

export type Parties = Awaited<ReturnType<typeof payoutParties>>;

export const bodyFor = ({ account, payee }: Parties, overrides: object = {}) =>
  quoteBody(account.id, payee.id, overrides);

/** Asks for quotes between two parties who are there for all tests of the file. */
export function keyedQuotes(client: Client) {
  let parties: Parties;
  beforeAll(async () => {
    parties = await payoutParties(client);
  });
  return (key: string, overrides: object = {}, through = client) =>
    keyed(through, key, '/quotes', bodyFor(parties, overrides));
}
