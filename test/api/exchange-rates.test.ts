import { describe, expect, it } from 'vitest';
import { currencies } from '../../src/domain/money/currencies.ts';
import { accountInfoInput } from '../support/builders/external-accounts.ts';
import type { Json } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import {
  accountOf,
  createCustomer,
  expectStatus,
  payoutParties,
  quoteBody,
  registerPayee,
} from '../support/resources/flows.ts';
import { besideOfTests } from '../support/resources/platforms.ts';

type Query = Record<string, string | string[]>;

const service = serviceOfTests();
const { client } = service;
const beside = besideOfTests(service);

const rates = async (query: Query): Promise<Json[]> =>
  expectStatus(await client.get('/exchange-rates', query), 200).data;
const pair = { sourceCurrency: 'USD', destinationCurrency: 'EUR' };

describe('exchange rates', () => {
  it('are answered for the default amount', async () => {
    expect(await rates(pair)).toEqual([
      expect.objectContaining({
        sourceCurrency: { code: 'USD', name: 'United States Dollar', symbol: '$', decimals: 2 },
        sendingAmount: 10_000,
        destinationPaymentRail: 'SEPA',
        fees: { fixed: 50, total: 100 },
        destinationCurrency: expect.objectContaining({ code: 'EUR' }),
      }),
    ]);
  });

  it('may be asked for several destinations', async () => {
    const data = await rates({ sourceCurrency: 'USD', destinationCurrency: ['MXN', 'EUR', 'MXN'] });
    expect(data.map(({ destinationCurrency }) => destinationCurrency.code)).toEqual(['MXN', 'EUR']);
  });

  it('are answered for every pair unless told otherwise', async () => {
    const data = await rates({});
    const pairs = data.map(({ sourceCurrency: from, destinationCurrency: to }) => `${from.code}-${to.code}`);
    expect(new Set(pairs).size).toBe(pairs.length);
    expect(new Set(data.map(({ sourceCurrency }) => sourceCurrency.code))).toEqual(
      new Set(currencies.keys()),
    );
    expect(pairs).not.toContain('USD-USD');
  });

  it('leave out what no payment rail pays out, of which a quote says the rate', async () => {
    expect(await rates({ sourceCurrency: 'USD', destinationCurrency: 'USDC' })).toEqual([]);
    const { id } = await createCustomer(client, { currencies: ['USD', 'USDC'] });
    const [from, to] = [await accountOf(client, id), await accountOf(client, id, 'USDC')];
    const quote = expectStatus(await client.post('/quotes', quoteBody(from.id, to.id)), 201);
    expect(quote.exchangeRate).toBeGreaterThan(0);
  });

  it('are those of a quote', async () => {
    const { account, payee } = await payoutParties(client);
    const quote = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
    const [rate] = await rates(pair);
    expect(rate).toMatchObject({
      receivingAmount: quote.totalReceivingAmount,
      exchangeRate: quote.exchangeRate,
    });
    expect(rate.fees.total).toBe(quote.feesIncluded);
  });

  it('name the rail of a currency that only accounts of every currency hold', async () => {
    const { customer, account } = await payoutParties(client);
    const accountInfo = accountInfoInput('SWIFT_ACCOUNT');
    const payee = await registerPayee(client, { customerId: customer.id, currency: 'ARS', accountInfo });
    const quote = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
    const [rate] = await rates({ sourceCurrency: 'USD', destinationCurrency: 'ARS' });
    expect([rate.destinationPaymentRail, rate.receivingAmount, rate.fees.total]).toEqual([
      quote.destination.paymentRail,
      quote.totalReceivingAmount,
      quote.feesIncluded,
    ]);
  });

  it('are none of a currency to itself, also where it is asked for', async () => {
    expect(await rates({ sourceCurrency: 'USD', destinationCurrency: 'USD' })).toEqual([]);
  });

  it('come with the least amount of which something arrives', async () => {
    const [{ minSendingAmount: least }] = await rates(pair);
    const [enough] = await rates({ ...pair, sendingAmount: `${least}` });
    const [short] = await rates({ ...pair, sendingAmount: `${least - 1}` });
    expect([enough.receivingAmount >= 1, short.receivingAmount]).toEqual([true, 0]);
  });

  it.each([
    ['0', 50],
    ['1', 51],
    ['50', 51],
    ['10000', 100],
  ])('have the fees of %s, also where they leave nothing', async (sendingAmount, total) => {
    const [{ fees }] = await rates({ ...pair, sendingAmount });
    expect(fees).toEqual({ fixed: 50, total });
  });

  it('are answered for the amount that is asked about, also where a quote may not send it', async () => {
    const query = { sourceCurrency: 'USD', destinationCurrency: 'MXN' };
    const shown = async (sendingAmount: string) =>
      expectStatus(await beside.client.get('/exchange-rates', { ...query, sendingAmount }), 200).data[0];
    const asked = ['1000', '3000', '6000'];
    const before = await Promise.all(asked.map(shown));
    expect(before.map(({ sendingAmount }) => `${sendingAmount}`)).toEqual(asked);
    const { supportedCurrencies } = expectStatus(await beside.client.get('/config'), 200);
    const bounded = supportedCurrencies.map((one: Json) =>
      one.currencyCode === 'USD' ? { ...one, minAmount: 2_000, maxAmount: 5_000 } : one,
    );
    expectStatus(await beside.client.patch('/config', { supportedCurrencies: bounded }), 200);
    const bounds = { minSendingAmount: 2_000, maxSendingAmount: 5_000 };
    expect(await Promise.all(asked.map(shown))).toEqual(before.map((one) => ({ ...one, ...bounds })));
  });

  it.each(['0', '1', '9000000000000000', '9999999999999999'])(
    'are answered for %s, in every pair',
    async (asked) => {
      for (const rate of await rates({ sendingAmount: asked })) {
        expect(BigInt(rate.sendingAmount)).toBe(BigInt(asked));
        expect(BigInt(rate.receivingAmount)).toBeGreaterThanOrEqual(0n);
        expect(BigInt(rate.minSendingAmount)).toBeLessThanOrEqual(BigInt(rate.maxSendingAmount));
      }
    },
  );

  it.each<[string, Query, string[]]>([
    ['an unknown source', { sourceCurrency: 'XXX' }, ['XXX']],
    ['unknown destinations', { destinationCurrency: ['EUR', 'XXX', 'eur'] }, ['XXX', 'eur']],
    ['both', { sourceCurrency: 'YYY', destinationCurrency: '__proto__' }, ['YYY', '__proto__']],
  ])('refuse %s', async (_what, query, unknown) => {
    const problem = expectProblem(await client.get('/exchange-rates', query), 400, 'INVALID_CURRENCY');
    expect(problem.details.currencies).toEqual(unknown);
  });

  it.each<[string, Query, string]>([
    ['a negative amount', { sendingAmount: '-1' }, 'sendingAmount'],
    ['a fraction', { sendingAmount: '1.5' }, 'sendingAmount'],
    ['text', { sendingAmount: 'abc' }, 'sendingAmount'],
    ['no amount', { sendingAmount: '' }, 'sendingAmount'],
    ['300 digits', { sendingAmount: '9'.repeat(300) }, 'sendingAmount'],
    ['two amounts', { sendingAmount: ['1', '2'] }, 'sendingAmount'],
    ['an empty source', { sourceCurrency: '' }, 'sourceCurrency'],
    ['two sources', { sourceCurrency: ['USD', 'EUR'] }, 'sourceCurrency'],
    ['an empty destination', { destinationCurrency: '' }, 'destinationCurrency'],
    [
      '101 destinations',
      { destinationCurrency: Array.from({ length: 101 }, () => 'EUR') },
      'destinationCurrency',
    ],
  ])('refuse %s', async (_what, query, field) => {
    const problem = expectProblem(await client.get('/exchange-rates', query), 400);
    expect(namedFields(problem)).toEqual([field]);
  });
});
