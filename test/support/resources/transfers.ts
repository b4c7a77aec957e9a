/** Transfers in both directions between an internal and an external account. */
import type { Answer, Client, Json } from '../http/client.ts';
import { customerWith, registerUsd, transferIn, transferOut } from './payments.ts';

export type Direction = 'in' | 'out';
export const directions: readonly [Direction][] = [['in'], ['out']];

/** A customer with an internal and an external USD account. */
export async function transferParties(client: Client, amount = 10_000) {
  const { customer, account } = await customerWith(client, amount);
  return { customer, account, external: await registerUsd(client, customer.id) };
}

type Ids = { readonly internal: string; readonly external: string };

export const idsOf = ({ account, external }: { account: Json; external: Json }): Ids => ({
  internal: account.id,
  external: external.id,
});

export const transfer = (
  client: Client,
  direction: Direction,
  { internal, external }: Ids,
  amount: number | bigint,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  direction === 'in'
    ? transferIn(client, external, internal, amount, headers)
    : transferOut(client, internal, external, amount, headers);
