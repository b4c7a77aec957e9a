import { accountInfoInput } from '../builders/external-accounts.ts';
import type { Answer, Client, Json } from '../http/client.ts';
import { patienceMs } from '../time/patience.ts';

/** The body of an answer, after checking that it is the expected one. */
export function expectStatus(answer: Answer, status: number): Json {
  if (answer.status === status) return answer.body;
  throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`);
}

export const individual = (overrides: object = {}) => ({
  customerType: 'INDIVIDUAL',
  fullName: 'Ada Lovelace',
  region: 'US',
  currencies: ['USD'],
  ...overrides,
});

export const createCustomer = async (client: Client, overrides: object = {}): Promise<Json> =>
  expectStatus(await client.post('/customers', individual(overrides)), 201);

export const business = (overrides: object = {}) => ({
  customerType: 'BUSINESS',
  region: 'US',
  currencies: ['USD'],
  businessInfo: { legalName: 'Analytical Engines Ltd' },
  ...overrides,
});

export const createBusiness = async (client: Client, overrides: object = {}): Promise<Json> =>
  expectStatus(await client.post('/customers', business(overrides)), 201);

/** Lists may be behind on a busy machine, and say so. */
export async function accountOf(client: Client, customerId: string, currency = 'USD'): Promise<Json> {
  const find = async () => {
    const listed = await client.get('/customers/internal-accounts', { customerId, currency });
    return expectStatus(listed, 200).data.find(({ type }: Json) => type !== 'EMBEDDED_WALLET');
  };
  return await eventually(find, (found) => found !== undefined);
}

export const fund = async (client: Client, accountId: string, amount: number | bigint): Promise<Json> =>
  expectStatus(await client.post(`/sandbox/internal-accounts/${accountId}/fund`, { amount }), 200);

/** Registers a EUR account unless told otherwise. */
export const registerPayee = async (client: Client, overrides: object = {}): Promise<Json> =>
  expectStatus(
    await client.post('/customers/external-accounts', {
      currency: 'EUR',
      accountInfo: accountInfoInput('EUR_ACCOUNT'),
      ...overrides,
    }),
    201,
  );

export const quoteBody = (sourceId: string, destinationId: string, overrides: object = {}) => ({
  source: { sourceType: 'ACCOUNT', accountId: sourceId },
  destination: { destinationType: 'ACCOUNT', accountId: destinationId },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 10_000,
  ...overrides,
});

/** A customer with a funded USD account and a EUR account to pay. */
export async function payoutParties(client: Client, amount: number | bigint = 1_000_000) {
  const customer = await createCustomer(client);
  const account = await accountOf(client, customer.id);
  if (BigInt(amount) > 0n) await fund(client, account.id, amount);
  const payee = await registerPayee(client, { customerId: customer.id });
  return { customer, account, payee };
}

/** Asks until `done` holds, for at most `timeoutMs`; throws with the last answer otherwise. */
export async function eventually<T>(
  ask: () => Promise<T>,
  done: (answer: T) => boolean,
  timeoutMs = patienceMs,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (done(answer)) return answer;
    if (performance.now() > end) throw new Error(`still not so: ${JSON.stringify(answer, bigintAsText)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
const bigintAsText = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);

export const untilTransaction = (client: Client, id: string, status: string): Promise<Json> =>
  eventually(
    async () => (await client.get(`/transactions/${id}`)).body,
    (transaction) => transaction.status === status,
  );
