import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  eventsOf,
  inFlightOf,
  statusesOf,
  transactionCount,
  unbalanced,
  untilEnded,
} from '../support/books.ts';
import type { Client, Json } from '../support/client.ts';
import { countByStatus, together } from '../support/concurrency.ts';
import { accountOf, createCustomer, eventually, expectStatus, quoteBody } from '../support/flows.ts';
import { idOfNobody } from '../support/ids.ts';
import {
  balanceOf,
  customerWith,
  executeQuote,
  platformAccount,
  quote,
  registerEur,
  registerUsd,
  sandboxAddress,
  toAddress,
} from '../support/payments.ts';
import { expectProblem, namedFields } from '../support/problems.ts';
import { startTestService, type TestService } from '../support/service.ts';

const atOnce = { immediatelyExecute: true };

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startTestService({ variables: { DAYBOOK_SANDBOX_TIME_SCALE: '0.002' } });
  ({ client } = service);
});
afterAll(() => service.stop());

/** A customer with a funded USD account, an account to pull from, and one to pay. */
async function parties(amount = 100_000) {
  const { customer, account } = await customerWith(client, amount);
  const [pulled, payee] = [await registerUsd(client, customer.id), await registerEur(client, customer.id)];
  return { customer, account, pulled, payee };
}

describe('a quote that is executed at once', () => {
  it.each([
    ['an internal account', 'account', 90_000],
    ['an external account', 'pulled', 100_000],
  ] as const)('from %s is under way in the answer', async (_source, from, left) => {
    const all = await parties();
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
    const payer = await parties();
    const receiver = await customerWith(client, 0);
    const internal = await quote(client, quoteBody(payer.account.id, receiver.account.id, atOnce));
    const body = await toAddress(client, payer, sandboxAddress('success.mxn'), atOnce);
    const { transactionId } = await quote(client, body);
    for (const id of [internal.transactionId, transactionId]) await untilEnded(client, id, 'COMPLETED');
    expect(await balanceOf(client, receiver.customer.id)).toBe(internal.totalReceivingAmount);
  });

  it('creates nothing when the balance does not cover it', async () => {
    const { customer, account, payee } = await parties(9_999);
    const before = await transactionCount(client);
    const body = quoteBody(account.id, payee.id, { ...atOnce, description: 'too much' });
    expectProblem(await client.post('/quotes', body), 400, 'INSUFFICIENT_BALANCE');
    expect(await transactionCount(client)).toBe(before);
    const { data } = expectStatus(await client.get('/transactions', { customerId: customer.id }), 200);
    expect(data.map(({ description }: Json) => description)).not.toContain('too much');
    expect(await balanceOf(client, customer.id)).toBe(9_999);
  });

  it('of thirty against a balance for seven, seven are created', async () => {
    const { customer, account, payee } = await parties(7 * 10_000);
    const before = await transactionCount(client);
    const answers = await together(30, () => client.post('/quotes', quoteBody(account.id, payee.id, atOnce)));
    expect(countByStatus(answers)).toEqual({ 201: 7, 400: 23 });
    for (const { status, body } of answers)
      if (status === 201) await untilEnded(client, body.transactionId, 'COMPLETED');
    expect(await transactionCount(client)).toBe(before + 7);
    expect(await balanceOf(client, customer.id)).toBe(0);
    expect(await unbalanced(client)).toEqual([]);
  });

  it.each([['account'], ['pulled']] as const)('with a key runs once from its %s', async (from) => {
    const all = await parties();
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
    const { pulled, payee } = await parties();
    const quoted = await quote(client, quoteBody(pulled.id, payee.id));
    expect(quoted.status).toBe('PENDING');
    const answers = await together(20, () => client.post(`/quotes/${quoted.id}/execute`));
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 19 });
    await untilEnded(client, quoted.transactionId, 'COMPLETED');
    expect(await inFlightOf(service.databaseUrl, quoted.transactionId)).toEqual({});
  });

  it('that has been deleted since cannot be executed', async () => {
    const { pulled, payee } = await parties();
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

  it('while it is under way arrives all the same', async () => {
    const { quoted, remove } = await slowQuote();
    await executeQuote(client, quoted);
    const events = () => eventsOf(service.databaseUrl, quoted.transactionId);
    await eventually(events, (all) => all.some(({ type }) => type === 'PaymentSubmitted'));
    await remove();
    await untilEnded(client, quoted.transactionId, 'COMPLETED');
    expect(await inFlightOf(service.databaseUrl, quoted.transactionId)).toEqual({});
  });

  it('before it is executed cannot be executed', async () => {
    const { customer, quoted, remove } = await slowQuote();
    await remove();
    expectProblem(await client.post(`/quotes/${quoted.id}/execute`), 400, 'INVALID_INPUT');
    expect(await balanceOf(client, customer.id)).toBe(100_000);
  });
});

