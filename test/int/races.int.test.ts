import { beforeAll, describe, expect, it } from 'vitest';
import type { Client, Json } from '../support/http/client.ts';
import { atMost, countByStatus, together } from '../support/http/concurrency.ts';
import { allPages, idsIn } from '../support/http/lists.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  accountOf,
  createCustomer,
  eventually,
  expectStatus,
  fund,
  payoutParties,
  quoteBody,
  registerPayee,
  untilTransaction,
} from '../support/resources/flows.ts';
import { besideOfTests, clientThrough } from '../support/resources/platforms.ts';

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);
/** The same platform through another process. */
let elsewhere: Client;
beforeAll(async () => {
  elsewhere = clientThrough(beside, service);
});

const through = (n: number): Client => (n % 2 === 0 ? client : elsewhere);
const balanceOf = async ({ customer }: { customer: Json }) =>
  (await accountOf(client, customer.id)).balance.amount;

/** Nothing is in flight any more, and every line of the books adds up to zero. */
const untilBalanced = (): Promise<Json[]> =>
  eventually(
    async () => expectStatus(await client.get('/platform/trial-balance'), 200).data,
    (lines: Json[]) => lines.every(({ inFlight, total }) => inFlight === 0 && total === 0),
  );

describe.each(['one process', 'two processes'])('the requests through %s', (where) => {
  const at = (n: number): Client => (where === 'one process' ? client : through(n));

  it('debit once for 50 executions of one quote', async () => {
    const parties = await payoutParties(client, 1_000_000);
    const body = quoteBody(parties.account.id, parties.payee.id);
    const quote = expectStatus(await client.post('/quotes', body), 201);
    const answers = await together(50, (n) => at(n).post(`/quotes/${quote.id}/execute`));
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 49 });
    expect(
      answers.filter(({ status }) => status === 409).every(({ body: { code } }) => code === 'CONFLICT'),
    ).toBe(true);
    await untilTransaction(client, quote.transactionId, 'COMPLETED');
    expect(await balanceOf(parties)).toBe(990_000);
    await untilBalanced();
  });

  it('execute 10 of 50 quotes against money for 10', async () => {
    const parties = await payoutParties(client, 105_000);
    const body = quoteBody(parties.account.id, parties.payee.id);
    const quotes = await together(50, async (n) => expectStatus(await at(n).post('/quotes', body), 201));
    const answers = await together(50, (n) => at(n).post(`/quotes/${quotes[n].id}/execute`));
    expect(countByStatus(answers)).toEqual({ 200: 10, 400: 40 });
    expect(await balanceOf(parties)).toBe(5_000);
    const winners = answers
      .filter(({ status }) => status === 200)
      .map(({ body: { transactionId } }) => transactionId);
    for (const id of winners) await untilTransaction(client, id, 'COMPLETED');
    const filter = { customerId: parties.customer.id, type: 'OUTGOING' };
    expect(await idsIn(client, '/transactions', { ...filter, status: 'PENDING' })).toHaveLength(40);
    await untilBalanced();
  });

  it('add up 200 fundings of one account', async () => {
    const parties = await payoutParties(client, 0);
    const path = `/sandbox/internal-accounts/${parties.account.id}/fund`;
    // A busy machine refuses some for the moment, and does nothing for them.
    const fund = (n: number) =>
      eventually(
        () => at(n).post(path, { amount: n + 1 }),
        ({ status }) => status !== 503,
      );
    const answers = await together(200, fund);
    expect(countByStatus(answers)).toEqual({ 200: 200 });
    expect(await balanceOf(parties)).toBe(20_100);
    const balances = answers.map(({ body }) => body.balance.amount);
    expect([new Set(balances).size, Math.max(...balances)]).toEqual([200, 20_100]);
    const deposits = await allPages(client, '/transactions', {
      customerId: parties.customer.id,
      limit: '100',
    });
    expect(deposits.reduce((sum, { receivedAmount }) => sum + receivedAmount.amount, 0)).toBe(20_100);
    await untilBalanced();
  });
});

