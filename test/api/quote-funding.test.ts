import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { inFlightOf, statusesOf, unbalanced, untilEnded } from '../support/log/books.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
import { accountOf, createCustomer, expectStatus, quoteBody } from '../support/resources/flows.ts';
import {
  balanceOf,
  customerWith,
  quote,
  registerEur,
  registerUsd,
  sandboxAddress,
  toAddress,
} from '../support/resources/payments.ts';
import { startBeside } from '../support/resources/platforms.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import { idOfNobody } from '../support/values/ids.ts';
import { createWallet } from '../support/wallets/wallets.ts';

const clock = movableClock();

const service = serviceOfTests({ clock });
const { client } = service;

/** A body whose money comes in from outside, to a new EUR account of a new customer. */
async function fundedBody(source: object = {}, overrides: object = {}) {
  const customer = await createCustomer(client, { currencies: ['USD', 'USDC', 'BTC', 'EUR'] });
  const payee = await registerEur(client, customer.id);
  const from = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId: customer.id, ...source };
  return { customer, body: { ...quoteBody('', payee.id), source: from, ...overrides } };
}
const usdc = { currency: 'USDC', cryptoNetwork: 'SOLANA' };
const stablecoin = { lockedCurrencyAmount: 100_000_000 };

const pay = (quoted: Json, overrides: object = {}, by = client) =>
  by.post('/sandbox/send', {
    quoteId: quoted.id,
    currencyCode: quoted.sendingCurrency.code,
    ...overrides,
  });
const infosOf = ({ paymentInstructions }: Json): Json[] =>
  paymentInstructions.map(({ accountOrWalletInfo }: Json) => accountOrWalletInfo);

describe('the payment instructions of a quote', () => {
  it('name an account and a reference for a bank transfer', async () => {
    const { customer, body } = await fundedBody();
    const quoted = await quote(client, body);
    expect(quoted.source).toEqual({
      sourceType: 'REALTIME_FUNDING',
      currency: 'USD',
      customerId: customer.id,
    });
    expect(infosOf(quoted)).toEqual([
      expect.objectContaining({
        accountType: 'USD_ACCOUNT',
        accountNumber: expect.any(String),
        paymentRails: expect.arrayContaining(['ACH', 'WIRE']),
        reference: expect.any(String),
      }),
    ]);
    expect((await client.get(`/quotes/${quoted.id}`)).body).toEqual(quoted);
  });

  it('have a reference of their own', async () => {
    const { body } = await fundedBody();
    const quotes = await together(10, () => quote(client, body));
    const references = quotes.flatMap((quoted) => infosOf(quoted).map(({ reference }) => reference));
    expect(new Set(references).size).toBe(10);
    const account = await accountOf(client, quotes[0]?.source.customerId);
    const [own] = account.fundingPaymentInstructions;
    expect(references).not.toContain(own.accountOrWalletInfo.reference);
  });

  it('have the reference by which the payment is found', async () => {
    const { customer, body } = await fundedBody();
    const quoted = await quote(client, body);
    const [{ reference }] = infosOf(quoted);
    const { data } = expectStatus(await client.get('/transactions', { reference }), 200);
    expect(data.map(({ id }: Json) => id)).toEqual([quoted.transactionId]);
    expect(data[0]).toMatchObject({ customerId: customer.id, reconciliationInstructions: { reference } });
  });

  it.each([
    ['USDC', 'SOLANA', 'SOLANA_WALLET'],
    ['USDC', 'ETHEREUM', 'ETHEREUM_WALLET'],
    ['USDC', 'BASE', 'BASE_WALLET'],
    ['USDC', 'POLYGON', 'POLYGON_WALLET'],
    ['USDT', 'TRON', 'TRON_WALLET'],
    ['USDT', 'PLASMA', 'PLASMA_WALLET'],
    ['BTC', 'SPARK', 'SPARK_WALLET'],
    ['USDB', 'SPARK', 'SPARK_WALLET'],
    ['BTC', 'BITCOIN', 'BITCOIN_L1'],
    ['BTC', 'LIGHTNING', 'LIGHTNING'],
  ])('are for %s on %s one %s of its own', async (currency, cryptoNetwork, accountType) => {
    const { body } = await fundedBody({ currency, cryptoNetwork }, stablecoin);
    const [one, two] = [await quote(client, body), await quote(client, body)];
    expect(one.source.cryptoNetwork).toBe(cryptoNetwork);
    expect(infosOf(one).map((info) => info.accountType)).toEqual([accountType]);
    const place = (quoted: Json) => infosOf(quoted).map(({ address, invoice }) => address ?? invoice);
    expect(place(one)).not.toEqual(place(two));
  });

  it('are all there are for BTC without a network', async () => {
    const { body } = await fundedBody({ currency: 'BTC' }, stablecoin);
    const quoted = await quote(client, body);
    expect(quoted.source).not.toHaveProperty('cryptoNetwork');
    expect(infosOf(quoted).map(({ accountType }) => accountType)).toEqual(['SPARK_WALLET', 'BITCOIN_L1']);
  });

  it.each([
    ['USDC', undefined],
    ['USDC', 'BITCOIN'],
    ['USDC', 'TRON'],
    ['USDC', 'LIGHTNING'],
    ['USDT', 'BASE'],
    ['BTC', 'SOLANA'],
    ['USDC', 'FEDWIRE'],
  ])('are refused for %s on %s', async (currency, cryptoNetwork) => {
    const { body } = await fundedBody({ currency, cryptoNetwork }, stablecoin);
    const problem = expectProblem(await client.post('/quotes', body), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['source.cryptoNetwork']);
  });

  it.each([
    [{}, {}, 300_000],
    [usdc, stablecoin, 60_000],
  ])('hold for as long as the quote with %o', async (source, overrides, lifetime) => {
    const { body } = await fundedBody(source, overrides);
    const { createdAt, expiresAt } = await quote(client, body);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(lifetime);
  });

  it('are left out where the source needs none', async () => {
    const { customer, account } = await customerWith(client);
    const payee = await registerEur(client, customer.id);
    expect(await quote(client, quoteBody(account.id, payee.id))).not.toHaveProperty('paymentInstructions');
  });
});

