/** The ways in which money moves, and what is true of the books after each of them was killed at each of its calls. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../../../src/infrastructure/postgres/embedded.ts';
import { allTransactions, expectedBalance } from '../audit.ts';
import { inFlightOf, unbalanced } from '../books.ts';
import type { Client, Json } from '../client.ts';
import { eventually, expectStatus, quoteBody, untilTransaction } from '../flows.ts';
import { testMaxMs } from '../patience.ts';
import { customerWith, registerUsd, toAddress } from '../payments.ts';
import { removeDirectory } from '../process.ts';
import { newCredentials } from '../service.ts';
import { type Pay, type Swept, sweptService, type Victim } from './sweep.ts';

/** Some fifty starts of the service, on a machine that is busy with other things. */
export const sweepMaxMs = 4 * testMaxMs;

type Party = {
  readonly customer: Json;
  readonly account: Json;
  /** An account elsewhere. */
  readonly payee: Json;
  /** Another customer here, and their account. */
  readonly neighbour: Json;
  readonly neighbours: Json;
};

type Way = {
  /** What the account number of the payee ends with: it says how the sandbox lets the payment end. */
  readonly suffix?: string;
  /** How the payment ends. Where that is not COMPLETED, what was taken for it is given back. */
  readonly status: 'COMPLETED' | 'FAILED' | 'REJECTED';
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

/** A request that comes again has the body of the first: each key was looked up for once. */
const lookedUp = new Map<string, object>();

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
} as const satisfies Readonly<Record<string, Way>>;

export type WayName = keyof typeof ways;

/** Begins it and waits for its end, and for the end of its refund where it has one. */
const payBy =
  ({ status, begin }: Way, party: Party): Pay =>
  async (client, key) => {
    const id = await begin(client, key, party);
    const ended = await untilTransaction(client, id, status);
    if (status === 'COMPLETED') return ended;
    return eventually(
      async () => expectStatus(await client.get(`/transactions/${id}`), 200),
      ({ refund }) => refund?.status === 'COMPLETED',
    );
  };

type Service = { readonly client: Client; readonly databaseUrl: string };

/** As many payments as were asked for have ended, each once; the accounts have what they left, and nothing is in flight. */
async function expectRight(
  { client, databaseUrl }: Service,
  { account, neighbours }: Party,
  { status, payments }: { readonly status: Way['status']; readonly payments: number },
): Promise<void> {
  const all = await allTransactions(client);
  const own = all.filter(({ source, destination }) =>
    [source.accountId, destination.accountId].includes(account.id),
  );
  const [fund, ...others] = own;
  expect(fund?.type).toBe('INCOMING');
  // One for each key, however often it was asked for.
  expect(others.length).toBe(payments);
  expect(others.filter((one) => one.status !== status)).toEqual([]);
  for (const held of [account, neighbours]) {
    const { data } = expectStatus(
      await client.get('/customers/internal-accounts', { customerId: held.customerId }),
      200,
    );
    const { balance } = data.find(({ id }: Json) => id === held.id);
    expect(balance.amount).toBe(expectedBalance(all, held.id));
  }
  for (const { id } of others) expect(await inFlightOf(databaseUrl, id)).toEqual({});
  expect(await unbalanced(client)).toEqual([]);
}

/** A service for the tests of a file, with a server of its own: the others go on when its processes are killed. */
export function sweepOfTests() {
  let cwd: string;
  let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
  let swept: Swept;
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'daybook-sweep-'));
    postgres = await startEmbeddedPostgres(join(cwd, 'postgres'), createLog('silent'));
    swept = await sweptService({ cwd, databaseUrl: postgres.url, credentials: newCredentials() });
  });
  afterAll(async () => {
    await swept?.stop();
    await postgres?.stop();
    await removeDirectory(cwd);
  });
  /** Kills at each call of the way, and holds the books against what was asked for. */
  return async (victim: Victim, name: WayName): Promise<void> => {
    const way: Way = ways[name];
    const { customer, account } = await customerWith(swept.client(), 1_000_000);
    const { customer: neighbour, account: neighbours } = await customerWith(swept.client(), 0);
    const payee = await registerUsd(swept.client(), customer.id, way.suffix);
    const party = { customer, account, payee, neighbour, neighbours };
    const pay = payBy(way, party);
    const kills = await swept.sweep(victim, (client, key) => pay(client, `${name} ${key}`));
    process.stdout.write(`${name}: the ${victim} was killed at ${kills} calls\n`);
    expect(kills).toBeGreaterThan(4);
    const service = { client: swept.client(), databaseUrl: postgres.url };
    await expectRight(service, party, { status: way.status, payments: kills + 1 });
  };
}
