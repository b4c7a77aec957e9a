import { beforeAll, describe, expect, it } from 'vitest';
import { accountInfoInput } from '../support/builders/external-accounts.ts';
import type { Answer, Json } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { serviceOfTests, startTestService } from '../support/processes/service.ts';
import {
  accountOf,
  createCustomer,
  expectStatus,
  fund,
  payoutParties,
  quoteBody,
  registerPayee,
} from '../support/resources/flows.ts';
import { idOfNobody } from '../support/values/ids.ts';
import { exactly, receivedFor, sentFor, variableFeeOf } from '../support/values/rates.ts';

const service = serviceOfTests();
const { client } = service;
let parties: Awaited<ReturnType<typeof payoutParties>>;
beforeAll(async () => {
  parties = await payoutParties(client);
});

const ask = (overrides: object = {}): Promise<Answer> =>
  client.post('/quotes', quoteBody(parties.account.id, parties.payee.id, overrides));
const asked = async (overrides: object = {}): Promise<Json> => expectStatus(await ask(overrides), 201);

describe('a quote', () => {
  it('is PENDING for five minutes, with a transaction of its own', async () => {
    const quote = await asked({ description: 'Rent', purposeOfPayment: 'OTHER' });
    expect(quote).toMatchObject({ status: 'PENDING', totalSendingAmount: 10_000 });
    expect(Date.parse(quote.expiresAt) - Date.parse(quote.createdAt)).toBe(300_000);
    expect(expectStatus(await client.get(`/quotes/${quote.id}`), 200)).toEqual(quote);
    const transaction = expectStatus(await client.get(`/transactions/${quote.transactionId}`), 200);
    expect(transaction).toMatchObject({
      status: 'PENDING',
      type: 'OUTGOING',
      quoteId: quote.id,
      description: 'Rent',
    });
  });

  it('echoes source and destination with the defaults', async () => {
    const { customer, account, payee } = parties;
    const { source, destination } = await asked();
    expect(source).toEqual({ sourceType: 'ACCOUNT', accountId: account.id, customerId: customer.id });
    expect(destination).toEqual({ destinationType: 'ACCOUNT', accountId: payee.id, paymentRail: 'SEPA' });
  });

  it('needs no balance until it is executed', async () => {
    await asked({ lockedCurrencyAmount: 9_000_000_000 });
  });

  it('takes another rail of the account', async () => {
    const destination = { accountId: parties.payee.id, paymentRail: 'SEPA_INSTANT' };
    expect((await asked({ destination })).destination.paymentRail).toBe('SEPA_INSTANT');
  });

  it.each(['ACH', 'PIGEON', 7])('refuses the rail %s', async (paymentRail) => {
    const answer = await ask({ destination: { accountId: parties.payee.id, paymentRail } });
    expect(namedFields(expectProblem(answer, 400, 'INVALID_INPUT'))).toEqual(['destination.paymentRail']);
  });

  it.each([
    ['every required field', {}, ['destination', 'lockedCurrencyAmount', 'lockedCurrencySide', 'source']],
    [
      'every field that is wrong',
      {
        source: { accountId: 'x' },
        destination: { accountId: idOfNobody('Quote') },
        lockedCurrencySide: 'BOTH',
      },
      ['destination.accountId', 'lockedCurrencyAmount', 'lockedCurrencySide', 'source.accountId'],
    ],
  ])('is refused with the names of %s', async (_what, body, fields) => {
    expect(namedFields(expectProblem(await client.post('/quotes', body), 400, 'INVALID_INPUT'))).toEqual(
      fields,
    );
  });
});

