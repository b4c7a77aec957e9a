/** The ways in which money moves: each is begun, or found begun, and ends. */
import { expect, onTestFinished } from 'vitest';
import { behindHeader } from '../../../src/infrastructure/http/behind.ts';
import { agentClientOf, type Client, type Json } from '../http/client.ts';
import { approvalRequired, employed } from '../resources/agents.ts';
import { expectStatus, fund, quoteBody } from '../resources/flows.ts';
import { receive, toAddress } from '../resources/payments.ts';
import { startReceiver } from '../servers/receiver.ts';
import { stampOf } from '../wallets/wallet-client.ts';
import { addEmail, type Session, signInByEmail, walletOf } from '../wallets/wallets.ts';

export type Party = {
  readonly customer: Json;
  readonly account: Json;
  /** An account elsewhere. */
  readonly payee: Json;
  /** Another customer here, and their account. */
  readonly neighbour: Json;
  readonly neighbours: Json;
  /** Who acts for the customer, where somebody does. */
  readonly agent?: { readonly id: string; readonly accessToken: string };
  readonly session?: Session;
};

export type Way = {
  /** What the account number of the payee ends with: it says how the sandbox lets the payment end. */
  readonly suffix?: string;
  /** How the payment ends. Where that is not COMPLETED, what was taken for it is given back. */
  readonly status: 'COMPLETED' | 'FAILED' | 'REJECTED';
  /** How many transactions a payment has on the books: one, unless it says otherwise. */
  readonly transactions?: number;
  /** What has to be there before the first payment. */
  readonly prepare?: (client: Client, party: Party) => Promise<Partial<Party>>;
  /** Begins the payment, or finds it begun. Gives the id of its transaction. */
  readonly begin: (client: Client, key: string, party: Party) => Promise<string>;
};

const keyed = (key: string) => ({ 'idempotency-key': key });
const transfer =
  (path: string, from: 'account' | 'payee', to: 'account' | 'payee'): Way['begin'] =>
  async (client, key, party) => {
    const [source, destination] = [{ accountId: party[from].id }, { accountId: party[to].id }];
    const body = { source, destination, amount: 100 };
    return expectStatus(await client.post(path, body, keyed(key)), 201).id;
  };
const paysAtOnce = { lockedCurrencyAmount: 500, immediatelyExecute: true };
const quote = async (client: Client, key: string, body: object): Promise<Json> =>
  expectStatus(await client.post('/quotes', body, keyed(key)), 201);
const quoteAtOnce: Way['begin'] = async (client, key, { account, payee }) =>
  (await quote(client, key, quoteBody(account.id, payee.id, paysAtOnce))).transactionId;

/** Asks for what takes no key. Throws where it is not known what came of it: all of it is asked for again then. */
async function settled(client: Client, path: string, body?: object): Promise<void> {
  const { status } = await client.post(path, body);
  if (status >= 500) throw new Error(`${path}: ${status}`);
}

/** A request that comes again has the body of the first: each key was looked up for once. */
const lookedUp = new Map<string, object>();

/** What takes no key is found again by its amount, of which each attempt has its own. In minor units. */
const amounts = new Map<string, number>();
function amountOf(key: string): number {
  const amount = amounts.get(key) ?? 2_000 + amounts.size;
  amounts.set(key, amount);
  return amount;
}
async function newest(client: Client): Promise<Json[]> {
  const answer = await client.get('/transactions', { limit: '20' });
  // It may not show yet what is there.
  expect(answer.headers.get(behindHeader)).toBeNull();
  return expectStatus(answer, 200).data;
}
async function foundOrMade(
  client: Client,
  key: string,
  { account }: Party,
  make: (amount: number) => Promise<unknown>,
) {
  const amount = amountOf(key);
  const find = async () =>
    (await newest(client)).find(
      ({ destination, receivedAmount }) =>
        destination.accountId === account.id && receivedAmount?.amount === amount,
    );
  const known = await find();
  if (!known) await make(amount);
  return known ?? (await find());
}

const arrived = (client: Client, key: string, party: Party): Promise<Json> =>
  foundOrMade(client, key, party, async (amount) => {
    const body = { receiverUmaAddress: party.customer.umaAddress, receivingCurrencyAmount: amount };
    expectStatus(await receive(client, body), 200);
  });

const byAgent = async (client: Client, key: string, party: Party): Promise<Json> => {
  const { account, payee, agent } = party;
  const body = { source: { accountId: account.id }, destination: { accountId: payee.id }, amount: 100 };
  const me = agentClientOf(client, agent?.accessToken ?? '');
  return expectStatus(await me.post('/agents/me/transfer-out', body, keyed(key)), 201);
};
const withAgent =
  (policy: Json = {}): NonNullable<Way['prepare']> =>
  async (client, { customer }) => {
    const { agent, accessToken } = await employed(client, customer.id, policy);
    return { agent: { id: agent.id, accessToken } };
  };

