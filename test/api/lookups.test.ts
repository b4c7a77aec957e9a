import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { clientWith, serviceOfTests } from '../support/processes/service.ts';
import { accountOf, createCustomer, expectStatus, quoteBody } from '../support/resources/flows.ts';
import {
  lookUp,
  platformAccount,
  quote,
  registerEur,
  sandboxAddress,
  toAddress,
} from '../support/resources/payments.ts';
import { besideOfTests } from '../support/resources/platforms.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import { idOfNobody } from '../support/values/ids.ts';

const clock = movableClock();
const success = (currency: string) => sandboxAddress(`success.${currency}`);

const service = serviceOfTests({ clock });
const { client } = service;
const beside = besideOfTests(service);
let sender: Json;
let payee: Json;
beforeAll(async () => {
  sender = await createCustomer(client, { currencies: ['USD', 'EUR'] });
  payee = await registerEur(client, sender.id);
});

const accountPath = () => `/receiver/external-account/${payee.id}`;
const umaPath = (address: string) => `/receiver/uma/${address}`;

describe('looking a payment address up', () => {
  it("says what one of the sandbox's addresses takes and asks for", async () => {
    const found = await lookUp(client, success('eur'), sender.id);
    expect(found).toMatchObject({
      receiverUmaAddress: success('eur'),
      lookupId: expect.stringMatching(/^Lookup:[0-9a-f-]{36}$/),
      supportedCurrencies: [
        { currency: { code: 'EUR', decimals: 2 }, estimatedExchangeRate: expect.any(Number) },
      ],
    });
    expect(found.requiredPayerDataFields).toContainEqual({ name: 'FULL_NAME', mandatory: true });
    expect(found).not.toHaveProperty('accountId');
    const [{ min, max }] = found.supportedCurrencies;
    expect([min > 0, max > min]).toEqual([true, true]);
  });

  it.each([
    ['success.usd', 'USD'],
    ['success.eur', 'EUR'],
    ['success.mxn', 'MXN'],
    ['pending.long.usd', 'USD'],
    ['fail.compliance.usd', 'USD'],
  ])('finds $%s, which takes %s', async (name, code) => {
    const { supportedCurrencies } = await lookUp(client, sandboxAddress(name), sender.id);
    expect(supportedCurrencies.map(({ currency }: Json) => currency.code)).toEqual([code]);
  });

  it.each([['eur'], ['mxn']])("gives a rate the other way round from a quote's, for %s", async (currency) => {
    const payer = { customer: sender, account: await accountOf(client, sender.id) };
    const { supportedCurrencies } = await lookUp(client, success(currency), sender.id);
    const quoted = await quote(client, await toAddress(client, payer, success(currency)));
    expect(supportedCurrencies[0].estimatedExchangeRate * quoted.exchangeRate).toBeCloseTo(1, 6);
    expect(quoted.exchangeRate > 1).toBe(currency === 'eur');
  });

  it.each([
    ['raw', (address: string) => address],
    ['percent-encoded', encodeURIComponent],
    ['in capitals', (address: string) => address.toUpperCase()],
    ['in capitals, percent-encoded', (address: string) => encodeURIComponent(address.toUpperCase())],
    ['with the colon form of encoding', (address: string) => address.replace('$', '%24')],
  ])('takes the address %s', async (_form, written) => {
    const answer = await client.get(umaPath(written(success('usd'))), { customerId: sender.id });
    expect(expectStatus(answer, 200).receiverUmaAddress).toBe(success('usd'));
  });

  it('finds a customer of the same platform with all of its currencies', async () => {
    const receiver = await createCustomer(client, { currencies: ['EUR', 'MXN'] });
    const found = await lookUp(client, receiver.umaAddress, sender.id);
    expect(found.supportedCurrencies.map(({ currency }: Json) => currency.code)).toEqual(['EUR', 'MXN']);
    expect(found.requiredPayerDataFields).toEqual([]);
  });

  it("finds another platform's customer with what that platform asks for", async () => {
    const fields = [
      { name: 'BIRTH_DATE', mandatory: true },
      { name: 'TAX_ID', mandatory: false },
    ];
    const item = { currencyCode: 'EUR', minAmount: 0, maxAmount: 1_000_000 };
    const asks = { requiredCounterpartyFields: fields, enabledTransactionTypes: ['INCOMING', 'OUTGOING'] };
    const { supportedCurrencies } = expectStatus(await beside.client.get('/config'), 200);
    const others = supportedCurrencies.filter(({ currencyCode }: Json) => currencyCode !== 'EUR');
    const body = { supportedCurrencies: [...others, { ...item, ...asks }] };
    expectStatus(await beside.client.patch('/config', body), 200);
    const receiver = await createCustomer(beside.client, { currencies: ['EUR'] });
    const found = await lookUp(client, receiver.umaAddress, sender.id);
    expect(found.requiredPayerDataFields).toEqual(fields);
  });

  it.each([
    ['ada@pay.example'],
    ['$@pay.example'],
    ['$ada'],
    ['$ada@'],
    ['$a da@pay.example'],
    ['$ädä@pay.example'],
    [`$${'a'.repeat(64)}@pay.example`],
    ['$ada@pay@example'],
    ['$ada!@pay.example'],
  ])('refuses %s', async (address) => {
    const answer = await client.get(umaPath(encodeURIComponent(address)), { customerId: sender.id });
    expectProblem(answer, 400, 'INVALID_UMA_ADDRESS');
  });

  it.each([
    ['$nobody@daybook.test'],
    ['$success.chf@sandbox.daybook.test'],
    ['$success.usd@daybook.test'],
    [`$${'a'.repeat(63)}@pay.example`],
  ])('does not find %s', async (address) => {
    expectProblem(await client.get(umaPath(address), { customerId: sender.id }), 404, 'UMA_NOT_FOUND');
  });
});

