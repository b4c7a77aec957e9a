import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { idsIn } from '../support/http/lists.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  deleteCustomer,
  newAddress,
  patchCustomer,
  readCustomer,
  tryCustomer,
} from '../support/resources/customers.ts';
import {
  accountOf,
  createCustomer,
  eventually,
  expectStatus,
  quoteBody,
  registerPayee,
  untilTransaction,
} from '../support/resources/flows.ts';
import {
  customerWith,
  quote,
  receive,
  registerUsd,
  transferIn,
  transferOut,
  usdInfo,
} from '../support/resources/payments.ts';

const service = serviceOfTests();
const { client } = service;

describe('deleting a customer', () => {
  it('leaves it readable, and listed when asked for', async () => {
    const customer = await createCustomer(client);
    const deleted = expectStatus(await deleteCustomer(client, customer), 200);
    expect(deleted).toEqual({ ...customer, isDeleted: true, updatedAt: deleted.updatedAt });
    expect(await readCustomer(client, customer)).toEqual(deleted);
    const { platformCustomerId } = customer;
    expect(await idsIn(client, '/customers', { platformCustomerId })).toEqual([]);
    const all = { platformCustomerId, isIncludingDeleted: 'true' };
    expect(await idsIn(client, '/customers', all)).toEqual([customer.id]);
    expect(await idsIn(client, '/customers', { ...all, updatedAfter: deleted.updatedAt })).toEqual([
      customer.id,
    ]);
  });

  it('is final', async () => {
    const customer = await createCustomer(client);
    expectStatus(await deleteCustomer(client, customer), 200);
    expectProblem(await deleteCustomer(client, customer), 410, 'CUSTOMER_DELETED');
    expectProblem(await patchCustomer(client, customer, { fullName: 'Nobody' }), 410, 'CUSTOMER_DELETED');
    expectProblem(
      await patchCustomer(client, customer, { umaAddress: newAddress() }),
      410,
      'CUSTOMER_DELETED',
    );
  });

  it('frees the names of the customer', async () => {
    const { id, umaAddress, platformCustomerId } = await createCustomer(client);
    expectStatus(await deleteCustomer(client, { id }), 200);
    const heir = await createCustomer(client, { umaAddress, platformCustomerId });
    expect(heir).toMatchObject({ umaAddress, platformCustomerId });
    expectProblem(await tryCustomer(client, { umaAddress }), 409, 'UMA_ADDRESS_EXISTS');
  });

  it('succeeds once of many at once', async () => {
    const customer = await createCustomer(client);
    expect(countByStatus(await together(8, () => deleteCustomer(client, customer)))).toEqual({
      200: 1,
      410: 7,
    });
  });

  it('leaves its platformCustomerId to one of those who want it', async () => {
    const { id, platformCustomerId } = await createCustomer(client);
    const [gone, ...answers] = await Promise.all([
      deleteCustomer(client, { id }),
      ...Array.from({ length: 8 }, () => tryCustomer(client, { platformCustomerId })),
    ]);
    expect(gone.status).toBe(200);
    const won = answers.filter(({ status }) => status === 201).length;
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(8 - won);
    expect(won).toBeLessThanOrEqual(1);
    expect((await tryCustomer(client, { platformCustomerId })).status).toBe(won === 1 ? 409 : 201);
  });

  it('leaves no name behind when it is renamed at once', async () => {
    const customer = await createCustomer(client);
    const umaAddress = newAddress();
    await Promise.all([deleteCustomer(client, customer), patchCustomer(client, customer, { umaAddress })]);
    expect((await readCustomer(client, customer)).isDeleted).toBe(true);
    for (const name of [umaAddress, customer.umaAddress])
      expectStatus(await tryCustomer(client, { umaAddress: name }), 201);
  });
});