describe('the figures of a quote', () => {
  const currencies = ['EUR', 'MXN', 'VND', 'BTC', 'COP', 'USD', 'GBP'];
  const types = { BTC: 'LIGHTNING' } as const;
  const payees = new Map<string, string>();
  let sources: Map<string, string>;
  beforeAll(async () => {
    const customer = await createCustomer(client, { currencies });
    const accounts = await Promise.all(
      currencies.map((currency) => accountOf(client, customer.id, currency)),
    );
    sources = new Map(accounts.map(({ id }, n) => [currencies[n] ?? '', id]));
    for (const currency of currencies) {
      const type = currency === 'BTC' ? types.BTC : (`${currency}_ACCOUNT` as 'EUR_ACCOUNT');
      const registration = { customerId: customer.id, currency, accountInfo: accountInfoInput(type) };
      payees.set(currency, (await registerPayee(client, registration)).id);
    }
  });
  const quoteOf = (from: string, to: string, lock: object) =>
    client.post('/quotes', quoteBody(sources.get(from) ?? '', payees.get(to) ?? '', lock));
  const pairs = currencies.flatMap((from) => currencies.map((to) => [from, to] as const));

  it.each(pairs)('agree when what is sent in %s is locked, to %s', async (from, to) => {
    for (const lockedCurrencyAmount of [123_457, 1_000_000_007, 987_654_321_987]) {
      const answer = await quoteOf(from, to, { lockedCurrencyAmount });
      if (answer.status === 400) expectProblem(answer, 400, 'AMOUNT_OUT_OF_RANGE');
      else expectConsistent(expectStatus(answer, 201), { totalSendingAmount: lockedCurrencyAmount });
    }
  });

  it.each(pairs)('agree when what arrives is locked, from %s to %s', async (from, to) => {
    for (const lockedCurrencyAmount of [1, 123_457, 987_654_321_987]) {
      const lock = { lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount };
      const quote = expectStatus(await quoteOf(from, to, lock), 201);
      expect(BigInt(quote.totalReceivingAmount)).toBe(BigInt(lockedCurrencyAmount));
      expect(BigInt(quote.totalSendingAmount)).toBe(sentFor(quote));
      const { serviceApiFixedFee: fixed, serviceApiVariableFeeAmount: variable } = quote.rateDetails;
      expect(BigInt(fixed) + BigInt(variable)).toBe(BigInt(quote.feesIncluded));
    }
  });

  function expectConsistent(quote: Json, expected: object): void {
    expect(quote).toMatchObject(expected);
    expect(BigInt(quote.totalReceivingAmount)).toBe(receivedFor(quote));
    const { serviceApiFixedFee, serviceApiVariableFeeAmount } = quote.rateDetails;
    expect(BigInt(serviceApiVariableFeeAmount)).toBe(variableFeeOf(quote));
    expect(BigInt(serviceApiFixedFee) + BigInt(serviceApiVariableFeeAmount)).toBe(BigInt(quote.feesIncluded));
  }

  it('have a rate that its parts explain', async () => {
    const { exchangeRate, rateDetails } = expectStatus(await quoteOf('GBP', 'MXN', {}), 201);
    const parts = rateDetails.serviceApiMultiplier * rateDetails.counterpartyMultiplier;
    expect(Math.abs(exchangeRate * parts - 1)).toBeLessThan(1e-9);
  });

  it('charge no spread within one currency', async () => {
    const quote = expectStatus(await quoteOf('USD', 'USD', { lockedCurrencyAmount: 100_000 }), 201);
    expect(quote).toMatchObject({ exchangeRate: 1, feesIncluded: 550, totalReceivingAmount: 99_450 });
  });

  it.each([0n, 1n, 2n, 3n, 4n])('stay exact beyond what a double holds: %s', async (less) => {
    const lock = { lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount: 9_000_000_000_000_000n - less };
    const quote = expectStatus(await quoteOf('VND', 'GBP', lock), 201);
    expect(quote.totalSendingAmount).toBe(sentFor(quote));
    expect(quote.totalSendingAmount).toBeGreaterThan(2n ** 53n);
    const fees = [quote.rateDetails.serviceApiFixedFee, quote.rateDetails.serviceApiVariableFeeAmount];
    expect(fees.reduce((sum, fee) => sum + exactly(fee).n, 0n)).toBe(BigInt(quote.feesIncluded));
  });
});

describe('the locked amount', () => {
  it.each<[string, unknown]>([
    ['zero', 0],
    ['negative', -1],
    ['a fraction', 100.5],
    ['text', '10000'],
    ['null', null],
    ['one above the limit', 9_000_000_000_000_001n],
    ['2^53 + 1', 2n ** 53n + 1n],
    ['2^63', 2n ** 63n],
    ['a number of 300 digits', 10n ** 299n],
    ['1e300', 1e300],
  ])('must not be %s', async (_what, lockedCurrencyAmount) => {
    const problem = expectProblem(await ask({ lockedCurrencyAmount }), 400, 'INVALID_AMOUNT');
    expect(namedFields(problem)).toEqual(['lockedCurrencyAmount']);
  });

  it.each(['SENDING', 'RECEIVING'])('may be 9000000000000000 when %s', async (lockedCurrencySide) => {
    const quote = await asked({ lockedCurrencySide, lockedCurrencyAmount: 9_000_000_000_000_000n });
    const locked = lockedCurrencySide === 'SENDING' ? quote.totalSendingAmount : quote.totalReceivingAmount;
    expect(BigInt(locked)).toBe(9_000_000_000_000_000n);
  });

  it.each([1, 50])('must cover the fees: %s', async (lockedCurrencyAmount) => {
    expectProblem(await ask({ lockedCurrencyAmount }), 400, 'AMOUNT_OUT_OF_RANGE');
  });
});