describe('looking an external account up', () => {
  it('says what it takes', async () => {
    const found = expectStatus(await client.get(accountPath(), { customerId: sender.id }), 200);
    expect(found).toMatchObject({ accountId: payee.id, requiredPayerDataFields: [] });
    expect(found.supportedCurrencies.map(({ currency }: Json) => currency.code)).toEqual(['EUR']);
    expect(found).not.toHaveProperty('receiverUmaAddress');
  });

  it('takes the id percent-encoded', async () => {
    const path = `/receiver/external-account/${encodeURIComponent(payee.id)}`;
    expect(expectStatus(await client.get(path, { customerId: sender.id }), 200).accountId).toBe(payee.id);
  });

  it.each([[idOfNobody('ExternalAccount')], [idOfNobody('InternalAccount')], ['nonsense']])(
    'does not find %s',
    async (id) => {
      const answer = await client.get(`/receiver/external-account/${id}`, { customerId: sender.id });
      expectProblem(answer, 404, 'REFERENCE_NOT_FOUND');
    },
  );

  it("does not find another platform's account, or a deleted one", async () => {
    const foreign = await createCustomer(beside.client);
    const answer = await beside.client.get(accountPath(), { customerId: foreign.id });
    expectProblem(answer, 404, 'REFERENCE_NOT_FOUND');
    const gone = await registerEur(client, sender.id, '788');
    await client.delete(`/customers/external-accounts/${gone.id}`);
    const path = `/receiver/external-account/${gone.id}`;
    expectProblem(await client.get(path, { customerId: sender.id }), 404, 'REFERENCE_NOT_FOUND');
  });
});

describe.each([
  ['of a payment address', () => umaPath(success('eur'))],
  ['of an external account', accountPath],
])('the sender of a lookup %s', (_receiver, path) => {
  it('has to be named', async () => {
    const problem = expectProblem(await client.get(path()), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['customerId', 'senderUmaAddress']);
  });

  it('can be named by payment address, in any case', async () => {
    expectStatus(await client.get(path(), { senderUmaAddress: sender.umaAddress }), 200);
    expectStatus(await client.get(path(), { senderUmaAddress: sender.umaAddress.toUpperCase() }), 200);
  });

  it.each([
    ['customerId', 'nonsense', 400, 'INVALID_INPUT'],
    ['customerId', idOfNobody('Customer'), 404, 'USER_NOT_FOUND'],
    ['senderUmaAddress', 'ada', 400, 'INVALID_UMA_ADDRESS'],
    ['senderUmaAddress', '$nobody@daybook.test', 404, 'UMA_NOT_FOUND'],
  ])('must exist: %s=%s gives %i %s', async (name, value, status, code) => {
    expectProblem(await client.get(path(), { [name]: value }), status, code);
  });

  it('can be named both ways, as one customer', async () => {
    const both = { customerId: sender.id, senderUmaAddress: sender.umaAddress };
    expectStatus(await client.get(path(), both), 200);
    const { umaAddress } = await createCustomer(client);
    const problem = expectProblem(
      await client.get(path(), { ...both, senderUmaAddress: umaAddress }),
      400,
      'INVALID_INPUT',
    );
    expect(namedFields(problem)).toEqual(['customerId', 'senderUmaAddress']);
    const nobody = { ...both, senderUmaAddress: '$nobody@daybook.test' };
    expectProblem(await client.get(path(), nobody), 404, 'UMA_NOT_FOUND');
    const malformed = { ...both, senderUmaAddress: 'ada' };
    expectProblem(await client.get(path(), malformed), 400, 'INVALID_UMA_ADDRESS');
  });

  it('must be a customer of the platform', async () => {
    const foreign = await createCustomer(beside.client);
    expectProblem(await client.get(path(), { customerId: foreign.id }), 404, 'USER_NOT_FOUND');
    const named = await client.get(path(), { senderUmaAddress: foreign.umaAddress });
    expectProblem(named, 404, 'UMA_NOT_FOUND');
  });

  it('may be named with a token that only reads', async () => {
    const reader = await clientWith(service, ['VIEW']);
    expectStatus(await reader.get(path(), { customerId: sender.id }), 200);
  });
});