describe('a quote that is paid', () => {
  it.each([
    ['without an amount', {}],
    ['with its exact amount', { currencyAmount: 10_000 }],
  ])('runs by itself when it is paid %s', async (_how, amount) => {
    const { body } = await fundedBody();
    const quoted = await quote(client, body);
    const paid = expectStatus(await pay(quoted, amount), 200);
    expect(paid).toMatchObject({ id: quoted.transactionId, type: 'OUTGOING', quoteId: quoted.id });
    expect(paid.source.sourceType).toBe('REALTIME_FUNDING');
    await untilEnded(client, paid.id, 'COMPLETED');
    const statuses = await statusesOf(service.databaseUrl, paid.id);
    expect(statuses).toEqual(['PENDING', 'PROCESSING', 'COMPLETED']);
  });

  it.each([[9_999], [10_001], [1], [9_000_000_000_000_000n]])(
    'fails with %s in place of 10000, and the money goes back the way it came',
    async (currencyAmount) => {
      const { customer, body } = await fundedBody();
      const quoted = await quote(client, body);
      const paid = expectStatus(await pay(quoted, { currencyAmount }), 200);
      expect([paid.status, paid.failureReason]).toEqual(['FAILED', 'QUOTE_EXECUTION_FAILED']);
      const ended = await untilEnded(client, paid.id, 'FAILED');
      expect(ended.refund).toMatchObject({ status: 'COMPLETED', reason: 'TRANSACTION_FAILED' });
      expect(await inFlightOf(service.databaseUrl, paid.id)).toEqual({});
      expect(await balanceOf(client, customer.id)).toBe(0);
      expect((await client.get(`/quotes/${quoted.id}`)).body.status).toBe('FAILED');
      expect(await unbalanced(client)).toEqual([]);
    },
  );

  it.each([
    ["is then the customer's", ['USD', 'USDC', 'EUR']],
    ["is the customer's who has given the currency up, since the account stays", ['USD', 'EUR']],
  ])('fails with too little crypto, which %s', async (_whose, currencies) => {
    const { customer, body } = await fundedBody(usdc, stablecoin);
    expectStatus(await client.patch(`/customers/${customer.id}`, { currencies }), 200);
    const quoted = await quote(client, body);
    const paid = expectStatus(await pay(quoted, { currencyAmount: 40_000_000 }), 200);
    const ended = await untilEnded(client, paid.id, 'FAILED');
    expect(ended.refund.status).toBe('COMPLETED');
    expect(await balanceOf(client, customer.id, 'USDC')).toBe(40_000_000);
    expect(await inFlightOf(service.databaseUrl, paid.id)).toEqual({});
  });

  it.each([
    ['all of the crypto, at a bank that fails', undefined, 100_000_000],
    ['too little crypto', 7_000_000, 7_000_000],
  ])('that fails with %s goes to the wallet which alone holds it', async (_how, currencyAmount, held) => {
    const { customer } = await createWallet(client);
    const payee = await registerEur(client, customer.id, '004');
    const from = { sourceType: 'REALTIME_FUNDING', currency: 'USDB', cryptoNetwork: 'SPARK' };
    const source = { ...from, customerId: customer.id };
    const quoted = await quote(client, { ...quoteBody('', payee.id), source, ...stablecoin });
    const paid = expectStatus(await pay(quoted, { currencyAmount }), 200);
    expect((await untilEnded(client, paid.id, 'FAILED')).refund.status).toBe('COMPLETED');
    const query = { customerId: customer.id, type: 'EMBEDDED_WALLET' };
    const { data } = expectStatus(await client.get('/customers/internal-accounts', query), 200);
    expect(data.map(({ balance }: Json) => balance.amount)).toEqual([held]);
    expect(await inFlightOf(service.databaseUrl, paid.id)).toEqual({});
  });

  it('cannot be paid again', async () => {
    const { body } = await fundedBody();
    const quoted = await quote(client, body);
    expectStatus(await pay(quoted), 200);
    const problem = expectProblem(await pay(quoted), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['quoteId']);
    await untilEnded(client, quoted.transactionId, 'COMPLETED');
    expectProblem(await pay(quoted), 400, 'INVALID_INPUT');
  });

  it('is paid once by twenty at the same time', async () => {
    const { body } = await fundedBody();
    const quoted = await quote(client, body);
    const answers = await together(20, () => pay(quoted));
    expect(countByStatus(answers)).toEqual({ 200: 1, 400: 19 });
    await untilEnded(client, quoted.transactionId, 'COMPLETED');
    expect(await inFlightOf(service.databaseUrl, quoted.transactionId)).toEqual({});
  });

  it('is refused once it has expired', async () => {
    const { body } = await fundedBody();
    const quoted = await quote(client, body);
    clock.advance(301_000);
    expectProblem(await pay(quoted), 400, 'INVALID_INPUT');
    await service.timers.empty();
    await service.timers.reconcile();
    const ended = await untilEnded(client, quoted.transactionId, 'EXPIRED');
    expect(ended.failureReason).toBe('QUOTE_EXPIRED');
    expectProblem(await pay(quoted), 400, 'INVALID_INPUT');
  });
});