describe('a deleted customer', () => {
  it('moves no money', async () => {
    const { customer, account } = await customerWith(client, 0);
    const external = await registerUsd(client, customer.id);
    const payee = await registerPayee(client, { customerId: customer.id });
    const quote = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
    expectStatus(await deleteCustomer(client, customer), 200);
    const sender = '$success.usd@sandbox.daybook.test';
    const receipt = { senderUmaAddress: sender, receivingCurrencyCode: 'USD', receivingCurrencyAmount: 5 };
    const attempts = [
      await transferOut(client, account.id, external.id, 100),
      await client.post('/transfer-in', {
        source: { accountId: external.id },
        destination: { accountId: account.id },
        amount: 5,
      }),
      await client.post(`/quotes/${quote.id}/execute`),
      await client.post('/quotes', quoteBody(account.id, payee.id)),
      await client.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 1 }),
      await client.post('/sandbox/uma/receive', { ...receipt, customerId: customer.id }),
    ];
    for (const attempt of attempts) expectProblem(attempt, 410, 'CUSTOMER_DELETED');
    expect(await accountOf(client, customer.id)).toMatchObject({ status: 'CLOSED', balance: { amount: 0 } });
  });

  it('registers no account', async () => {
    const customer = await createCustomer(client);
    expectStatus(await deleteCustomer(client, customer), 200);
    const body = { customerId: customer.id, currency: 'USD' };
    const accountInfo = { accountType: 'USD_ACCOUNT', accountNumber: '1', routingNumber: '021000021' };
    const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada' };
    const answer = await client.post('/customers/external-accounts', {
      ...body,
      accountInfo: { ...accountInfo, beneficiary },
    });
    expectProblem(answer, 410, 'CUSTOMER_DELETED');
  });
});

describe('an account elsewhere of a deleted customer', () => {
  it.each(['deleted', 'erased'])('is paid by nobody once the customer is %s', async (how) => {
    const { customer, account } = await customerWith(client, 10_000);
    const payee = await createCustomer(client);
    const bank = await registerUsd(client, payee.id);
    const body = quoteBody(account.id, bank.id);
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: customer.id };
    const before = await quote(client, body);
    const realtime = await quote(client, { ...body, source });
    const gone =
      how === 'deleted' ? deleteCustomer(client, payee) : client.post(`/customers/${payee.id}/erase`);
    expectStatus(await gone, 200);
    const attempts = [
      await client.post('/quotes', body),
      await client.post('/quotes', { ...body, immediatelyExecute: true }),
      await client.post('/quotes', { ...body, source }),
      await client.post(`/quotes/${before.id}/execute`),
      await client.post('/sandbox/send', { quoteId: realtime.id, currencyCode: 'USD' }),
      await client.get(`/receiver/external-account/${bank.id}`, { customerId: customer.id }),
    ];
    for (const attempt of attempts) expectProblem(attempt, 410, 'CUSTOMER_DELETED');
    expect((await accountOf(client, customer.id)).balance.amount).toBe(10_000);
  });

  it('is paid for the platform as before where nobody of its customers owns it', async () => {
    const { account } = await customerWith(client, 10_000);
    const bank = expectStatus(
      await client.post('/platform/external-accounts', { currency: 'USD', accountInfo: usdInfo('789') }),
      201,
    );
    const paid = await quote(client, quoteBody(account.id, bank.id, { immediatelyExecute: true }));
    await untilTransaction(client, paid.transactionId, 'COMPLETED');
  });
});

