import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem } from '../support/http/problems.ts';
import {
  eventsOf,
  inFlightOf,
  statusesOf,
  transactionCount,
  unbalanced,
  untilEnded,
} from '../support/log/books.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { accountOf, eventually, expectStatus, quoteBody } from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  executeQuote,
  quote,
  quoteParties,
  registerEur,
  sandboxAddress,
  toAddress,
} from '../support/resources/payments.ts';

const atOnce = { immediatelyExecute: true };

const service = serviceOfTests({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.002' } });
const { client } = service;

describe('a quote that is executed at once', () => {
  it.each([
    ['an internal account', 'account', 90_000],
    ['an external account', 'pulled', 100_000],
  ] as const)('from %s is under way in the answer', async (_source, from, left) => {
    const all = await quoteParties(client);
    const quoted = await quote(client, quoteBody(all[from].id, all.payee.id, atOnce));
    expect(['PROCESSING', 'COMPLETED']).toContain(quoted.status);
    expect(await balanceOf(client, all.customer.id)).toBe(left);
    await untilEnded(client, quoted.transactionId, 'COMPLETED');
    const statuses = await statusesOf(service.databaseUrl, quoted.transactionId);
    expect(statuses).toEqual(['PENDING', 'PROCESSING', 'COMPLETED']);
    expect(await inFlightOf(service.databaseUrl, quoted.transactionId)).toEqual({});
    expectProblem(await client.post(`/quotes/${quoted.id}/execute`), 409, 'CONFLICT');
  });

  it('can go to an internal account or a payment address', async () => {
    const payer = await quoteParties(client);
    const receiver = await customerWith(client, 0);
    const internal = await quote(client, quoteBody(payer.account.id, receiver.account.id, atOnce));
    const body = await toAddress(client, payer, sandboxAddress('success.mxn'), atOnce);
    const { transactionId } = await quote(client, body);
    for (const id of [internal.transactionId, transactionId]) await untilEnded(client, id, 'COMPLETED');
    expect(await balanceOf(client, receiver.customer.id)).toBe(internal.totalReceivingAmount);
  });

  it('creates nothing when the balance does not cover it', async () => {
    const { customer, account, payee } = await quoteParties(client, 9_999);
    const before = await transactionCount(client);
    const body = quoteBody(account.id, payee.id, { ...atOnce, description: 'too much' });
    expectProblem(await client.post('/quotes', body), 400, 'INSUFFICIENT_BALANCE');
    expect(await transactionCount(client)).toBe(before);
    const { data } = expectStatus(await client.get('/transactions', { customerId: customer.id }), 200);
    expect(data.map(({ description }: Json) => description)).not.toContain('too much');
    expect(await balanceOf(client, customer.id)).toBe(9_999);
  });

  it('is created seven times of thirty against a balance for seven', async () => {
    const { customer, account, payee } = await quoteParties(client, 7 * 10_000);
    const before = await transactionCount(client);
    const answers = await together(30, () => client.post('/quotes', quoteBody(account.id, payee.id, atOnce)));
    expect(countByStatus(answers)).toEqual({ 201: 7, 400: 23 });
    for (const { status, body } of answers)
      if (status === 201) await untilEnded(client, body.transactionId, 'COMPLETED');
    expect(await transactionCount(client)).toBe(before + 7);
    expect(await balanceOf(client, customer.id)).toBe(0);
    expect(await unbalanced(client)).toEqual([]);
  });

  it.each([['account'], ['pulled']] as const)('runs once with a key from its %s', async (from) => {
    const all = await quoteParties(client);
    const headers = { 'idempotency-key': `at-once-${from}` };
    const body = quoteBody(all[from].id, all.payee.id, atOnce);
    const answers = await together(10, () => client.post('/quotes', body, headers));
    expect(countByStatus(answers)).toEqual({ 201: 10 });
    expect(new Set(answers.map((one) => one.body.id)).size).toBe(1);
    await untilEnded(client, answers[0]?.body.transactionId, 'COMPLETED');
    expect(await balanceOf(client, all.customer.id)).toBe(from === 'account' ? 90_000 : 100_000);
  });
});

describe('a quote from an external account', () => {
  it('is executed once by twenty at the same time', async () => {
    const { pulled, payee } = await quoteParties(client);
    const quoted = await quote(client, quoteBody(pulled.id, payee.id));
    expect(quoted.status).toBe('PENDING');
    const answers = await together(20, () => client.post(`/quotes/${quoted.id}/execute`));
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 19 });
    await untilEnded(client, quoted.transactionId, 'COMPLETED');
    expect(await inFlightOf(service.databaseUrl, quoted.transactionId)).toEqual({});
  });

  it('is refused once the account was deleted', async () => {
    const { pulled, payee } = await quoteParties(client);
    const quoted = await quote(client, quoteBody(pulled.id, payee.id));
    expectStatus(await client.delete(`/customers/external-accounts/${pulled.id}`), 204);
    expectProblem(await client.post(`/quotes/${quoted.id}/execute`), 400, 'INVALID_INPUT');
  });
});

describe('a quote whose destination is deleted', () => {
  const slowQuote = async () => {
    const { customer, account } = await customerWith(client, 100_000);
    const slow = await registerEur(client, customer.id, '003');
    const quoted = await quote(client, quoteBody(account.id, slow.id));
    const remove = async () =>
      expectStatus(await client.delete(`/customers/external-accounts/${slow.id}`), 204);
    return { customer, quoted, remove };
  };

  it('arrives all the same when it is under way', async () => {
    const { quoted, remove } = await slowQuote();
    await executeQuote(client, quoted);
    const events = () => eventsOf(service.databaseUrl, quoted.transactionId);
    await eventually(events, (all) => all.some(({ type }) => type === 'PaymentSubmitted'));
    await remove();
    await untilEnded(client, quoted.transactionId, 'COMPLETED');
    expect(await inFlightOf(service.databaseUrl, quoted.transactionId)).toEqual({});
  });

  it('is refused when it was not executed before', async () => {
    const { customer, quoted, remove } = await slowQuote();
    await remove();
    expectProblem(await client.post(`/quotes/${quoted.id}/execute`), 400, 'INVALID_INPUT');
    expect(await balanceOf(client, customer.id)).toBe(100_000);
    expect(expectStatus(await client.get(`/quotes/${quoted.id}`), 200)).toEqual(quoted);
  });
});

describe('an execution without enough money', () => {
  it('leaves the quote as it was', async () => {
    const { account, payee } = await quoteParties(client, 9_999);
    const quoted = await quote(client, quoteBody(account.id, payee.id));
    for (let n = 0; n < 2; n++)
      expectProblem(await client.post(`/quotes/${quoted.id}/execute`), 400, 'INSUFFICIENT_BALANCE');
    expect((await client.get(`/quotes/${quoted.id}`)).body).toEqual(quoted);
    expect((await accountOf(client, quoted.source.customerId)).balance.amount).toBe(9_999);
  });
});
