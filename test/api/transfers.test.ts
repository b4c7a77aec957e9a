import { describe, expect, it } from 'vitest';
import { accountInfoInput } from '../support/builders/external-accounts.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { inFlightOf, transactionCount, unbalanced, untilEnded } from '../support/log/books.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  accountOf,
  createCustomer,
  eventually,
  expectStatus,
  fund,
  registerPayee,
} from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  platformAccount,
  registerUsd,
  transferIn,
  transferOut,
  usdInfo,
} from '../support/resources/payments.ts';
import { directions, idsOf, transfer, transferParties } from '../support/resources/transfers.ts';

const service = serviceOfTests();
const { client } = service;

describe('a transfer', () => {
  it('pays the external account from the internal one when it goes out', async () => {
    const { customer, account, external } = await transferParties(client, 10_000);
    const started = expectStatus(await transferOut(client, account.id, external.id, 4_000), 201);
    const amount = { amount: 4_000, currency: expect.objectContaining({ code: 'USD', decimals: 2 }) };
    expect(started).toMatchObject({
      type: 'OUTGOING',
      direction: 'DEBIT',
      customerId: customer.id,
      fees: 0,
      source: { sourceType: 'ACCOUNT', accountId: account.id, currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: external.id, currency: 'USD' },
      sentAmount: amount,
      receivedAmount: amount,
    });
    expect(started).not.toHaveProperty('quoteId');
    expect(await balanceOf(client, customer.id)).toBe(6_000);
    const ended = await untilEnded(client, started.id, 'COMPLETED');
    expect(ended).toMatchObject({ settledAt: expect.any(String), sentAmount: { amount: 4_000 } });
    expect(await inFlightOf(service.databaseUrl, started.id)).toEqual({});
  });

  it('pays the internal account once it has come in', async () => {
    const { customer, account, external } = await transferParties(client, 0);
    const started = expectStatus(await transferIn(client, external.id, account.id, 4_000), 201);
    expect(started).toMatchObject({
      type: 'INCOMING',
      direction: 'CREDIT',
      customerId: customer.id,
      source: { sourceType: 'ACCOUNT', accountId: external.id, currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: account.id, currency: 'USD' },
      receivedAmount: { amount: 4_000 },
    });
    await untilEnded(client, started.id, 'COMPLETED');
    expect(await balanceOf(client, customer.id)).toBe(4_000);
    expect(await inFlightOf(service.databaseUrl, started.id)).toEqual({});
  });

  it('carries its remittance information, purpose and rail', async () => {
    const { account, external } = await transferParties(client);
    const memo = { remittanceInformation: 'Rent, May', purposeOfPayment: 'SALARY_PAYMENT' };
    const destination = { accountId: external.id, paymentRail: 'WIRE' };
    const body = { source: { accountId: account.id }, destination, amount: 5, ...memo };
    const started = expectStatus(await client.post('/transfer-out', body), 201);
    expect(started).not.toHaveProperty('description');
    expect(started.paymentRail).toBe(destination.paymentRail);
  });

  it('goes by a rail that reaches its account where it names none', async () => {
    const customer = await createCustomer(client, { currencies: ['COP'] });
    const account = await accountOf(client, customer.id, 'COP');
    await fund(client, account.id, 1_000);
    const byPhone = { accountNumber: undefined, phoneNumber: '+573001234567' };
    const accountInfo = accountInfoInput('COP_ACCOUNT', byPhone);
    const payee = await registerPayee(client, { customerId: customer.id, currency: 'COP', accountInfo });
    const started = expectStatus(await transferOut(client, account.id, payee.id, 1_000), 201);
    expect(started.paymentRail).toBe('MOBILE_MONEY');
  });

  it.each([
    ['remittanceInformation', 'a'.repeat(81)],
    ['purposeOfPayment', 'BRIBE'],
  ])('refuses a wrong %s', async (field, value) => {
    const { account, external } = await transferParties(client);
    const ends = { source: { accountId: account.id }, destination: { accountId: external.id } };
    const answer = await client.post('/transfer-out', { ...ends, amount: 5, [field]: value });
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual([field]);
  });

  it.each([[1n], [9_000_000_000_000_000n]])('moves %i exactly in both directions', async (amount) => {
    const { customer, ...both } = await transferParties(client, 0);
    const into = expectStatus(await transfer(client, 'in', idsOf(both), amount), 201);
    await untilEnded(client, into.id, 'COMPLETED');
    expect(BigInt(await balanceOf(client, customer.id))).toBe(amount);
    const out = expectStatus(await transfer(client, 'out', idsOf(both), amount), 201);
    expect([BigInt(out.sentAmount.amount), BigInt(out.receivedAmount.amount)]).toEqual([amount, amount]);
    await untilEnded(client, out.id, 'COMPLETED');
    expect(await balanceOf(client, customer.id)).toBe(0);
  });

  it("moves the platform's own money", async () => {
    const own = await platformAccount(client);
    await fund(client, own.id, 9_000);
    const body = { currency: 'USD', accountInfo: usdInfo('555') };
    const external = expectStatus(await client.post('/platform/external-accounts', body), 201);
    const out = expectStatus(await transferOut(client, own.id, external.id, 2_000), 201);
    const into = expectStatus(await transferIn(client, external.id, own.id, 500), 201);
    for (const one of [out, into]) expect(one).toMatchObject({ customerId: null, platformCustomerId: null });
    await untilEnded(client, out.id, 'COMPLETED');
    await untilEnded(client, into.id, 'COMPLETED');
    expect((await platformAccount(client)).balance.amount).toBe(7_500);
  });

  it('ends even when the external account is deleted while it is under way', async () => {
    const { customer, account } = await customerWith(client, 10_000);
    const external = await registerUsd(client, customer.id, '005');
    expectStatus(await client.post('/sandbox/clock/freeze'), 200);
    const started = expectStatus(await transferOut(client, account.id, external.id, 4_000), 201);
    await eventually(
      () => client.get(`/transactions/${started.id}`),
      ({ body }) => body.status === 'PENDING',
    );
    expectStatus(await client.delete(`/customers/external-accounts/${external.id}`), 204);
    expectStatus(await client.post('/sandbox/clock/advance', { duration: 'PT1M' }), 200);
    expectStatus(await client.post('/sandbox/clock/resume'), 200);
    await untilEnded(client, started.id, 'FAILED');
    expect(await balanceOf(client, customer.id)).toBe(10_000);
  });
});