describe('a payment of instructions', () => {
  it.each([
    [{ currencyCode: 'EUR' }, 400, 'INVALID_CURRENCY'],
    [{ currencyCode: 'XXX' }, 400, 'INVALID_CURRENCY'],
    [{ currencyCode: undefined }, 400, 'INVALID_INPUT'],
    [{ currencyAmount: 0 }, 400, 'INVALID_AMOUNT'],
    [{ currencyAmount: -1 }, 400, 'INVALID_AMOUNT'],
    [{ currencyAmount: '10000' }, 400, 'INVALID_AMOUNT'],
    [{ quoteId: idOfNobody('Quote') }, 404, 'QUOTE_NOT_FOUND'],
    [{ quoteId: 'nonsense' }, 400, 'INVALID_INPUT'],
  ])('is refused for %o: %i %s', async (overrides, status, code) => {
    const { body } = await fundedBody();
    const quoted = await quote(client, body);
    expectProblem(await pay(quoted, overrides), status, code);
    expect((await client.get(`/quotes/${quoted.id}`)).body.status).toBe('PENDING');
  });

  it('is refused for quotes that are not paid from outside', async () => {
    const { customer, account } = await customerWith(client);
    const payee = await registerEur(client, customer.id);
    const quoted = await quote(client, quoteBody(account.id, payee.id));
    expect(namedFields(expectProblem(await pay(quoted), 400, 'INVALID_INPUT'))).toEqual(['quoteId']);
  });

  it('finds no quote of another platform', async () => {
    const beside = await startBeside(service);
    const { body } = await fundedBody();
    const answer = await pay(await quote(client, body), {}, beside.client);
    await beside.stop();
    expectProblem(answer, 404, 'QUOTE_NOT_FOUND');
  });

  it('needs the permission TRANSACT', async () => {
    const { body } = await fundedBody();
    const quoted = await quote(client, body);
    const reader = await clientWith(service, ['VIEW', 'MANAGE']);
    expectProblem(await pay(quoted, {}, reader), 403, 'FORBIDDEN');
  });
});

