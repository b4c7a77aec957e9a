import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { serviceOfTests } from '../support/processes/service.ts';
import { eventually, expectStatus, payoutParties, quoteBody } from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  receive,
  registerEur,
  registerUsd,
  transferOut,
} from '../support/resources/payments.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';

const service = serviceOfTests();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  expectStatus(await service.client.patch('/config', { webhookEndpoint: receiver.url }), 200);
});
afterAll(() => receiver.close());

/** What came about a payment, in order, without the direction; and that its last word is what GET says. */
async function told(id: string, ending: string | undefined) {
  const types = await eventually(
    async () => receiver.typesAbout(id),
    (all) => all.at(-1)?.endsWith(`.${ending}`) ?? false,
  );
  const last = receiver.received.findLast(({ body }) => body.data.id === id);
  expect(last?.body.data).toEqual(expectStatus(await service.client.get(`/transactions/${id}`), 200));
  return types.map((type) => type.replace('OUTGOING_PAYMENT.', ''));
}

const ok = ['PENDING', 'PROCESSING', 'COMPLETED'];
const refunded = ['REFUND_PENDING', 'REFUND_COMPLETED'];

describe('what is told of a quoted payment', () => {
  it.each<[string, readonly string[]]>([
    ['789', ok],
    ['002', ['PENDING', 'PROCESSING', 'FAILED', ...refunded]],
    ['004', ['PENDING', 'PROCESSING', 'FAILED', ...refunded]],
    ['005', [...ok, 'FAILED', ...refunded]],
    ['006', ['PENDING', 'PROCESSING', ...refunded]],
    ['007', ['PENDING', 'PROCESSING', 'FAILED', 'REFUND_PENDING', 'REFUND_FAILED']],
  ])('follows the account, which ends in %s: %j', async (suffix, expected) => {
    const { client } = service;
    const { customer, account } = await customerWith(client);
    const payee = await registerEur(client, customer.id, suffix);
    const quote = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
    expectStatus(await client.post(`/quotes/${quote.id}/execute`), 200);
    expect(await told(quote.transactionId, expected.at(-1))).toEqual(expected);
  });
});

describe('what is told of a transfer', () => {
  it.each<[string, readonly string[]]>([
    ['789', ok],
    ['005', ['PENDING', 'FAILED', ...refunded]],
  ])('follows the account, which ends in %s: %j', async (suffix, expected) => {
    const { client } = service;
    const { customer, account } = await customerWith(client);
    const payee = await registerUsd(client, customer.id, suffix);
    const { id } = expectStatus(await transferOut(client, account.id, payee.id, 1_000), 201);
    expect(await told(id, expected.at(-1))).toEqual(expected);
  });
});

describe('what is told of an incoming payment', () => {
  it('covers the wait for the platform and the approval', async () => {
    const { client } = service;
    receiver.answer(202);
    onTestFinished(() => receiver.answer(200));
    const { customer } = await customerWith(client, 0);
    const amount = { receivingCurrencyAmount: 500 };
    const payment = expectStatus(await receive(client, { customerId: customer.id, ...amount }), 200);
    await eventually(
      async () => receiver.typesAbout(payment.id),
      ({ length }) => length === 1,
    );
    const asked = receiver.received.find(({ body }) => body.data.id === payment.id);
    expect(asked?.body.data).toEqual({ ...payment, requestedReceiverCustomerInfoFields: [] });
    expectStatus(await client.post(`/transactions/${payment.id}/approve`), 200);
    expect(await told(payment.id, 'COMPLETED')).toEqual([
      'INCOMING_PAYMENT.PENDING',
      'INCOMING_PAYMENT.COMPLETED',
    ]);
    expect(await balanceOf(client, customer.id)).toBe(500);
  });
});

describe('what is told of a balance', () => {
  it('has every step of it', async () => {
    const { client } = service;
    const { account, payee } = await payoutParties(client, 50_000);
    const quote = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
    expectStatus(await client.post(`/quotes/${quote.id}/execute`), 200);
    await eventually(
      async () => receiver.typesAbout(account.id),
      ({ length }) => length === 2,
    );
    const own = receiver.received.filter(({ body }) => body.data.id === account.id);
    expect(own.map(({ body }) => body.data.balance.amount)).toEqual([50_000, 40_000]);
  });
});