describe('the memo of a quote', () => {
  const purposes = [
    'GIFT',
    'SELF',
    'GOODS_OR_SERVICES',
    'EDUCATION',
    'HEALTH_OR_MEDICAL',
    'REAL_ESTATE_PURCHASE',
    'TAX_PAYMENT',
    'LOAN_PAYMENT',
    'UTILITY_BILL',
    'DONATION',
    'TRAVEL',
    'OTHER',
    'FAMILY_SUPPORT',
    'SALARY_PAYMENT',
  ];
  let body: object;
  beforeAll(async () => {
    const { account, payee } = await parties();
    body = quoteBody(account.id, payee.id);
  });

  it.each(purposes)('takes the purpose %s', async (purposeOfPayment) => {
    await quote(client, { ...body, purposeOfPayment });
  });

  it('is kept', async () => {
    const { transactionId } = await quote(client, { ...body, description: 'Rent for May' });
    expect((await client.get(`/transactions/${transactionId}`)).body.description).toBe('Rent for May');
  });

  it.each([
    ['purposeOfPayment', 'BRIBE'],
    ['purposeOfPayment', 'gift'],
    ['description', ''],
    ['remittanceInformation', 'a'.repeat(81)],
    ['senderCustomerInfo', ['Ada']],
    ['senderCustomerInfo.FULL_NAME', 7],
    ['lookupId', 'Lookup:x'],
    ['immediatelyExecute', 'yes'],
    ['lockedCurrencySide', 'BOTH'],
    ['lockedCurrencySide', undefined],
    ['source', undefined],
    ['destination', undefined],
  ])('and the rest: %s is not %j', async (path, value) => {
    const [field = '', inner] = path.split('.');
    const wrong = { [field]: inner ? { [inner]: value } : value };
    const answer = await client.post('/quotes', { ...body, ...wrong });
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual([path]);
  });

  it.each([[0], [-1], [0.5], ['7'], [undefined], [9_000_000_000_000_001n]])(
    'nor is the amount %s',
    async (lockedCurrencyAmount) => {
      const answer = await client.post('/quotes', { ...body, lockedCurrencyAmount });
      expectProblem(answer, 400, 'INVALID_AMOUNT');
    },
  );
});