describe('the account that a quote from outside pays', () => {
  const nothingCameIn = async (quoted: Json) => {
    expect((await client.get(`/quotes/${quoted.id}`)).body.status).toBe('PENDING');
    expect(await inFlightOf(service.databaseUrl, quoted.transactionId)).toEqual({});
  };

  it.each(['UNDER_REVIEW', 'INACTIVE'])(
    'is paid nothing while it is %s, and is once it is ACTIVE',
    async (status) => {
      const { body } = await fundedBody();
      const quoted = await quote(client, body);
      const enter = (entered: string) =>
        client.post(`/sandbox/external-accounts/${body.destination.accountId}/status`, { status: entered });
      expectStatus(await enter(status), 200);
      expect(expectProblem(await pay(quoted), 400, 'INVALID_BANK_ACCOUNT').details).toEqual({ status });
      await nothingCameIn(quoted);
      expectStatus(await enter('ACTIVE'), 200);
      expectStatus(await pay(quoted), 200);
      await untilEnded(client, quoted.transactionId, 'COMPLETED');
    },
  );

  it('is paid nothing once it is deleted', async () => {
    const { body } = await fundedBody();
    const quoted = await quote(client, body);
    const path = `/customers/external-accounts/${body.destination.accountId}`;
    expectStatus(await client.delete(path), 204);
    expectProblem(await pay(quoted), 400, 'INVALID_INPUT');
    await nothingCameIn(quoted);
  });

  it.each([
    [
      'FROZEN',
      ({ id }: Json) => client.post(`/sandbox/internal-accounts/${id}/status`, { status: 'FROZEN' }),
    ],
    ['CLOSED', ({ customerId }: Json) => client.delete(`/customers/${customerId}`)],
  ])('is paid nothing while it is %s', async (status, enter) => {
    const { account } = await customerWith(client, 0);
    const { body } = await fundedBody({}, { destination: { accountId: account.id } });
    const quoted = await quote(client, body);
    expectStatus(await enter(account), 200);
    expect(expectProblem(await pay(quoted), 403, 'USER_NOT_READY').details).toEqual({ status });
    await nothingCameIn(quoted);
    expect(await balanceOf(client, account.customerId)).toBe(0);
  });
});

describe('REALTIME_FUNDING', () => {
  it('is not executed by a request', async () => {
    const { body } = await fundedBody();
    const { id } = await quote(client, body);
    expectProblem(await client.post(`/quotes/${id}/execute`), 400, 'INVALID_INPUT');
    expect((await client.get(`/quotes/${id}`)).body.status).toBe('PENDING');
  });

  it('is not executed at once', async () => {
    const { body } = await fundedBody();
    const problem = expectProblem(
      await client.post('/quotes', { ...body, immediatelyExecute: true }),
      400,
      'INVALID_INPUT',
    );
    expect(namedFields(problem)).toEqual(['immediatelyExecute']);
  });

  it.each([
    [{ currency: undefined }, 400, 'INVALID_INPUT'],
    [{ currency: 'XXX' }, 400, 'INVALID_CURRENCY'],
    [{ customerId: idOfNobody('Customer') }, 404, 'USER_NOT_FOUND'],
  ])('is refused for %o: %i %s', async (source, status, code) => {
    const { body } = await fundedBody(source);
    expectProblem(await client.post('/quotes', body), status, code);
  });

  it.each(['ours', 'theirs'] as const)(
    'has nothing to do with an account that it names: %s',
    async (whose) => {
      const owner = whose === 'ours' ? client : await service.newPlatform();
      const { customer: other, account } = await customerWith(owner, 1);
      // Remembered, as an account is that something was just done with.
      const pulled = await registerUsd(owner, other.id);
      for (const stray of [account, pulled]) {
        const { body } = await fundedBody({ customerId: undefined, accountId: stray.id });
        const quoted = await quote(client, body);
        expect(quoted.source).toEqual({ sourceType: 'REALTIME_FUNDING', currency: 'USD' });
        expect((await client.get(`/quotes/${quoted.id}`)).body.customerId).toBeUndefined();
      }
    },
  );

  it('has nothing to do with an account that is named beside a payment address', async () => {
    const owner = await service.newPlatform();
    const { account: stray } = await customerWith(owner, 1);
    const parties = await customerWith(client, 1_000);
    const body = await toAddress(client, parties, sandboxAddress('success.usd'));
    const destination = { ...body.destination, accountId: stray.id };
    expectStatus(await client.post('/quotes', { ...body, destination }), 201);
  });

  it('needs a customer who is approved', async () => {
    const pending = await createCustomer(client, { kycStatus: 'PENDING' });
    const { body } = await fundedBody({ customerId: pending.id });
    expectProblem(await client.post('/quotes', body), 403, 'USER_NOT_READY');
  });
});