describe('a customer with money', () => {
  const refused = async (customer: Json): Promise<Json> =>
    expectProblem(await deleteCustomer(client, customer), 409, 'CONFLICT').details;
  const untilDeleted = (customer: Json) =>
    eventually(
      () => deleteCustomer(client, customer),
      ({ status }) => status === 200,
    );

  it('is not deleted before it is paid out', async () => {
    const { customer, account } = await customerWith(client, 1_000);
    const external = await registerUsd(client, customer.id);
    expect(await refused(customer)).toEqual({
      balances: [{ accountId: account.id, amount: 1_000, currency: 'USD' }],
      transactions: [],
    });
    expect((await readCustomer(client, customer)).isDeleted).toBe(false);
    expect((await accountOf(client, customer.id)).status).toBe('ACTIVE');
    expectStatus(await transferOut(client, account.id, external.id, 1_000), 201);
    await untilDeleted(customer);
    expect((await accountOf(client, customer.id)).status).toBe('CLOSED');
  });

  it('is not deleted while what a payment gives back is on its way', async () => {
    const { customer, account } = await customerWith(client, 400);
    const external = await registerUsd(client, customer.id);
    const { id } = expectStatus(await transferOut(client, account.id, external.id, 400), 201);
    await untilTransaction(client, id, 'COMPLETED');
    const cut = `update daybook.transactions set status = 'FAILED', refund = '{"status":"PENDING"}' where id = $1`;
    await query(service.databaseUrl, cut, [id]);
    expect(await refused(customer)).toEqual({ balances: [], transactions: [id] });
  });

  it('is not deleted while a payment of it may come back', async () => {
    const { customer, account } = await customerWith(client, 400);
    const external = await registerUsd(client, customer.id, '005');
    expectStatus(await client.post('/sandbox/clock/freeze'), 200);
    const { id } = expectStatus(await transferOut(client, account.id, external.id, 400), 201);
    expect(await refused(customer)).toEqual({ balances: [], transactions: [id] });
    expectStatus(await client.post('/sandbox/clock/advance', { duration: 'PT1M' }), 200);
    expectStatus(await client.post('/sandbox/clock/resume'), 200);
    await untilTransaction(client, id, 'FAILED');
    await expect
      .poll(async () => (await refused(customer)).balances)
      .toEqual([{ accountId: account.id, amount: 400, currency: 'USD' }]);
  });

  it('is not deleted while money is on its way to it', async () => {
    const { customer, account } = await customerWith(client, 0);
    const external = await registerUsd(client, customer.id, '005');
    expectStatus(await client.post('/sandbox/clock/freeze'), 200);
    const { id } = expectStatus(await transferIn(client, external.id, account.id, 400), 201);
    expect(await refused(customer)).toEqual({ balances: [], transactions: [id] });
    expectStatus(await client.post('/sandbox/clock/advance', { duration: 'PT1M' }), 200);
    expectStatus(await client.post('/sandbox/clock/resume'), 200);
    await untilTransaction(client, id, 'FAILED');
    await untilDeleted(customer);
  });

  it('is not deleted while a frozen account holds money for it, which counts', async () => {
    const { customer, account } = await customerWith(client, 700);
    const path = `/sandbox/internal-accounts/${account.id}/status`;
    expectStatus(await client.post(path, { status: 'FROZEN' }), 200);
    const { id } = expectStatus(await receive(client, { customerId: customer.id }), 200);
    const balances = [{ accountId: account.id, amount: 3_200, currency: 'USD' }];
    await expect.poll(() => refused(customer)).toEqual({ balances, transactions: [id] });
  });

  it.each([
    ['004', { status: 'FAILED', failureReason: 'OFFRAMP_FAILED' }],
    ['006', { status: 'REFUNDED', refund: { reason: 'USER_CANCELLATION' } }],
    ['789', { status: 'COMPLETED' }],
  ])(
    'is not deleted while another customer pays a bank account of it, which ends as ever: %s',
    async (suffix, end) => {
      const payer = await customerWith(client, 10_000);
      const customer = await createCustomer(client);
      const bank = await registerUsd(client, customer.id, suffix);
      expectStatus(await client.post('/sandbox/clock/freeze'), 200);
      const body = quoteBody(payer.account.id, bank.id, { immediatelyExecute: true });
      const { transactionId } = await quote(client, body);
      expect(await refused(customer)).toEqual({ balances: [], transactions: [transactionId] });
      expectProblem(await client.post(`/customers/${customer.id}/erase`), 409, 'CONFLICT');
      expectStatus(await client.post('/sandbox/clock/advance', { duration: 'PT1M' }), 200);
      expectStatus(await client.post('/sandbox/clock/resume'), 200);
      expect(await untilTransaction(client, transactionId, end.status)).toMatchObject(end);
      await untilDeleted(customer);
    },
  );

  it('is deleted with quotes that nobody has paid for', async () => {
    const { customer, account } = await customerWith(client, 0);
    const payee = await registerPayee(client, { customerId: customer.id });
    expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
    expectStatus(await deleteCustomer(client, customer), 200);
  });
});
