/** A quote between two accounts here, or into a wallet, as whoever is paid sees it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { idsIn } from '../support/http/lists.ts';
import { expectProblem } from '../support/http/problems.ts';
import { heldBy, transactionOf, unbalanced } from '../support/log/books.ts';
import { query } from '../support/postgres/database.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
import { employed } from '../support/resources/agents.ts';
import {
  accountOf,
  createCustomer,
  eventually,
  expectStatus,
  quoteBody,
} from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  executeQuote,
  platformAccount,
  quote,
} from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';
import { createWallet } from '../support/wallets/wallets.ts';

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);

const incomingOf = (customerId: string) => idsIn(client, '/transactions', { customerId, type: 'INCOMING' });

/** The incoming transaction that a customer has, once it is there. */
async function receivedBy(customerId: string): Promise<Json> {
  const [id] = await eventually(
    () => incomingOf(customerId),
    ({ length }) => length > 0,
  );
  return transactionOf(client, id ?? '');
}

async function paid(overrides: object = {}) {
  const payer = await customerWith(client);
  const payee = await createCustomer(client, { currencies: ['EUR'] });
  const into = await accountOf(client, payee.id, 'EUR');
  const quoted = await quote(client, quoteBody(payer.account.id, into.id, overrides));
  return { payer, payee, into, quoted };
}

