/** Every way a quote can be paid, and every place its money can go. */
import type { Client, Json } from '../http/client.ts';
import { accountOf, createCustomer, expectStatus, fund } from './flows.ts';
import {
  customerWith,
  lookUp,
  platformAccount,
  registerEur,
  registerUsd,
  sandboxAddress,
} from './payments.ts';

type Body = Readonly<Record<string, unknown>>;

export type Payer = {
  readonly source: Body;
  readonly customer: Json | undefined;
  /** How it is started: by executing it, or by paying it. */
  readonly start: 'execute' | 'send';
  readonly lockedAmount: number;
  /** What the source holds; `undefined` for money from outside. */
  readonly balance?: () => Promise<number | bigint>;
};

export type Payee = {
  readonly destination: Body;
  readonly lookupId?: string;
  readonly currency: string;
  readonly balance?: () => Promise<number | bigint>;
};

const cents = 10_000;
const account = (side: 'source' | 'destination', accountId: string): Body => ({
  [`${side}Type`]: 'ACCOUNT',
  accountId,
});

const customerBalance = (client: Client, customer: Json, currency: string) => async () =>
  (await accountOf(client, customer.id, currency)).balance.amount;
const platformBalance = (client: Client, currency: string) => async () =>
  (await platformAccount(client, currency)).balance.amount;

export const payers: Readonly<Record<string, (client: Client) => Promise<Payer>>> = {
  "a customer's account": async (client) => {
    const { customer, account: own } = await customerWith(client, 1_000_000);
    const balance = customerBalance(client, customer, 'USD');
    return { source: account('source', own.id), customer, start: 'execute', lockedAmount: cents, balance };
  },
  "the platform's account": async (client) => {
    const own = await platformAccount(client);
    await fund(client, own.id, 1_000_000);
    const balance = platformBalance(client, 'USD');
    const source = account('source', own.id);
    return { source, customer: undefined, start: 'execute', lockedAmount: cents, balance };
  },
  'an external account': async (client) => {
    const { customer } = await customerWith(client, 0);
    const external = await registerUsd(client, customer.id, '321');
    return { source: account('source', external.id), customer, start: 'execute', lockedAmount: cents };
  },
  'a bank transfer': async (client) => {
    const customer = await createCustomer(client);
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: customer.id };
    return { source, customer, start: 'send', lockedAmount: cents };
  },
  'a bank transfer to the platform': async () => {
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD' };
    return { source, customer: undefined, start: 'send', lockedAmount: cents };
  },
  'a stablecoin': async (client) => {
    const customer = await createCustomer(client, { currencies: ['USDC'] });
    const crypto = { currency: 'USDC', cryptoNetwork: 'SOLANA' };
    const source = { sourceType: 'REALTIME_FUNDING', ...crypto, customerId: customer.id };
    return { source, customer, start: 'send', lockedAmount: 100_000_000 };
  },
};

const internal =
  (currency: string) =>
  async (client: Client): Promise<Payee> => {
    const customer = await createCustomer(client, { currencies: [currency] });
    const { id } = await accountOf(client, customer.id, currency);
    const balance = customerBalance(client, customer, currency);
    return { destination: account('destination', id), currency, balance };
  };

const address =
  (name: string) =>
  async (client: Client, payer: Json): Promise<Payee> => {
    const umaAddress = sandboxAddress(name);
    const { lookupId } = await lookUp(client, umaAddress, payer.id);
    const currency = name.slice(-3).toUpperCase();
    return { destination: { destinationType: 'UMA_ADDRESS', umaAddress }, lookupId, currency };
  };

export const payees: Readonly<Record<string, (client: Client, payer: Json) => Promise<Payee>>> = {
  "another customer's account": internal('EUR'),
  "another customer's account in dollars": internal('USD'),
  "the platform's account": async (client) => {
    const { id } = await platformAccount(client, 'MXN');
    const balance = platformBalance(client, 'MXN');
    return { destination: account('destination', id), currency: 'MXN', balance };
  },
  'an external account': async (client) => {
    const { id } = await registerEur(client, (await createCustomer(client)).id);
    return { destination: account('destination', id), currency: 'EUR' };
  },
  'an external account in dollars': async (client) => {
    const { id } = await registerUsd(client, (await createCustomer(client)).id);
    return { destination: account('destination', id), currency: 'USD' };
  },
  'a payment address': address('success.eur'),
  'a payment address in dollars': address('success.usd'),
};

/** Executes the quote or pays its instructions. */
export const startQuote = async (client: Client, how: Payer['start'], quoted: Json): Promise<Json> =>
  how === 'execute'
    ? expectStatus(await client.post(`/quotes/${quoted.id}/execute`), 200)
    : expectStatus(
        await client.post('/sandbox/send', {
          quoteId: quoted.id,
          currencyCode: quoted.sendingCurrency.code,
        }),
        200,
      );