describe('a quote on a lookup', () => {
  const bodyFor = async (address: string, overrides: object = {}) => {
    const payer = { customer: sender, account: await accountOf(client, sender.id) };
    return toAddress(client, payer, address, overrides);
  };
  const expectNoLookup = async (body: object) =>
    expectProblem(await client.post('/quotes', body), 404, 'LOOKUP_REQUEST_NOT_FOUND');

  it('needs one for a payment address', async () => {
    const { lookupId: _none, ...body } = await bodyFor(success('eur'));
    const problem = expectProblem(await client.post('/quotes', body), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['lookupId']);
  });

  it('can use one more than once', async () => {
    const body = await bodyFor(success('eur'));
    await quote(client, body);
    expect((await quote(client, body)).destination).toEqual({
      destinationType: 'UMA_ADDRESS',
      umaAddress: success('eur'),
      currency: 'EUR',
    });
  });

  it('cannot use one for another receiver', async () => {
    const { lookupId } = await lookUp(client, success('usd'), sender.id);
    await expectNoLookup(await bodyFor(success('eur'), { lookupId }));
  });

  it('cannot use one of another sender or platform', async () => {
    const other = await createCustomer(client);
    const foreign = await createCustomer(beside.client);
    const theirs = [
      await lookUp(client, success('eur'), other.id),
      await lookUp(beside.client, success('eur'), foreign.id),
    ];
    for (const { lookupId } of theirs) await expectNoLookup(await bodyFor(success('eur'), { lookupId }));
  });

  it('cannot use one that nobody made', async () => {
    await expectNoLookup(await bodyFor(success('eur'), { lookupId: idOfNobody('Lookup') }));
    const malformed = await client.post('/quotes', await bodyFor(success('eur'), { lookupId: 'Lookup:x' }));
    expectProblem(malformed, 400, 'INVALID_INPUT');
  });

  it.each([
    ['an account of its own', async () => ({ accountId: (await platformAccount(client)).id })],
    ['funding in realtime', async () => ({ sourceType: 'REALTIME_FUNDING', currency: 'USD' })],
  ])('of the platform, from %s, needs the customer who pays by name', async (_source, from) => {
    const body = await bodyFor(success('eur'));
    const source = await from();
    const problem = expectProblem(await client.post('/quotes', { ...body, source }), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(['source.customerId']);
    const named = { ...source, customerId: sender.id };
    expect((await quote(client, { ...body, source: named })).source).toMatchObject(named);
  });

  it('may carry one for an external account, if it is of that account', async () => {
    const account = await accountOf(client, sender.id);
    const { lookupId } = expectStatus(await client.get(accountPath(), { customerId: sender.id }), 200);
    await quote(client, quoteBody(account.id, payee.id, { lookupId }));
    const second = await registerEur(client, sender.id, '777');
    await expectNoLookup(quoteBody(account.id, second.id, { lookupId }));
  });

  it("takes the receiver's first currency unless it names another", async () => {
    const receiver = await createCustomer(client, { currencies: ['MXN', 'EUR'] });
    expect((await quote(client, await bodyFor(receiver.umaAddress))).destination.currency).toBe('MXN');
    const destination = { destinationType: 'UMA_ADDRESS', umaAddress: receiver.umaAddress };
    const inEuro = await bodyFor(receiver.umaAddress, { destination: { ...destination, currency: 'EUR' } });
    expect((await quote(client, inEuro)).receivingCurrency.code).toBe('EUR');
    const inPound = await bodyFor(receiver.umaAddress, { destination: { ...destination, currency: 'GBP' } });
    expectProblem(await client.post('/quotes', inPound), 400, 'INVALID_CURRENCY');
  });

  it('can use one for 15 minutes', async () => {
    const body = await bodyFor(success('eur'));
    clock.advance(14 * 60_000);
    await quote(client, body);
    clock.advance(61_000);
    await expectNoLookup(body);
  });
});

describe('what a receiver asks about the payer', () => {
  const nameless = async (overrides: object = {}) => {
    const customer = await createCustomer(client, { fullName: undefined, ...overrides });
    const account = await accountOf(client, customer.id);
    return (info: object = {}) => toAddress(client, { customer, account }, success('eur'), info);
  };

  it('is demanded where it is mandatory and not known', async () => {
    const body = await nameless();
    const problem = expectProblem(
      await client.post('/quotes', await body()),
      400,
      'MISSING_MANDATORY_USER_INFO',
    );
    expect(problem.details.requiredFields).toEqual(['FULL_NAME']);
  });

  it.each([
    [{ FULL_NAME: 'Ada Lovelace' }, 201],
    [{ FULL_NAME: 'Ada Lovelace', NICKNAME: 'Ada' }, 201],
    [{ FULL_NAME: '' }, 400],
    [{ BIRTH_DATE: '1815-12-10' }, 400],
  ])('can be sent: %j gives %i', async (senderCustomerInfo, status) => {
    const body = await nameless();
    expect((await client.post('/quotes', await body({ senderCustomerInfo }))).status).toBe(status);
  });

  it('need not be sent where the customer has it', async () => {
    const body = await nameless({ fullName: 'Ada Lovelace' });
    await quote(client, await body());
  });
});
