/** The currencies of a platform's configuration, as a client changes them. */
import type { Client, Json } from '../http/client.ts';
import { expectStatus } from './flows.ts';

export const currenciesOf = async (client: Client): Promise<Json[]> =>
  expectStatus(await client.get('/config'), 200).supportedCurrencies;

/** Settings of some currencies; the others stay as they are. */
export async function setCurrencies(
  client: Client,
  changes: Readonly<Record<string, object>>,
): Promise<void> {
  const supportedCurrencies = (await currenciesOf(client)).map((one) => ({
    ...one,
    ...changes[one.currencyCode],
  }));
  expectStatus(await client.patch('/config', { supportedCurrencies }), 200);
}

/** Takes currencies off the list. */
export async function removeCurrencies(client: Client, ...codes: readonly string[]): Promise<void> {
  const all = await currenciesOf(client);
  const supportedCurrencies = all.filter(({ currencyCode }) => !codes.includes(currencyCode));
  expectStatus(await client.patch('/config', { supportedCurrencies }), 200);
}