describe('the parties of a quote', () => {
  it('must be two that differ', async () => {
    const { id } = parties.account;
    expectProblem(await client.post('/quotes', quoteBody(id, id)), 400, 'SELF_PAYMENT');
  });

  it.each<[string, () => object, string]>([
    ['source', () => ({ source: { accountId: idOfNobody('InternalAccount') } }), 'InternalAccount'],
    ['destination', () => ({ destination: { accountId: idOfNobody('ExternalAccount') } }), 'ExternalAccount'],
  ])('must be known: %s', async (_what, overrides, resource) => {
    expect(expectProblem(await ask(overrides()), 404, 'REFERENCE_NOT_FOUND').details).toEqual({ resource });
  });

  it.each([{}, { customerId: 'ada' }])('must have an id: %o', async (source) => {
    expectProblem(await ask({ source }), 400, 'INVALID_INPUT');
  });

  it('must not have been deleted', async () => {
    const payee = await registerPayee(client, { customerId: (await createCustomer(client)).id });
    await client.delete(`/customers/external-accounts/${payee.id}`);
    expectProblem(await ask({ destination: { accountId: payee.id } }), 404, 'REFERENCE_NOT_FOUND');
  });

  it.each(['UNVERIFIED', 'PENDING', 'REJECTED'])('must be approved: %s', async (kycStatus) => {
    const customer = await createCustomer(client, { kycStatus });
    const account = await accountOf(client, customer.id);
    const path = `/sandbox/internal-accounts/${account.id}/fund`;
    expectProblem(
      await client.post('/quotes', quoteBody(account.id, parties.payee.id)),
      403,
      'USER_NOT_READY',
    );
    expectProblem(await client.post(path, { amount: 100 }), 403, 'USER_NOT_READY');
  });

  it("may include the platform's own account", async () => {
    const { data } = expectStatus(await client.get('/platform/internal-accounts', { currency: 'USD' }), 200);
    await fund(client, data[0].id, 10_000);
    const quote = await asked({ source: { accountId: data[0].id } });
    expect(quote.source).toEqual({ sourceType: 'ACCOUNT', accountId: data[0].id });
    expectStatus(await client.post(`/quotes/${quote.id}/execute`), 200);
  });
});

describe('a quote that is not there', () => {
  it.each([idOfNobody('Quote'), idOfNobody('Transaction'), 'nonsense'])(
    'is not found under %s',
    async (id) => {
      expectProblem(await client.get(`/quotes/${id}`), 404, 'QUOTE_NOT_FOUND');
      expectProblem(await client.post(`/quotes/${id}/execute`), 404, 'QUOTE_NOT_FOUND');
    },
  );

  it('is not found under the id of a deposit', async () => {
    const { data } = expectStatus(await client.get('/transactions', { type: 'INCOMING' }), 200);
    const id = data[0].id.replace('Transaction', 'Quote');
    expectProblem(await client.get(`/quotes/${id}`), 404, 'QUOTE_NOT_FOUND');
    expectProblem(await client.post(`/quotes/${id}/execute`), 404, 'QUOTE_NOT_FOUND');
  });
});

describe('an amount beyond int64', () => {
  it.each([
    ['sent', 'COP', 'GBP', 'RECEIVING'],
    ['received', 'GBP', 'COP', 'SENDING'],
  ] as const)('is refused when %s', async (_side, from, to, lockedCurrencySide) => {
    const other = await startTestService();
    const { id: customerId } = await createCustomer(other.client, { currencies: [from] });
    const account = await accountOf(other.client, customerId, from);
    const accountInfo = accountInfoInput(`${to}_ACCOUNT`);
    const payee = await registerPayee(other.client, { customerId, currency: to, accountInfo });
    const lock = { lockedCurrencySide, lockedCurrencyAmount: 9_000_000_000_000_000n };
    const answer = await other.client.post('/quotes', quoteBody(account.id, payee.id, lock));
    const { id } = await createCustomer(other.client);
    const after = await other.client.get(`/customers/${id}`);
    await other.stop();
    expect([answer.body.code, after.status]).toEqual(['AMOUNT_OUT_OF_RANGE', 200]);
  });
});