describe.each(directions)('a transfer %s with an Idempotency-Key', (direction) => {
  const key = () => ({ 'idempotency-key': `transfer-${Math.random()}` });
  const expected = direction === 'in' ? 10_300 : 9_700;

  it('is made once, with the first answer for each repeat', async () => {
    const { customer, ...both } = await transferParties(client, 10_000);
    const headers = key();
    const first = await transfer(client, direction, idsOf(both), 300, headers);
    const again = await transfer(client, direction, idsOf(both), 300, headers);
    const different = await transfer(client, direction, idsOf(both), 999, headers);
    expect([again.body, different.body]).toEqual([first.body, first.body]);
    expect([first, again].map((one) => one.headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    await untilEnded(client, first.body.id, 'COMPLETED');
    expect(await balanceOf(client, customer.id)).toBe(expected);
  });

  it('is made once by twenty at the same time', async () => {
    const { customer, ...both } = await transferParties(client, 10_000);
    const headers = key();
    const answers = await together(20, () => transfer(client, direction, idsOf(both), 300, headers));
    expect(countByStatus(answers)).toEqual({ 201: 20 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await untilEnded(client, answers[0]?.body.id, 'COMPLETED');
    expect(await balanceOf(client, customer.id)).toBe(expected);
  });
});

describe('transfers at the same moment', () => {
  it('are ten of fifty against a balance for ten', async () => {
    const { customer, account, external } = await transferParties(client, 10 * 700);
    const before = await transactionCount(client);
    const answers = await together(50, () => transferOut(client, account.id, external.id, 700));
    expect(countByStatus(answers)).toEqual({ 201: 10, 400: 40 });
    const refused = answers.filter(({ status }) => status === 400).map(({ body }) => body.code);
    expect(new Set(refused)).toEqual(new Set(['INSUFFICIENT_BALANCE']));
    for (const { status, body } of answers) {
      if (status === 201) await untilEnded(client, body.id, 'COMPLETED');
    }
    expect(await transactionCount(client)).toBe(before + 10);
    expect(await balanceOf(client, customer.id)).toBe(0);
    expect(await unbalanced(client)).toEqual([]);
  });
});
