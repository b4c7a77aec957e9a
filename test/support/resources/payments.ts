/** The ways to move money, as a platform would send them. */
import { accountInfoInput } from '../builders/external-accounts.ts';
import type { Answer, Client, Json } from '../http/client.ts';
import { withCheckDigits } from '../values/iban.ts';
import {
  accountOf,
  createCustomer,
  expectStatus,
  fund,
  quoteBody,
  registerPayee,
  untilTransaction,
} from './flows.ts';

/** The domain of the sandbox's own payment addresses. */
export const sandboxDomain = 'sandbox.daybook.test';
export const sandboxAddress = (name: string): string => `$${name}@${sandboxDomain}`;

type Headers_ = Readonly<Record<string, string>>;

/** A USD account that money can be pulled from, with a sandbox suffix. */
export const registerUsd = (client: Client, customerId: string, suffix = '789'): Promise<Json> =>
  registerPayee(client, { customerId, currency: 'USD', accountInfo: usdInfo(suffix) });
export const registerEur = (client: Client, customerId: string, suffix = '789'): Promise<Json> =>
  registerPayee(client, { customerId, currency: 'EUR', accountInfo: eurInfo(suffix) });

export const usdInfo = (suffix: string) =>
  accountInfoInput('USD_ACCOUNT', { accountNumber: `1234567${suffix}` });
export const eurInfo = (suffix: string) =>
  accountInfoInput('EUR_ACCOUNT', { iban: withCheckDigits(`DE00370400440532013${suffix}`) });

/** A customer with a USD account that holds this much. */
export async function customerWith(client: Client, amount = 100_000, overrides: object = {}) {
  const customer = await createCustomer(client, { currencies: ['USD', 'EUR'], ...overrides });
  const account = await accountOf(client, customer.id);
  if (amount > 0) await fund(client, account.id, amount);
  return { customer, account };
}

/** A customer with a funded USD account, an account to pull from, and one to pay. */
export async function quoteParties(client: Client, amount = 100_000) {
  const { customer, account } = await customerWith(client, amount);
  const [pulled, payee] = [await registerUsd(client, customer.id), await registerEur(client, customer.id)];
  return { customer, account, pulled, payee };
}

export const balanceOf = async (client: Client, customerId: string, currency = 'USD'): Promise<Json> =>
  (await accountOf(client, customerId, currency)).balance.amount;

export async function platformAccount(client: Client, currency = 'USD'): Promise<Json> {
  const { data } = expectStatus(await client.get('/platform/internal-accounts', { currency }), 200);
  return data.find(({ type }: Json) => type !== 'EMBEDDED_WALLET');
}

const transfer =
  (path: string) =>
  (
    client: Client,
    from: string,
    to: string,
    amount: number | bigint,
    headers: Headers_ = {},
  ): Promise<Answer> =>
    client.post(path, { source: { accountId: from }, destination: { accountId: to }, amount }, headers);
export const transferOut = transfer('/transfer-out');
export const transferIn = transfer('/transfer-in');

export const quote = async (client: Client, body: object): Promise<Json> =>
  expectStatus(await client.post('/quotes', body), 201);

export const executeQuote = async (client: Client, { id }: Json): Promise<Json> =>
  expectStatus(await client.post(`/quotes/${id}/execute`), 200);

export const lookUp = async (client: Client, address: string, customerId: string): Promise<Json> =>
  expectStatus(await client.get(`/receiver/uma/${address}`, { customerId }), 200);

/** The body of a quote from an account to a payment address, looked up just before. */
export async function toAddress(
  client: Client,
  { customer, account }: { customer: Json; account: Json },
  address: string,
  overrides: object = {},
) {
  const { lookupId } = await lookUp(client, address, customer.id);
  const destination = { destinationType: 'UMA_ADDRESS', umaAddress: address };
  return { ...quoteBody(account.id, ''), destination, lookupId, ...overrides };
}

/** A simulated payment to a customer; 25.00 USD from the sandbox unless told otherwise. */
export const receive = (client: Client, overrides: object): Promise<Answer> =>
  client.post('/sandbox/uma/receive', {
    senderUmaAddress: sandboxAddress('success.usd'),
    receivingCurrencyCode: 'USD',
    receivingCurrencyAmount: 2_500,
    ...overrides,
  });

/** Of a payment between customers of two platforms: what belongs to each of them. */
export async function paidAcross(payerSide: Client, payeeSide: Client) {
  const payer = await customerWith(payerSide, 100_000);
  const payee = await customerWith(payeeSide, 0);
  const said = { lockedCurrencyAmount: 7_000, immediatelyExecute: true };
  const body = await toAddress(payerSide, payer, payee.customer.umaAddress, said);
  const { transactionId: sent } = await quote(payerSide, body);
  await untilTransaction(payerSide, sent, 'COMPLETED');
  const query = { customerId: payee.customer.id };
  const { data } = expectStatus(await payeeSide.get('/transactions', query), 200);
  const received: string = data[0].id;
  return {
    sent,
    received,
    ofPayer: [sent, ...(await idsOf(payerSide, payer.customer))],
    ofPayee: [received, ...(await idsOf(payeeSide, payee.customer))],
  };
}

/** Of a customer and its accounts, of the platform's tokens, and the uuid of the platform. */
async function idsOf(client: Client, { id: customerId }: Json): Promise<string[]> {
  const listed = async (path: string, query = {}): Promise<string[]> =>
    expectStatus(await client.get(path, query), 200).data.map(({ id }: Json) => id);
  const { id: platform } = expectStatus(await client.get('/config'), 200);
  const accounts = await listed('/customers/internal-accounts', { customerId });
  return [customerId, ...accounts, platform.slice(platform.indexOf(':') + 1), ...(await listed('/tokens'))];
}
