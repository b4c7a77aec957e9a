/** What a platform's configuration says of its currencies, wherever payments are asked for. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Answer, Client, Json } from '../support/http/client.ts';
import { expectProblem } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { type Staffed, staffed } from '../support/resources/agents.ts';
import { createCustomer, expectStatus, quoteBody } from '../support/resources/flows.ts';
import {
  customerWith,
  lookUp,
  receive,
  registerEur,
  registerUsd,
  sandboxAddress,
  toAddress,
  transferIn,
  transferOut,
} from '../support/resources/payments.ts';
import { removeCurrencies, setCurrencies } from '../support/resources/platform-config.ts';
import { startBeside } from '../support/resources/platforms.ts';

const service = serviceOfTests();

async function newPlatform(): Promise<Client> {
  const platform = await startBeside(service);
  onTestFinished(() => platform.stop());
  return platform.client;
}

type Parties = { readonly customer: Json; readonly account: Json; readonly eur: Json; readonly usd: Json };

async function partiesOf(client: Client, amount = 1_000_000): Promise<Parties> {
  const { customer, account } = await customerWith(client, amount);
  const eur = await registerEur(client, customer.id);
  return { customer, account, eur, usd: await registerUsd(client, customer.id) };
}

const quoteOf = (client: Client, { account, eur }: Parties, side: string, amount: number) =>
  client.post(
    '/quotes',
    quoteBody(account.id, eur.id, { lockedCurrencySide: side, lockedCurrencyAmount: amount }),
  );

const ratesOf = (client: Client, destinationCurrency = 'EUR') =>
  client.get('/exchange-rates', { sourceCurrency: 'USD', destinationCurrency });

describe('the bounds of two currencies', () => {
  it.each([
    { USD: { minAmount: 1_000, maxAmount: 50_000 } },
    { EUR: { minAmount: 1_000, maxAmount: 50_000 } },
    { USD: { minAmount: 2_000 }, EUR: { maxAmount: 70_000 } },
  ])('are published as quotes keep to them, whichever side is locked: %j', async (changes) => {
    const client = await newPlatform();
    const parties = await partiesOf(client);
    await setCurrencies(client, changes);
    const statuses = async (side: string, { min, max }: { min: number; max: number }) =>
      Promise.all(
        [min - 1, min, max, max + 1].map(
          async (amount) => (await quoteOf(client, parties, side, amount)).status,
        ),
      );
    const [rate] = expectStatus(await ratesOf(client), 200).data;
    const sending = { min: rate.minSendingAmount, max: rate.maxSendingAmount };
    expect(await statuses('SENDING', sending)).toEqual([400, 201, 201, 400]);
    const path = `/receiver/external-account/${parties.eur.id}`;
    const found = expectStatus(await client.get(path, { customerId: parties.customer.id }), 200);
    expect(await statuses('RECEIVING', found.supportedCurrencies[0])).toEqual([400, 201, 201, 400]);
  });

  it('refuse with what they are', async () => {
    const client = await newPlatform();
    const parties = await partiesOf(client);
    await setCurrencies(client, { EUR: { minAmount: 10, maxAmount: 5_000 } });
    const problem = expectProblem(await quoteOf(client, parties, 'SENDING', 100_000), 400);
    expect(problem.code).toBe('AMOUNT_OUT_OF_RANGE');
    expect(problem.details).toEqual({ currency: 'EUR', minAmount: 10, maxAmount: 5_000 });
  });

  it('leave out pairs and lookups in which no amount fits', async () => {
    const client = await newPlatform();
    await setCurrencies(client, { USD: { maxAmount: 1_000 }, EUR: { minAmount: 100_000 } });
    expect(expectStatus(await ratesOf(client), 200).data).toEqual([]);
    const sender = await createCustomer(client);
    const found = await lookUp(client, sandboxAddress('success.eur'), sender.id);
    expect(found.supportedCurrencies).toEqual([]);
  });
});

describe('the bounds of a platform whose customer is paid at an address', () => {
  const bounds = { minAmount: 2_000, maxAmount: 7_000 };

  it('hold for payers of other platforms, who find them in the lookup', async () => {
    const payeeSide = await newPlatform();
    const payee = await createCustomer(payeeSide, { currencies: ['EUR'] });
    await setCurrencies(payeeSide, { EUR: bounds });
    const { client } = service;
    const payer = await customerWith(client, 1_000_000);
    const found = await lookUp(client, payee.umaAddress, payer.customer.id);
    expect(found.supportedCurrencies).toMatchObject([{ min: 2_000, max: 7_000 }]);
    const locking = async (lockedCurrencyAmount: number) => {
      const locked = { lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount };
      return client.post('/quotes', await toAddress(client, payer, payee.umaAddress, locked));
    };
    for (const amount of [2_000, 7_000]) expectStatus(await locking(amount), 201);
    for (const amount of [1_999, 7_001]) {
      const { details } = expectProblem(await locking(amount), 400, 'AMOUNT_OUT_OF_RANGE');
      expect(details).toEqual({ currency: 'EUR', ...bounds });
    }
  });

  it('hold for payers outside', async () => {
    const client = await newPlatform();
    const payee = await createCustomer(client, { currencies: ['EUR'] });
    await setCurrencies(client, { EUR: bounds });
    const paid = (receivingCurrencyAmount: number) =>
      receive(client, {
        receiverUmaAddress: payee.umaAddress,
        receivingCurrencyCode: 'EUR',
        receivingCurrencyAmount,
      });
    expectStatus(await paid(7_000), 200);
    for (const amount of [1_999, 7_001]) expectProblem(await paid(amount), 400, 'AMOUNT_OUT_OF_RANGE');
  });
});

describe('a currency that is taken off the list', () => {
  const refused = (answer: Answer, code: string) =>
    expect(expectProblem(answer, 400, 'INVALID_CURRENCY').details.currencies).toContain(code);

  it('is neither sent nor received, and neither published nor looked up', async () => {
    const client = await newPlatform();
    const parties = await partiesOf(client);
    await removeCurrencies(client, 'EUR');
    refused(await quoteOf(client, parties, 'SENDING', 5_000), 'EUR');
    refused(await ratesOf(client), 'EUR');
    const all = expectStatus(await client.get('/exchange-rates'), 200).data;
    const codes = all.flatMap((one: Json) => [one.sourceCurrency.code, one.destinationCurrency.code]);
    expect(codes).not.toContain('EUR');
    const sender = { customerId: parties.customer.id };
    refused(await client.get(`/receiver/external-account/${parties.eur.id}`, sender), 'EUR');
    const address = encodeURIComponent(sandboxAddress('success.eur'));
    refused(await client.get(`/receiver/uma/${address}`, sender), 'EUR');
  });

  it('is not transferred, by the platform or by an agent', async () => {
    const client = await newPlatform();
    const { account, usd } = await partiesOf(client);
    const agent = await staffed(client);
    await removeCurrencies(client, 'USD');
    refused(await transferIn(client, usd.id, account.id, 5_000), 'USD');
    refused(await transferOut(client, account.id, usd.id, 5_000), 'USD');
    for (const answer of await asAgent(agent)) refused(answer, 'USD');
  });

  it('is none of a new customer', async () => {
    const client = await newPlatform();
    const old = await createCustomer(client, { currencies: ['EUR'] });
    await removeCurrencies(client, 'EUR');
    const asked = { customerType: 'INDIVIDUAL', currencies: ['USD', 'EUR'] };
    refused(await client.post('/customers', asked), 'EUR');
    const inFrance = expectStatus(
      await client.post('/customers', { customerType: 'INDIVIDUAL', region: 'FR' }),
      201,
    );
    expect(inFrance.currencies).toEqual(['USD']);
    const kept = await client.patch(`/customers/${old.id}`, { currencies: ['EUR', 'USD'] });
    expect(expectStatus(kept, 200).currencies).toEqual(['EUR', 'USD']);
    refused(await client.patch(`/customers/${inFrance.id}`, { currencies: ['EUR'] }), 'EUR');
  });
});

/** A quote and transfers both ways in USD. */
const asAgent = ({ me, account, bank, payee }: Staffed) =>
  Promise.all([
    me.post('/agents/me/quotes', quoteBody(account.id, payee.id)),
    me.post('/agents/me/transfer-in', {
      source: { accountId: bank.id },
      destination: { accountId: account.id },
      amount: 5_000,
    }),
    me.post('/agents/me/transfer-out', {
      source: { accountId: account.id },
      destination: { accountId: bank.id },
      amount: 5_000,
    }),
  ]);

describe('a platform that has set no list', () => {
  it('has every currency', async () => {
    const client = await newPlatform();
    const { customer, account } = await customerWith(client, 100_000);
    const info = { accountType: 'AED_ACCOUNT', iban: 'AE070331234567890123456', swiftCode: 'EBILAEAD' };
    const body = { customerId: customer.id, currency: 'AED', accountInfo: info };
    const payee = expectStatus(await client.post('/customers/external-accounts', body), 201);
    expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
    expect(expectStatus(await ratesOf(client, 'AED'), 200).data).toHaveLength(1);
  });
});
