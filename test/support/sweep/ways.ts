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
import { expectStatus, quoteBody, untilTransaction } from '../flows.ts';
import { testMaxMs } from '../patience.ts';
import { customerWith, registerUsd } from '../payments.ts';
import { removeDirectory } from '../process.ts';
import { newCredentials } from '../service.ts';
import { type Pay, type Swept, sweptService, type Victim } from './sweep.ts';

/** Some fifty starts of the service, on a machine that is busy with other things. */
export const sweepMaxMs = 4 * testMaxMs;

export type Party = { readonly account: Json; readonly payee: Json };

const keyed = (key: string) => ({ 'idempotency-key': key });
const transfer = (from: Json, to: Json) => ({
  source: { accountId: from.id },
  destination: { accountId: to.id },
  amount: 100,
});
const ended = (client: Client, id: string, status: string) => untilTransaction(client, id, status);

/** The ways in which money moves, each with what it ends as and the account number of who is paid. */
export const ways: Readonly<Record<string, (party: Party) => Pay>> = {
  'a transfer in':
    ({ account, payee }) =>
    async (client, key) => {
      const made = expectStatus(await client.post('/transfer-in', transfer(payee, account), keyed(key)), 201);
      return ended(client, made.id, 'COMPLETED');
    },
  'a transfer out':
    ({ account, payee }) =>
    async (client, key) => {
      const made = expectStatus(
        await client.post('/transfer-out', transfer(account, payee), keyed(key)),
        201,
      );
      return ended(client, made.id, 'COMPLETED');
    },
  'a quote that pays at once':
    ({ account, payee }) =>
    async (client, key) => {
      const body = quoteBody(account.id, payee.id, { lockedCurrencyAmount: 500, immediatelyExecute: true });
      const made = expectStatus(await client.post('/quotes', body, keyed(key)), 201);
      return ended(client, made.transactionId, 'COMPLETED');
    },
  'a quote that is executed':
    ({ account, payee }) =>
    async (client, key) => {
      const body = quoteBody(account.id, payee.id, { lockedCurrencyAmount: 500 });
      const made = expectStatus(await client.post('/quotes', body, keyed(key)), 201);
      expectStatus(await client.post(`/quotes/${made.id}/execute`, undefined, keyed(`${key} executed`)), 200);
      return ended(client, made.transactionId, 'COMPLETED');
    },
};

/** As many payments as were asked for have ended, each once; the account has what they left, and nothing is in flight. */
async function expectRight(
  { client, databaseUrl }: { readonly client: Client; readonly databaseUrl: string },
  { account }: Party,
  payments: number,
): Promise<void> {
  const all = (await allTransactions(client)).filter(({ source, destination }) =>
    [source.accountId, destination.accountId].includes(account.id),
  );
  const [fund, ...others] = all;
  expect(fund?.type).toBe('INCOMING');
  // One for each key, however often it was asked for.
  expect(others.length).toBe(payments);
  expect(others.filter(({ status }) => status !== 'COMPLETED')).toEqual([]);
  const held = expectStatus(
    await client.get('/customers/internal-accounts', { customerId: account.customerId }),
    200,
  ).data.find(({ id }: Json) => id === account.id);
  expect(held.balance.amount).toBe(expectedBalance(all, account.id));
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
  return async (victim: Victim, way: string): Promise<void> => {
    const { customer, account } = await customerWith(swept.client(), 1_000_000);
    const party = { account, payee: await registerUsd(swept.client(), customer.id) };
    const pay = ways[way]?.(party);
    if (!pay) throw new Error(`no way is ${way}`);
    const kills = await swept.sweep(victim, (client, key) => pay(client, `${way} ${key}`));
    process.stdout.write(`${way}: the ${victim} was killed at ${kills} calls\n`);
    expect(kills).toBeGreaterThan(4);
    await expectRight({ client: swept.client(), databaseUrl: postgres.url }, party, kills + 1);
  };
}
