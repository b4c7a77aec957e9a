/** Accounts that are frozen or being verified: the way in and out, what they refuse, and what becomes of money on its way. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Json } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { heldBy, transactionOf, unbalanced, untilEnded } from '../support/log/books.ts';
import { query } from '../support/postgres/database.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
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
  quote,
  receive,
  registerUsd,
  transferIn,
  transferOut,
} from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';
import { idOfNobody } from '../support/values/ids.ts';

const service = serviceOfTests({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.002' } });
const { client } = service;
const beside = besideOfTests(service);

const setInternal = (id: string, body: object): Promise<Answer> =>
  client.post(`/sandbox/internal-accounts/${id}/status`, body);
const setExternal = (id: string, body: object): Promise<Answer> =>
  client.post(`/sandbox/external-accounts/${id}/status`, body);
const freeze = async (id: string): Promise<Json> =>
  expectStatus(await setInternal(id, { status: 'FROZEN', reason: 'Court order 7' }), 200);
const unfreeze = async (id: string): Promise<Json> =>
  expectStatus(await setInternal(id, { status: 'ACTIVE' }), 200);

describe('a frozen internal account', () => {
  it('is shown as such, without a way to pay in', async () => {
    const { customer, account } = await customerWith(client);
    expect(account.fundingPaymentInstructions).toHaveLength(1);
    const frozen = await freeze(account.id);
    expect(frozen).toMatchObject({ id: account.id, status: 'FROZEN', fundingPaymentInstructions: [] });
    expect(await accountOf(client, customer.id)).toEqual(frozen);
    expect(await unfreeze(account.id)).toMatchObject({
      status: 'ACTIVE',
      fundingPaymentInstructions: account.fundingPaymentInstructions,
    });
  });

  it('neither sends nor receives', async () => {
    const { customer, account } = await customerWith(client);
    const other = await customerWith(client);
    const bank = await registerUsd(client, customer.id);
    const opened = await quote(client, quoteBody(account.id, bank.id));
    const into = await quote(client, quoteBody(other.account.id, account.id));
    await freeze(account.id);
    const refused = await Promise.all([
      transferOut(client, account.id, bank.id, 100),
      transferIn(client, bank.id, account.id, 100),
      client.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 100 }),
      client.post(`/quotes/${opened.id}/execute`),
      client.post(`/quotes/${into.id}/execute`),
      client.post('/quotes', quoteBody(account.id, bank.id)),
      client.post('/quotes', quoteBody(other.account.id, account.id)),
    ]);
    for (const answer of refused) expectProblem(answer, 403, 'USER_NOT_READY');
    expect(await balanceOf(client, customer.id)).toBe(100_000);
    expect(await balanceOf(client, other.customer.id)).toBe(100_000);
  });

  it('holds what is on its way to it, and has it when it is not frozen any more', async () => {
    const { customer, account } = await customerWith(client, 0);
    await freeze(account.id);
    const { id } = expectStatus(await receive(client, { customerId: customer.id }), 200);
    const held = await eventually(
      () => transactionOf(client, id),
      ({ pendingReason }) => pendingReason !== undefined,
    );
    expect(held).toMatchObject({ status: 'PROCESSING', pendingReason: 'COMPLIANCE_REVIEW' });
    expect(await balanceOf(client, customer.id)).toBe(0);
    expect(await unbalanced(client)).toEqual([]);
    await unfreeze(account.id);
    const ended = await untilEnded(client, id, 'COMPLETED');
    expect(ended).not.toHaveProperty('pendingReason');
    expect(await balanceOf(client, customer.id)).toBe(2_500);
    expect(await heldBy(service.databaseUrl, id, account.id)).toEqual({ USD: 2_500 });
  });

  it('has what it holds in its total balance, and not in what can be spent', async () => {
    const { customer, account } = await customerWith(client, 700);
    await freeze(account.id);
    expectStatus(await receive(client, { customerId: customer.id }), 200);
    const amounts = async () => {
      const { balance, totalBalance } = await accountOf(client, customer.id);
      return [balance.amount, totalBalance.amount];
    };
    expect(await eventually(amounts, ([, total]) => total !== 700)).toEqual([700, 3_200]);
    await unfreeze(account.id);
    expect(await eventually(amounts, ([spendable]) => spendable !== 700)).toEqual([3_200, 3_200]);
  });

  it('holds a refund, in flight, until then', async () => {
    const { customer, account } = await customerWith(client, 10_000);
    const slow = await registerUsd(client, customer.id, '005');
    expectStatus(await client.post('/sandbox/clock/freeze'), 200);
    const { id } = expectStatus(await transferOut(client, account.id, slow.id, 4_000), 201);
    await freeze(account.id);
    expectStatus(await client.post('/sandbox/clock/advance', { duration: 'PT1M' }), 200);
    expectStatus(await client.post('/sandbox/clock/resume'), 200);
    const failed = await transactionOf(client, id);
    expect(failed.status).toBe('FAILED');
    expect(failed.refund.status).toBe('PENDING');
    expect(await heldBy(service.databaseUrl, id, 'in-flight')).toEqual({ USD: 4_000 });
    await unfreeze(account.id);
    expect((await untilEnded(client, id, 'FAILED')).refund.status).toBe('COMPLETED');
    expect(await balanceOf(client, customer.id)).toBe(10_000);
    expect(await unbalanced(client)).toEqual([]);
  });

  it('can be frozen again and again, and only once it is ACTIVE', async () => {
    const { account } = await customerWith(client, 0);
    await freeze(account.id);
    expect((await freeze(account.id)).updatedAt).toBe((await freeze(account.id)).updatedAt);
    const pending = await createCustomer(client, { kycStatus: 'UNVERIFIED' });
    const { id } = await accountOf(client, pending.id);
    expectProblem(await setInternal(id, { status: 'FROZEN' }), 409, 'CONFLICT');
  });

  it('is in the log with who did it and why', async () => {
    const { account } = await customerWith(client, 0);
    await freeze(account.id);
    const [event] = await query<{ data: Json; metadata: Json }>(
      service.databaseUrl,
      `select data, metadata from daybook_log.events
       where type = 'AccountStatusChanged' and data ->> 'accountId' = $1 order by position desc limit 1`,
      [account.id],
    );
    expect(event).toMatchObject({
      data: { status: 'FROZEN', from: 'ACTIVE', reason: 'sealed' },
      metadata: { actor: expect.stringMatching(/^token:/) },
    });
  });
});

describe('changing a status in the sandbox', () => {
  it('is for those who manage the platform', async () => {
    const { account } = await customerWith(client, 0);
    const transacting = await clientWith(service, ['TRANSACT']);
    const path = `/sandbox/internal-accounts/${account.id}/status`;
    expectProblem(await transacting.post(path, { status: 'FROZEN' }), 403, 'FORBIDDEN');
  });

  it("finds no other platform's accounts", async () => {
    const { customer, account } = await customerWith(client, 0);
    const bank = await registerUsd(client, customer.id);
    const paths = [
      `/sandbox/internal-accounts/${account.id}/status`,
      `/sandbox/external-accounts/${bank.id}/status`,
    ];
    for (const path of paths)
      expectProblem(await beside.client.post(path, { status: 'ACTIVE' }), 404, 'REFERENCE_NOT_FOUND');
  });

  it('refuses a status that is not set by hand', async () => {
    const { customer, account } = await customerWith(client, 0);
    const bank = await registerUsd(client, customer.id);
    for (const answer of [
      await setInternal(account.id, { status: 'CLOSED' }),
      await setExternal(bank.id, { status: 'PENDING' }),
    ])
      expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual(['status']);
    const nobody = await setExternal(idOfNobody('ExternalAccount'), { status: 'ACTIVE' });
    expectProblem(nobody, 404, 'REFERENCE_NOT_FOUND');
  });
});

describe('webhooks of statuses', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    expectStatus(await client.patch('/config', { webhookEndpoint: receiver.url }), 200);
  });
  afterAll(() => receiver.close());

  const told = (id: string, count: number) =>
    eventually(
      async () => receiver.received.filter(({ body }) => body.data.id === id).map(({ body }) => body),
      ({ length }) => length >= count,
    );

  it('tell of an internal account and of its funding instructions', async () => {
    const { account } = await customerWith(client, 0);
    const frozen = await freeze(account.id);
    const [status, instructions] = await told(account.id, 2);
    expect([status.type, instructions.type]).toEqual([
      'INTERNAL_ACCOUNT.STATUS_UPDATED',
      'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED',
    ]);
    expect(status.data).toEqual(frozen);
    expect(instructions.data).toEqual(frozen);
  });

  it('tell the total balance of what a frozen account holds, as it is shown', async () => {
    const { customer, account } = await customerWith(client, 700);
    await freeze(account.id);
    expectStatus(await receive(client, { customerId: customer.id }), 200);
    const [, , , held] = await told(account.id, 4);
    expect(held).toMatchObject({ type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED' });
    expect([held.data.balance.amount, held.data.totalBalance.amount]).toEqual([700, 3_200]);
    expect(held.data).toEqual(await accountOf(client, customer.id));
  });

  it('tell of an external account', async () => {
    const customer = await createCustomer(client);
    const bank = await registerUsd(client, customer.id, '120');
    const verified = expectStatus(await setExternal(bank.id, { status: 'ACTIVE' }), 200);
    const [status] = await told(bank.id, 1);
    expect(status).toMatchObject({ type: 'EXTERNAL_ACCOUNT.STATUS_UPDATED', data: verified });
  });

  it('tell nothing of the funding instructions of a wallet, which has none', async () => {
    const customer = await createCustomer(client);
    const wallet = { customerId: customer.id, type: 'EMBEDDED_WALLET' };
    const { data } = expectStatus(await client.get('/customers/internal-accounts', wallet), 200);
    await freeze(data[0].id);
    await unfreeze(data[0].id);
    const types = (await told(data[0].id, 2)).map(({ type }) => type);
    expect(new Set(types)).toEqual(new Set(['INTERNAL_ACCOUNT.STATUS_UPDATED']));
  });
});