describe('a quote into the account of another customer', () => {
  it('shows to the recipient as an incoming transaction', async () => {
    const { payer, payee, into, quoted } = await paid({ description: 'For the engine' });
    await executeQuote(client, quoted);
    const received = await receivedBy(payee.id);
    const sent = await transactionOf(client, quoted.transactionId);
    expect(received).toEqual({
      id: expect.stringMatching(/^Transaction:/),
      status: 'COMPLETED',
      type: 'INCOMING',
      direction: 'CREDIT',
      source: { sourceType: 'ACCOUNT', accountId: payer.account.id, currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: into.id, currency: 'EUR' },
      customerId: payee.id,
      platformCustomerId: payee.platformCustomerId,
      receivedAmount: sent.receivedAmount,
      fees: 0,
      quoteId: quoted.id,
      description: 'For the engine',
      reconciliationInstructions: sent.reconciliationInstructions,
      settledAt: sent.settledAt,
      createdAt: expect.any(String),
      updatedAt: sent.updatedAt,
    });
    expect(received.id).not.toBe(sent.id);
    expect(sent).toMatchObject({ type: 'OUTGOING', customerId: payer.customer.id, status: 'COMPLETED' });
  });

  it('is booked once', async () => {
    const { payee, into, quoted } = await paid();
    await executeQuote(client, quoted);
    const { receivedAmount } = await receivedBy(payee.id);
    expect(await balanceOf(client, payee.id, 'EUR')).toBe(receivedAmount.amount);
    const held = await heldBy(service.databaseUrl, quoted.transactionId, into.id);
    expect(held).toEqual({ EUR: Number(receivedAmount.amount) });
    expect(await unbalanced(client)).toEqual([]);
    const [counted] = await query<{ entries: number }>(
      service.databaseUrl,
      `select count(*)::int as entries from daybook.postings where account = $1`,
      [into.id],
    );
    expect(counted?.entries).toBe(1);
  });

  it('does not show before it is paid', async () => {
    const { payee } = await paid();
    expect(await incomingOf(payee.id)).toEqual([]);
  });

  it('is found by every filter that tells the recipient’s payments', async () => {
    const { payee, into, quoted } = await paid();
    await executeQuote(client, quoted);
    const { id } = await receivedBy(payee.id);
    const found = (filters: Record<string, string>) => idsIn(client, '/transactions', filters);
    expect(await found({ platformCustomerId: payee.platformCustomerId })).toEqual([id]);
    expect(await found({ accountIdentifier: payee.umaAddress })).toEqual([id]);
    const both = await found({ receiverAccountIdentifier: into.id });
    expect(both.toSorted()).toEqual([id, quoted.transactionId].toSorted());
    const page = expectStatus(await client.get('/transactions', { customerId: payee.id, limit: '1' }), 200);
    expect(page).toMatchObject({ totalCount: 1, hasMore: false });
  });

  it('waits for no approval', async () => {
    const { payee, quoted } = await paid();
    await executeQuote(client, quoted);
    const { id } = await receivedBy(payee.id);
    for (const answer of ['approve', 'reject']) {
      const refused = await client.post(`/transactions/${id}/${answer}`, {});
      expectProblem(refused, 409, 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL');
    }
    const reader = await clientWith(service, ['VIEW']);
    expectProblem(await reader.post(`/transactions/${id}/approve`, {}), 403, 'FORBIDDEN');
  });

  it('is nothing to another platform, or to the agent of another customer', async () => {
    const { payer, payee, quoted } = await paid();
    await executeQuote(client, quoted);
    const { id } = await receivedBy(payee.id);
    expectProblem(await beside.client.get(`/transactions/${id}`), 404, 'TRANSACTION_NOT_FOUND');
    expectProblem(await beside.client.post(`/transactions/${id}/approve`, {}), 404, 'TRANSACTION_NOT_FOUND');
    const [payersAgent, payeesAgent] = [
      await employed(client, payer.customer.id),
      await employed(client, payee.id),
    ];
    const path = `/agents/me/transactions/${id}`;
    expectProblem(await payersAgent.me.get(path), 404, 'TRANSACTION_NOT_FOUND');
    expect(expectStatus(await payeesAgent.me.get(path), 200)).toMatchObject({ id, type: 'INCOMING' });
  });
});

describe('other quotes into accounts here', () => {
  it('from outside, paid in real time, do not name the payer as the recipient', async () => {
    const payer = await createCustomer(client);
    const payee = await createCustomer(client);
    const into = await accountOf(client, payee.id);
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: payer.id };
    const { id: quoteId } = await quote(client, quoteBody('', into.id, { source }));
    expectStatus(await client.post('/sandbox/send', { quoteId, currencyCode: 'USD' }), 200);
    const received = await receivedBy(payee.id);
    expect(received.source).toEqual({ sourceType: 'REALTIME_FUNDING', currency: 'USD' });
  });

  it('into a wallet show as incoming', async () => {
    const { account } = await customerWith(client);
    const { customer, accountId } = await createWallet(client);
    await executeQuote(client, await quote(client, quoteBody(account.id, accountId)));
    expect(await receivedBy(customer.id)).toMatchObject({
      destination: { accountId },
      receivedAmount: { currency: { code: 'USDB' } },
    });
  });

  it("between two of a customer's own accounts show on both", async () => {
    const { customer, account } = await customerWith(client);
    const into = await accountOf(client, customer.id, 'EUR');
    const { id, transactionId } = await quote(client, quoteBody(account.id, into.id));
    await executeQuote(client, { id });
    const found = await idsIn(client, '/transactions', {
      customerId: customer.id,
      accountIdentifier: into.id,
    });
    expect(found).toHaveLength(2);
    expect(found).toContain(transactionId);
  });

  it("into the platform's own account belong to no customer", async () => {
    const { account } = await customerWith(client);
    const into = await platformAccount(client, 'MXN');
    const { id, transactionId } = await quote(client, quoteBody(account.id, into.id));
    await executeQuote(client, { id });
    const found = await idsIn(client, '/transactions', { accountIdentifier: into.id });
    const side = found.find((one) => one !== transactionId) ?? '';
    expect(await transactionOf(client, side)).toMatchObject({ customerId: null, platformCustomerId: null });
  });
});

describe('webhooks', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
  });
  afterAll(() => receiver.close());

  it('tell of both sides, each with what its GET answers', async () => {
    const { payee, quoted } = await paid();
    await executeQuote(client, quoted);
    const { id } = await receivedBy(payee.id);
    const told = await eventually(
      async () => receiver.typesAbout(id),
      ({ length }) => length > 0,
    );
    expect(told).toEqual(['INCOMING_PAYMENT.COMPLETED']);
    const { body } = receiver.received.find((one) => one.body.data.id === id) ?? {};
    expect(body.data).toEqual(await transactionOf(client, id));
    const sent = await eventually(
      async () => receiver.typesAbout(quoted.transactionId),
      (types) => types.includes('OUTGOING_PAYMENT.COMPLETED'),
    );
    const outgoing = ['PENDING', 'PROCESSING', 'COMPLETED'].map((change) => `OUTGOING_PAYMENT.${change}`);
    expect(sent).toEqual(outgoing);
  });
});