describe('money that moves both ways at once', () => {
  it('neither appears nor vanishes', async () => {
    const parties = await payoutParties(client, 500_000);
    const body = quoteBody(parties.account.id, parties.payee.id);
    const quotes = await together(25, async () => expectStatus(await client.post('/quotes', body), 201));
    const path = `/sandbox/internal-accounts/${parties.account.id}/fund`;
    const [executed, funded] = await Promise.all([
      together(25, (n) => through(n).post(`/quotes/${quotes[n].id}/execute`)),
      together(25, (n) => through(n + 1).post(path, { amount: 1_000 })),
    ]);
    expect([countByStatus(executed), countByStatus(funded)]).toEqual([{ 200: 25 }, { 200: 25 }]);
    expect(await balanceOf(parties)).toBe(275_000);
    await untilBalanced();
  });
});

describe('the writes of a client', () => {
  const flows = Array.from({ length: 60 }, (_, n) => n);

  it('are seen by it at once in every process, while 30 others write too', async () => {
    const missed = await atMost(30, flows, (n) => oneFlow(through(n), through(n + 1)));
    expect(missed.flat()).toEqual([]);
  });

  it('are seen by it at once in the process that it asked', async () => {
    const missed = await atMost(30, flows, (n) => oneFlow(through(n), through(n)));
    expect(missed.flat()).toEqual([]);
  });

  /** Writes through one client and reads through the other; what could not be seen. */
  async function oneFlow(write: Client, read: Client): Promise<string[]> {
    const missed: string[] = [];
    const see = (what: string, seen: unknown) => {
      if (!seen) missed.push(what);
    };
    const customer = await createCustomer(write);
    const { data: accounts } = (await read.get('/customers/internal-accounts', { customerId: customer.id }))
      .body;
    see('both accounts of the customer', accounts.length === 2);
    see('the customer', (await read.get(`/customers/${customer.id}`)).status === 200);
    const { platformCustomerId } = customer;
    see('the customer in the list', (await idsIn(read, '/customers', { platformCustomerId })).length === 1);
    const account = await eventually(
      () => accountOf(read, customer.id),
      (found) => found !== undefined,
    );
    see('the balance', await fundAndRead(write, read, { customer, account }));
    await quoteAndRead(write, read, { customer, account, see });
    return missed;
  }

  type Own = { readonly customer: Json; readonly account: Json };

  async function fundAndRead(write: Client, read: Client, { customer, account }: Own): Promise<boolean> {
    await fund(write, account.id, 12_345);
    const { balance } = await accountOf(read, customer.id);
    const deposits = await idsIn(read, '/transactions', { customerId: customer.id, type: 'INCOMING' });
    return balance.amount === 12_345 && deposits.length === 1;
  }

  async function quoteAndRead(
    write: Client,
    read: Client,
    { customer, account, see }: Own & { see: (what: string, seen: unknown) => void },
  ): Promise<void> {
    const { id: customerId } = customer;
    const payee = await registerPayee(write, { customerId });
    const own = await idsIn(read, '/customers/external-accounts', { customerId });
    see('the external account', own.includes(payee.id));
    const quote = expectStatus(await write.post('/quotes', quoteBody(account.id, payee.id)), 201);
    see('the quote', (await read.get(`/quotes/${quote.id}`)).status === 200);
    expectStatus(await write.post(`/quotes/${quote.id}/execute`), 200);
    see('the execution', (await read.get(`/quotes/${quote.id}`)).body.status !== 'PENDING');
    see('the debit', (await accountOf(read, customerId)).balance.amount === 2_345);
    expectStatus(await write.delete(`/customers/external-accounts/${payee.id}`), 204);
    see('the deletion', (await read.get(`/customers/external-accounts/${payee.id}`)).status === 404);
  }
});
