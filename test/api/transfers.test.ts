import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inFlightOf, transactionCount, unbalanced, untilEnded } from '../support/books.ts';
import { accountInfoInput } from '../support/builders/external-accounts.ts';
import type { Client, Json } from '../support/client.ts';
import { countByStatus, together } from '../support/concurrency.ts';
import {
  accountOf,
  createCustomer,
  eventually,
  expectStatus,
  fund,
  registerPayee,
} from '../support/flows.ts';
import {
  balanceOf,
  customerWith,
  platformAccount,
  registerEur,
  registerUsd,
  transferIn,
  transferOut,
  usdInfo,
} from '../support/payments.ts';
import { startBeside } from '../support/platforms.ts';
import { expectProblem, namedFields } from '../support/problems.ts';
import { clientWith, startTestService, type TestService } from '../support/service.ts';

const unknown = '019a0000-0000-7000-8000-000000000000';

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startTestService();
  ({ client } = service);
});
afterAll(() => service.stop());

type Direction = 'in' | 'out';
const directions: readonly [Direction][] = [['in'], ['out']];

/** A customer with an internal and an external USD account. */
async function parties(amount = 10_000) {
  const { customer, account } = await customerWith(client, amount);
  return { customer, account, external: await registerUsd(client, customer.id) };
}
type Ids = { readonly internal: string; readonly external: string };
const transfer = (
  direction: Direction,
  { internal, external }: Ids,
  amount: number | bigint,
  headers: Record<string, string> = {},
  by = client,
) =>
  direction === 'in'
    ? transferIn(by, external, internal, amount, headers)
    : transferOut(by, internal, external, amount, headers);

const idsOf = ({ account, external }: { account: Json; external: Json }): Ids => ({
  internal: account.id,
  external: external.id,
});