/** The ways in which money moves. */
export const ways = {
  'a transfer in': { status: 'COMPLETED', begin: transfer('/transfer-in', 'payee', 'account') },
  'a transfer out': { status: 'COMPLETED', begin: transfer('/transfer-out', 'account', 'payee') },
  'a quote that pays at once': { status: 'COMPLETED', begin: quoteAtOnce },
  'a quote that is executed': {
    status: 'COMPLETED',
    async begin(client, key, { account, payee }) {
      const body = quoteBody(account.id, payee.id, { lockedCurrencyAmount: 500 });
      const made = await quote(client, key, body);
      const execution = await client.post(`/quotes/${made.id}/execute`, undefined, keyed(`${key} executed`));
      expectStatus(execution, 200);
      return made.transactionId;
    },
  },
  'a transfer out that the bank rejects': {
    suffix: '004',
    status: 'REJECTED',
    begin: transfer('/transfer-out', 'account', 'payee'),
  },
  'a quote whose payment is sent back': { suffix: '005', status: 'FAILED', begin: quoteAtOnce },
  'a payment to another customer': {
    status: 'COMPLETED',
    async begin(client, key, { customer, account, neighbour }) {
      const body =
        lookedUp.get(key) ??
        (await toAddress(client, { customer, account }, neighbour.umaAddress, paysAtOnce));
      lookedUp.set(key, body);
      return (await quote(client, key, body)).transactionId;
    },
  },
  'a deposit': {
    status: 'COMPLETED',
    begin: async (client, key, party) =>
      (await foundOrMade(client, key, party, (amount) => fund(client, party.account.id, amount))).id,
  },
  'a payment from outside': {
    status: 'COMPLETED',
    begin: async (client, key, party) => (await arrived(client, key, party)).id,
  },
  'a payment from outside that is approved': {
    status: 'COMPLETED',
    async prepare(client) {
      const receiver = await startReceiver();
      onTestFinished(() => receiver.close());
      // It will decide later, every time.
      receiver.answer(202);
      expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
      return {};
    },
    async begin(client, key, party) {
      const { id, status } = await arrived(client, key, party);
      if (status === 'PENDING') await settled(client, `/transactions/${id}/approve`, {});
      return id;
    },
  },
  'a quote that is paid from outside': {
    status: 'COMPLETED',
    // What was sent, and what the account has received.
    transactions: 2,
    async begin(client, key, { customer, account }) {
      const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: customer.id };
      const made = await quote(client, key, { ...quoteBody('', account.id), source });
      // Paid already, where that was answered to nobody.
      if (made.status === 'PENDING')
        await settled(client, '/sandbox/send', { quoteId: made.id, currencyCode: 'USD' });
      return made.transactionId;
    },
  },
  "an agent's transfer out": {
    status: 'COMPLETED',
    prepare: withAgent(),
    begin: async (client, key, party) => (await byAgent(client, key, party)).transaction.id,
  },
  "an agent's transfer out that is approved": {
    status: 'COMPLETED',
    prepare: withAgent(approvalRequired),
    async begin(client, key, party) {
      const { id } = await byAgent(client, key, party);
      const path = `/agents/${party.agent?.id}/actions/${id}`;
      await settled(client, `${path}/approve`);
      const me = agentClientOf(client, party.agent?.accessToken ?? '');
      return expectStatus(await me.get(`/agents/me/actions/${id}`), 200).transaction.id;
    },
  },
  'a quote that a wallet signs': {
    status: 'COMPLETED',
    async prepare(client, { customer }) {
      const accountId = await walletOf(client, customer);
      await fund(client, accountId, 100_000_000);
      const { id } = await addEmail(client, { customer, accountId }, { email: 'ada@example.com' });
      return {
        account: { id: accountId, customerId: customer.id },
        session: await signInByEmail(client, id),
      };
    },
    async begin(client, key, { account, payee, session }) {
      const body = quoteBody(account.id, payee.id, { lockedCurrencyAmount: 1_000_000 });
      const made = await quote(client, key, body);
      const [{ accountOrWalletInfo }] = made.paymentInstructions;
      const stamp = stampOf(session?.privateKey ?? '', accountOrWalletInfo.payloadToSign);
      const headers = { ...keyed(`${key} executed`), 'service-wallet-signature': stamp };
      expectStatus(await client.post(`/quotes/${made.id}/execute`, undefined, headers), 200);
      return made.transactionId;
    },
  },
} as const satisfies Readonly<Record<string, Way>>;

export type WayName = keyof typeof ways;
