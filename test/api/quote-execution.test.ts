import { describe, expect, it } from 'vitest';
import { clientOf, type Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { send } from '../support/http/send.ts';
import { serviceOfTests, startTestService } from '../support/processes/service.ts';
import {
  accountOf,
  eventually,
  expectStatus,
  fund,
  payoutParties,
  quoteBody,
  untilTransaction,
} from '../support/resources/flows.ts';
import { movableClock } from '../support/time/movable-clock.ts';

const clock = movableClock();
const service = serviceOfTests({ clock });
const { client } = service;

async function newQuote(balance: number, overrides: object = {}) {
  const parties = await payoutParties(client, balance);
  const body = quoteBody(parties.account.id, parties.payee.id, overrides);
  const quote: Json = expectStatus(await client.post('/quotes', body), 201);
  return { ...parties, quote, path: `/quotes/${quote.id}/execute` };
}
const balanceOf = async (customer: Json) => (await accountOf(client, customer.id)).balance.amount;

describe('executing a quote', () => {
  it('debits the source at once', async () => {
    const { customer, quote, path } = await newQuote(10_000);
    const executed = expectStatus(await client.post(path), 200);
    expect(executed).toEqual({ ...quote, status: 'PROCESSING' });
    expect(await balanceOf(customer)).toBe(0);
    await untilTransaction(client, quote.transactionId, 'COMPLETED');
    expect(expectStatus(await client.get(`/quotes/${quote.id}`), 200)).toEqual({
      ...quote,
      status: 'COMPLETED',
    });
  });

  it.each([
    ['an empty object', '{}'],
    ['any object', '{"amount":"x","__proto__":{"status":1}}'],
    ['no body', undefined],
  ])('takes any body: %s', async (_what, text) => {
    const { path } = await newQuote(10_000);
    expectStatus(await send(service, 'POST', path, text === undefined ? {} : { text }), 200);
  });

  it('is a conflict the second time, before and after it completed', async () => {
    const { customer, quote, path } = await newQuote(30_000);
    expectStatus(await client.post(path), 200);
    expectProblem(await client.post(path), 409, 'CONFLICT');
    await untilTransaction(client, quote.transactionId, 'COMPLETED');
    expectProblem(await client.post(path), 409, 'CONFLICT');
    expect(await balanceOf(customer)).toBe(20_000);
  });

  it('leaves the quote PENDING without the money', async () => {
    const { customer, account, quote, path } = await newQuote(9_999);
    const problem = expectProblem(await client.post(path), 400, 'INSUFFICIENT_BALANCE');
    expect(problem.details).toMatchObject({ balance: 9_999, required: 10_000, currency: 'USD' });
    expect((await client.get(`/quotes/${quote.id}`)).body.status).toBe('PENDING');
    expect(await balanceOf(customer)).toBe(9_999);
    await fund(client, account.id, 1);
    expectStatus(await client.post(path), 200);
    expect(await balanceOf(customer)).toBe(0);
  });

  it('is refused without a debit when the account was deleted', async () => {
    const { customer, payee, path } = await newQuote(10_000);
    expectStatus(await client.delete(`/customers/external-accounts/${payee.id}`), 204);
    expectProblem(await client.post(path), 400);
    expect(await balanceOf(customer)).toBe(10_000);
  });

  it('shows on the transaction', async () => {
    const { customer, account, payee, quote, path } = await newQuote(10_000);
    expectStatus(await client.post(path), 200);
    const transaction = await untilTransaction(client, quote.transactionId, 'COMPLETED');
    expect(transaction).toMatchObject({
      type: 'OUTGOING',
      direction: 'DEBIT',
      customerId: customer.id,
      fees: quote.feesIncluded,
      platformCustomerId: customer.platformCustomerId,
      exchangeRate: quote.exchangeRate,
      sentAmount: { amount: quote.totalSendingAmount, currency: { code: 'USD' } },
      receivedAmount: { amount: quote.totalReceivingAmount, currency: { code: 'EUR' } },
      source: { sourceType: 'ACCOUNT', accountId: account.id, currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: payee.id, currency: 'EUR' },
    });
  });
});

describe('a quote that expires', () => {
  it('says so when it is executed', async () => {
    const { customer, quote, path } = await newQuote(10_000);
    clock.advance(300_000);
    const problem = expectProblem(await client.post(path), 409, 'QUOTE_EXPIRED');
    expect(problem.details).toEqual({ expiresAt: quote.expiresAt });
    const expired = await eventually(
      async () => {
        await service.timers.empty();
        await service.timers.reconcile();
        return (await client.get(`/transactions/${quote.transactionId}`)).body;
      },
      ({ status }) => status === 'EXPIRED',
    );
    expect(expired).toMatchObject({ failureReason: 'QUOTE_EXPIRED' });
    expect((await client.get(`/quotes/${quote.id}`)).body.status).toBe('EXPIRED');
    expectProblem(await client.post(path), 409, 'QUOTE_EXPIRED');
    expect(await balanceOf(customer)).toBe(10_000);
  });

  it('is no quote that was executed', async () => {
    const { quote, path } = await newQuote(10_000);
    clock.advance(299_000);
    expectStatus(await client.post(path), 200);
    clock.advance(300_000);
    await service.timers.reconcile();
    await untilTransaction(client, quote.transactionId, 'COMPLETED');
  });

  it('does so without a request', async () => {
    const variables = { DAYBOOK_QUOTE_LIFETIME_SECONDS: '1' };
    const second = await startTestService({ variables });
    const { account, payee } = await payoutParties(second.client);
    const quote = expectStatus(await second.client.post('/quotes', quoteBody(account.id, payee.id)), 201);
    const own = clientOf(second.url, second.credentials);
    const read = async () => (await own.get(`/quotes/${quote.id}`)).body;
    await eventually(read, ({ status }) => status === 'EXPIRED');
    await second.stop();
  });
});