describe('a transfer', () => {
  it('out pays the external account from the internal one', async () => {
    const { customer, account, external } = await parties(10_000);
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

  it('in pays the internal account from the external one, once it has arrived', async () => {
    const { customer, account, external } = await parties(0);
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
    const { account, external } = await parties();
    const memo = { remittanceInformation: 'Rent, May', purposeOfPayment: 'SALARY_PAYMENT' };
    const destination = { accountId: external.id, paymentRail: 'WIRE' };
    const body = { source: { accountId: account.id }, destination, amount: 5, ...memo };
    const started = expectStatus(await client.post('/transfer-out', body), 201);
    expect(started.description).toBe('Rent, May');
  });

  it.each([
    ['remittanceInformation', 'a'.repeat(81)],
    ['purposeOfPayment', 'BRIBE'],
  ])('refuses a wrong %s', async (field, value) => {
    const { account, external } = await parties();
    const ends = { source: { accountId: account.id }, destination: { accountId: external.id } };
    const answer = await client.post('/transfer-out', { ...ends, amount: 5, [field]: value });
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual([field]);
  });

  it.each([[1n], [9_000_000_000_000_000n]])('moves %i exactly, in and out', async (amount) => {
    const { customer, ...both } = await parties(0);
    const into = expectStatus(await transfer('in', idsOf(both), amount), 201);
    await untilEnded(client, into.id, 'COMPLETED');
    expect(BigInt(await balanceOf(client, customer.id))).toBe(amount);
    const out = expectStatus(await transfer('out', idsOf(both), amount), 201);
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
    for (const one of [out, into]) expect(one).not.toHaveProperty('customerId');
    await untilEnded(client, out.id, 'COMPLETED');
    await untilEnded(client, into.id, 'COMPLETED');
    expect((await platformAccount(client)).balance.amount).toBe(7_500);
  });

  it('ends even when the external account is deleted while it is under way', async () => {
    const { customer, account } = await customerWith(client, 10_000);
    const external = await registerUsd(client, customer.id, '005');
    const started = expectStatus(await transferOut(client, account.id, external.id, 4_000), 201);
    await eventually(
      () => client.get(`/transactions/${started.id}`),
      ({ body }) => body.status === 'PENDING',
    );
    expectStatus(await client.delete(`/customers/external-accounts/${external.id}`), 204);
    await untilEnded(client, started.id, 'FAILED', 9_000);
    expect(await balanceOf(client, customer.id)).toBe(10_000);
  });
});

describe('a refused transfer', () => {
  it('for want of balance creates nothing', async () => {
    const { customer, account, external } = await parties(10_000);
    const before = await transactionCount(client);
    const answer = await transferOut(client, account.id, external.id, 10_001);
    const problem = expectProblem(answer, 400, 'INSUFFICIENT_BALANCE');
    expect(problem.details).toMatchObject({ accountId: account.id, currency: 'USD' });
    expect(await transactionCount(client)).toBe(before);
    expect(await balanceOf(client, customer.id)).toBe(10_000);
  });

  it.each(directions)('%s between different owners', async (direction) => {
    const [one, two] = [await parties(), await parties()];
    const problem = expectProblem(
      await transfer(direction, { internal: one.account.id, external: two.external.id }, 1),
      400,
      'INVALID_INPUT',
    );
    expect(namedFields(problem)).toEqual(['destination.accountId', 'source.accountId']);
    const own = await platformAccount(client);
    const mixed = { internal: own.id, external: one.external.id };
    expectProblem(await transfer(direction, mixed, 1), 400, 'INVALID_INPUT');
  });

  it.each(directions)('%s between currencies', async (direction) => {
    const { customer, external } = await parties();
    const euros = await accountOf(client, customer.id, 'EUR');
    const answer = await transfer(direction, { internal: euros.id, external: external.id }, 1);
    expectProblem(answer, 400, 'INVALID_CURRENCY');
  });

  it('in from an account that cannot be pulled from', async () => {
    const { customer } = await parties();
    const [euros, external] = [
      await accountOf(client, customer.id, 'EUR'),
      await registerEur(client, customer.id),
    ];
    expectProblem(await transferIn(client, external.id, euros.id, 1), 400, 'INVALID_BANK_ACCOUNT');
  });

  it('out of an embedded wallet', async () => {
    const customer = await createCustomer(client);
    const list = await client.get('/customers/internal-accounts', {
      customerId: customer.id,
      type: 'EMBEDDED_WALLET',
    });
    const [wallet] = expectStatus(list, 200).data;
    const accountInfo = accountInfoInput('SPARK_WALLET');
    const external = await registerPayee(client, { customerId: customer.id, currency: 'USDB', accountInfo });
    const answer = await transferOut(client, wallet.id, external.id, 1);
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual(['source.accountId']);
  });

  it.each([['SEPA'], ['PIGEON']])('out by the rail %s', async (paymentRail) => {
    const { account, external } = await parties();
    const destination = { accountId: external.id, paymentRail };
    const body = { source: { accountId: account.id }, destination, amount: 1 };
    const problem = expectProblem(await client.post('/transfer-out', body), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['destination.paymentRail']);
  });

  it.each([
    ['in', 'PENDING'],
    ['out', 'PENDING'],
    ['in', 'REJECTED'],
    ['out', 'UNVERIFIED'],
  ] as const)('%s for a customer who is %s', async (direction, kycStatus) => {
    const { customer, account } = await customerWith(client, 0, { kycStatus });
    const external = await registerUsd(client, customer.id);
    const answer = await transfer(direction, idsOf({ account, external }), 1);
    expectProblem(answer, 403, 'USER_NOT_READY');
  });

  it.each(directions)('%s with accounts that are not there', async (direction) => {
    const { account, external } = await parties();
    const ids = { internal: account.id, external: external.id };
    const wrong = [
      { ...ids, internal: `InternalAccount:${unknown}` },
      { ...ids, external: `ExternalAccount:${unknown}` },
    ];
    for (const one of wrong) expectProblem(await transfer(direction, one, 1), 404, 'REFERENCE_NOT_FOUND');
    await client.delete(`/customers/external-accounts/${external.id}`);
    expectProblem(await transfer(direction, ids, 1), 404, 'REFERENCE_NOT_FOUND');
  });

  it.each(directions)("%s with another platform's accounts", async (direction) => {
    const beside = await startBeside(service);
    const ids = idsOf(await parties());
    const answer = await transfer(direction, ids, 1, {}, beside.client);
    await beside.stop();
    expectProblem(answer, 404, 'REFERENCE_NOT_FOUND');
  });

  it.each(directions)('%s with the accounts the wrong way round', async (direction) => {
    const { account, external } = await parties();
    const swapped = { internal: external.id, external: account.id };
    const problem = expectProblem(await transfer(direction, swapped, 1), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['destination.accountId', 'source.accountId']);
  });

  it.each(directions)('%s with a token that only reads', async (direction) => {
    const reader = await clientWith(service, ['VIEW', 'MANAGE']);
    const ids = idsOf(await parties());
    expectProblem(await transfer(direction, ids, 1, {}, reader), 403, 'FORBIDDEN');
  });

  it.each([[0], [-1], [1.5], ['100'], [null], [undefined], [9_223_372_036_854_775_808n]])(
    'of the amount %s',
    async (amount) => {
      const ids = idsOf(await parties());
      for (const direction of ['in', 'out'] as const)
        expectProblem(await transfer(direction, ids, amount as number), 400, 'INVALID_AMOUNT');
    },
  );
});

describe.each(directions)('a transfer %s with an Idempotency-Key', (direction) => {
  const key = () => ({ 'idempotency-key': `transfer-${Math.random()}` });
  const expected = direction === 'in' ? 10_300 : 9_700;

  it('is made once, and every answer is the first', async () => {
    const { customer, ...both } = await parties(10_000);
    const headers = key();
    const first = await transfer(direction, idsOf(both), 300, headers);
    const again = await transfer(direction, idsOf(both), 300, headers);
    const different = await transfer(direction, idsOf(both), 999, headers);
    expect([again.body, different.body]).toEqual([first.body, first.body]);
    expect([first, again].map((one) => one.headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    await untilEnded(client, first.body.id, 'COMPLETED');
    expect(await balanceOf(client, customer.id)).toBe(expected);
  });

  it('is made once by twenty at the same time', async () => {
    const { customer, ...both } = await parties(10_000);
    const headers = key();
    const answers = await together(20, () => transfer(direction, idsOf(both), 300, headers));
    expect(countByStatus(answers)).toEqual({ 201: 20 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    await untilEnded(client, answers[0]?.body.id, 'COMPLETED');
    expect(await balanceOf(client, customer.id)).toBe(expected);
  });
});

describe('transfers at the same moment', () => {
  it('of fifty against a balance for ten, exactly ten are made', async () => {
    const { customer, account, external } = await parties(10 * 700);
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
