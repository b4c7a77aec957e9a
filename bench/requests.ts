/** The requests of the benchmarks. Amounts and keys count up: no two requests are the same. */
import type { Shot } from './load.ts';
import { authorization, type Town } from './town.ts';

export const version = '/2025-10-13';

let sent = 0;

const keyed = (by: string, body: object) => ({
  headers: { authorization: by, 'content-type': 'application/json', 'idempotency-key': `bench-${sent}` },
  body: JSON.stringify(body),
});

function nextOf({ accounts }: Town) {
  sent += 1;
  return { ...(accounts[sent % accounts.length] as Town['accounts'][number]), number: sent };
}

/** A keyed transfer in, to the accounts of the town in turn. */
export const transfers = (path: string, town: Town) => (): Shot => {
  const { internal, external, number } = nextOf(town);
  const ends = { source: { accountId: external }, destination: { accountId: internal } };
  return { method: 'POST', path, ...keyed(town.authorization, { ...ends, amount: 100 + (number % 1_000) }) };
};

/** A keyed quote from an account to the external account beside it, for a small amount. */
export const quotes = (town: Town) => (): Shot => {
  const { internal, external } = nextOf(town);
  const quote = {
    source: { sourceType: 'ACCOUNT', accountId: internal },
    destination: { destinationType: 'ACCOUNT', accountId: external },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 200,
  };
  return { method: 'POST', path: `${version}/quotes`, ...keyed(town.authorization, quote) };
};

/** The execution of the quote that an answer shows. */
export const execution = (quote: string): Shot => {
  sent += 1;
  const { id } = JSON.parse(quote) as { readonly id: string };
  return {
    method: 'POST',
    path: `${version}/quotes/${id}/execute`,
    headers: { authorization, 'idempotency-key': `bench-${sent}` },
  };
};

export const pages = (path: string, size: number) => (): Shot => ({
  method: 'GET',
  path: `${path}?limit=${size}`,
  headers: { authorization },
});

/** Pages of the payments of the town's customers in turn. */
export const pagesOfCustomers = (path: string, size: number, town: Town) => (): Shot => ({
  method: 'GET',
  path: `${path}?limit=${size}&customerId=${nextOf(town).customer}`,
  headers: { authorization },
});