describe('the ends of a quote', () => {
  it('must differ', async () => {
    const payer = await parties();
    const { account, pulled } = payer;
    for (const { id } of [account, pulled])
      expectProblem(await client.post('/quotes', quoteBody(id, id)), 400, 'SELF_PAYMENT');
    const own = await toAddress(client, payer, payer.customer.umaAddress.toUpperCase());
    expectProblem(await client.post('/quotes', own), 400, 'SELF_PAYMENT');
  });

  it.each([
    [{ source: { sourceType: 'ACCOUNT' } }, ['source.accountId']],
    [{ source: { sourceType: 'REALTIME_FUNDING' } }, ['source.currency']],
    [{ source: { sourceType: 'CASH' } }, ['source.sourceType']],
    [{ destination: { destinationType: 'ACCOUNT' } }, ['destination.accountId']],
    [{ destination: { destinationType: 'UMA_ADDRESS' } }, ['destination.umaAddress', 'lookupId']],
    [{ destination: { destinationType: 'CASH' } }, ['destination.destinationType']],
    [{ source: { accountId: 'nonsense' } }, ['source.accountId']],
    [{ source: { accountId: idOfNobody('Customer') } }, ['source.accountId']],
  ])('must be complete: %o', async (ends, fields) => {
    const { account, payee } = await parties();
    const problem = expectProblem(
      await client.post('/quotes', { ...quoteBody(account.id, payee.id), ...ends }),
      400,
      'INVALID_INPUT',
    );
    expect(namedFields(problem)).toEqual(fields);
  });

  it.each([[idOfNobody('InternalAccount')], [idOfNobody('ExternalAccount')]])(
    'must be there: %s',
    async (id) => {
      const { account } = await parties();
      for (const body of [quoteBody(id, account.id), quoteBody(account.id, id)])
        expectProblem(await client.post('/quotes', body), 404, 'REFERENCE_NOT_FOUND');
    },
  );

  it('must be able to pay, and to be paid', async () => {
    const { customer, account, payee } = await parties();
    const other = await registerEur(client, customer.id, '222');
    const unpullable = await client.post('/quotes', quoteBody(payee.id, other.id));
    expectProblem(unpullable, 400, 'INVALID_BANK_ACCOUNT');
    const pending = await customerWith(client, 0, { kycStatus: 'PENDING' });
    for (const [from, to] of [
      [pending.account, payee],
      [account, pending.account],
    ])
      expectProblem(await client.post('/quotes', quoteBody(from.id, to.id)), 403, 'USER_NOT_READY');
  });

  it('must not pay a customer who is not approved, by address either', async () => {
    const payer = await parties();
    const pending = await createCustomer(client, { kycStatus: 'PENDING' });
    const body = await toAddress(client, payer, pending.umaAddress);
    expect((await client.post('/quotes', body)).status).toBe(403);
  });

  it('must be reached by one of their rails', async () => {
    const { account, payee } = await parties();
    const to = (paymentRail?: string) => ({
      destination: { destinationType: 'ACCOUNT', accountId: payee.id, ...(paymentRail && { paymentRail }) },
    });
    const quoted = await quote(client, { ...quoteBody(account.id, payee.id), ...to() });
    expect(quoted.destination.paymentRail).toBe('SEPA');
    await quote(client, { ...quoteBody(account.id, payee.id), ...to('SEPA_INSTANT') });
    const wrong = await client.post('/quotes', { ...quoteBody(account.id, payee.id), ...to('ACH') });
    expect(namedFields(expectProblem(wrong, 400, 'INVALID_INPUT'))).toEqual(['destination.paymentRail']);
  });

  it("may be the platform's own account, for one of its customers", async () => {
    const { customer, payee } = await parties();
    const pool = await platformAccount(client);
    const source = { sourceType: 'ACCOUNT', accountId: pool.id, customerId: customer.id };
    const quoted = await quote(client, { ...quoteBody('', payee.id), source });
    expect(quoted.source).toEqual(source);
    const transaction = await client.get(`/transactions/${quoted.transactionId}`);
    expect(transaction.body.customerId).toBe(customer.id);
  });
});

describe('an execution without enough money', () => {
  it('leaves the quote as it was', async () => {
    const { account, payee } = await parties(9_999);
    const quoted = await quote(client, quoteBody(account.id, payee.id));
    for (let n = 0; n < 2; n++)
      expectProblem(await client.post(`/quotes/${quoted.id}/execute`), 400, 'INSUFFICIENT_BALANCE');
    expect((await client.get(`/quotes/${quoted.id}`)).body).toEqual(quoted);
    expect((await accountOf(client, quoted.source.customerId)).balance.amount).toBe(9_999);
  });
});
