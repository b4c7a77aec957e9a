import { describe, expect, it } from 'vitest';
import type { Client, Json } from '../support/http/client.ts';
import { together } from '../support/http/concurrency.ts';
import { inFlightOf, unbalanced, untilEnded } from '../support/log/books.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  accountOf,
  createCustomer,
  eventually,
  expectStatus,
  registerPayee,
} from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  eurInfo,
  executeQuote,
  quote,
  toAddress,
} from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';

const service = serviceOfTests({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.002' } });
const beside = besideOfTests(service);

const funded = 100_000;
const sent = 10_000;

const incomingOf = async (client: Client, receiver: Json): Promise<Json> => {
  const query = { customerId: receiver.id, type: 'INCOMING' };
  const { data } = await eventually(
    async () => expectStatus(await client.get('/transactions', query), 200),
    ({ totalCount }) => totalCount > 0,
  );
  expect(data.length).toBe(1);
  return data[0];
};

/** A customer of the first platform pays a customer's address. */
async function pay(receiver: Json) {
  const { client } = service;
  const payer = await customerWith(client, funded);
  const quoted = await quote(client, await toAddress(client, payer, receiver.umaAddress));
  await executeQuote(client, quoted);
  return { payer, quoted };
}

async function expectClean(ids: readonly string[]): Promise<void> {
  for (const id of ids) expect(await inFlightOf(service.databaseUrl, id)).toEqual({});
  for (const { client } of [service, beside]) {
    const { data } = expectStatus(await client.get('/platform/trial-balance'), 200);
    if (data.length > 0) expect(await unbalanced(client)).toEqual([]);
  }
}

describe.each([
  ['the same platform', () => service.client],
  ['another platform', () => beside.client],
])('a payment to a customer of %s', (_whose, clientOf) => {
  it('is an outgoing payment for the sender and an incoming one for the receiver', async () => {
    const receiver = await createCustomer(clientOf(), { currencies: ['EUR'] });
    const { payer, quoted } = await pay(receiver);
    const ended = await untilEnded(service.client, quoted.transactionId, 'COMPLETED');
    expect(ended).toMatchObject({ type: 'OUTGOING', sentAmount: { amount: sent } });
    const incoming = await incomingOf(clientOf(), receiver);
    expect(incoming).toMatchObject({
      status: 'COMPLETED',
      type: 'INCOMING',
      settledAt: expect.any(String),
      receivedAmount: { amount: quoted.totalReceivingAmount, currency: { code: 'EUR' } },
      source: { sourceType: 'UMA_ADDRESS', umaAddress: payer.customer.umaAddress, currency: 'EUR' },
      destination: { accountId: (await accountOf(clientOf(), receiver.id, 'EUR')).id },
    });
    expect(await balanceOf(service.client, payer.customer.id)).toBe(funded - sent);
    expect(await balanceOf(clientOf(), receiver.id, 'EUR')).toBe(quoted.totalReceivingAmount);
    await expectClean([quoted.transactionId, incoming.id]);
  });

  it('shows to each side only its own', async () => {
    const receiver = await createCustomer(clientOf(), { currencies: ['EUR'] });
    const { payer, quoted } = await pay(receiver);
    await untilEnded(service.client, quoted.transactionId, 'COMPLETED');
    const incoming = await incomingOf(clientOf(), receiver);
    const outgoing = { customerId: payer.customer.id, type: 'OUTGOING' };
    const { data } = expectStatus(await service.client.get('/transactions', outgoing), 200);
    expect(data.map(({ id }: Json) => id)).toEqual([quoted.transactionId]);
    const isForeign = clientOf() !== service.client;
    const status = isForeign ? 404 : 200;
    expect((await service.client.get(`/transactions/${incoming.id}`)).status).toBe(status);
    expect((await clientOf().get(`/transactions/${quoted.transactionId}`)).status).toBe(status);
  });

  it.each([
    ['other', 'COMPLETED', 'COMPLETED', undefined],
    ['002', 'FAILED', 'FAILED', 'COMPLETED'],
    ['003', 'COMPLETED', 'COMPLETED', undefined],
    ['004', 'FAILED', 'FAILED', 'COMPLETED'],
    ['005', 'FAILED', 'FAILED', 'COMPLETED'],
    ['006', 'REJECTED', 'REJECTED', 'COMPLETED'],
    ['007', 'FAILED', 'FAILED', 'FAILED'],
  ])('goes to its default deposit account, which ends in %s', async (key, outgoing, received, refund) => {
    const client = clientOf();
    const receiver = await createCustomer(client, { currencies: ['EUR'] });
    const accountInfo = eurInfo(key === 'other' ? '789' : key);
    const external = await registerPayee(client, {
      customerId: receiver.id,
      accountInfo,
      defaultUmaDepositAccount: true,
    });
    const { payer, quoted } = await pay(receiver);
    const ended = await untilEnded(service.client, quoted.transactionId, outgoing);
    expect(ended.refund?.status).toBe(refund);
    const incoming = await incomingOf(client, receiver);
    expect([incoming.status, incoming.destination.accountId]).toEqual([received, external.id]);
    expect(await balanceOf(client, receiver.id, 'EUR')).toBe(0);
    const left = refund === 'COMPLETED' ? funded : funded - sent;
    expect(await balanceOf(service.client, payer.customer.id)).toBe(left);
    await expectClean([quoted.transactionId, incoming.id]);
  });
});

describe('the account that a payment goes to', () => {
  const withDefault = (client: Client, receiver: Json, suffix: string): Promise<Json> =>
    registerPayee(client, {
      customerId: receiver.id,
      accountInfo: eurInfo(suffix),
      defaultUmaDepositAccount: true,
    });
  const destinationOf = async (receiver: Json): Promise<string> => {
    const { quoted } = await pay(receiver);
    await untilEnded(service.client, quoted.transactionId, 'COMPLETED');
    return (await incomingOf(service.client, receiver)).destination.accountId;
  };

  it('is the newest default', async () => {
    const receiver = await createCustomer(service.client, { currencies: ['EUR'] });
    await withDefault(service.client, receiver, '700');
    const newest = await withDefault(service.client, receiver, '701');
    expect(await destinationOf(receiver)).toBe(newest.id);
  });

  it('is the primary account when the default is deleted', async () => {
    const receiver = await createCustomer(service.client, { currencies: ['EUR'] });
    const { id } = await withDefault(service.client, receiver, '702');
    expectStatus(await service.client.delete(`/customers/external-accounts/${id}`), 204);
    expect(await destinationOf(receiver)).toBe((await accountOf(service.client, receiver.id, 'EUR')).id);
  });

  it('is the primary account when the default holds another currency', async () => {
    const receiver = await createCustomer(service.client, { currencies: ['USD', 'EUR'] });
    await withDefault(service.client, receiver, '703');
    expect(await destinationOf(receiver)).toBe((await accountOf(service.client, receiver.id, 'USD')).id);
  });
});

describe('thirty customers who pay each other at the same moment', () => {
  it('lose no money but the fees', async () => {
    const { client } = service;
    const all = await together(30, () => customerWith(client, funded, { currencies: ['USD'] }));
    const quotes = await Promise.all(
      all.map(async (payer, n) => {
        const next = all[(n + 1) % all.length] ?? payer;
        return quote(client, await toAddress(client, payer, next.customer.umaAddress));
      }),
    );
    await Promise.all(quotes.map((one) => executeQuote(client, one)));
    for (const { transactionId } of quotes) await untilEnded(client, transactionId, 'COMPLETED');
    const balances = await Promise.all(all.map(({ customer }) => balanceOf(client, customer.id)));
    const fees = quotes.reduce((sum, { feesIncluded }) => sum + feesIncluded, 0);
    expect(balances.reduce((sum, one) => sum + one, 0)).toBe(30 * funded - fees);
    await expectClean(quotes.map(({ transactionId }) => transactionId));
  });
});
