import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { idTaken } from '../../src/domain/customers/names.ts';
import { currencies as knownCurrencies } from '../../src/domain/money/currencies.ts';
import type { Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { idsIn } from '../support/http/lists.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { serviceOfTests, startTestService } from '../support/processes/service.ts';
import { accountOf, createCustomer, expectStatus, individual } from '../support/resources/flows.ts';
import { patienceMs } from '../support/time/patience.ts';
import { idOfNobody } from '../support/values/ids.ts';

const domain = 'daybook.test';
const newName = () => `ada-${randomUUID().slice(0, 13)}`;

const service = serviceOfTests();
const { client } = service;

const create = (body: object) => client.post('/customers', body);
const created = async (body: object): Promise<Json> => expectStatus(await create(body), 201);

describe('creating a customer', () => {
  it('needs no more than customerType', async () => {
    const customer = await created({ customerType: 'INDIVIDUAL' });
    expect(customer).toMatchObject({
      region: 'US',
      currencies: ['USD'],
      kycStatus: 'APPROVED',
      isDeleted: false,
    });
    expect(customer.id).toMatch(/^Customer:[0-9a-f-]{36}$/);
    expect(customer.platformCustomerId).not.toBe('');
    expect(customer.umaAddress).toMatch(new RegExp(`^\\$[a-z0-9_.+-]{1,63}@${domain}$`));
    expect(Date.now() - Date.parse(customer.createdAt)).toBeLessThan(patienceMs);
  });

  it('echoes what it was given, as it then reads', async () => {
    const given = {
      customerType: 'INDIVIDUAL',
      platformCustomerId: newName(),
      region: 'DE',
      currencies: ['EUR', 'USDC'],
      umaAddress: `$${newName()}@${domain}`,
      email: 'ada@example.com',
      phoneNumber: '+4915112345678',
      fullName: 'Ada Lovelace',
      birthDate: '1990-12-10',
      nationality: 'GB',
      idType: 'NON_US_TAX_ID',
      countryOfIssuance: 'GB',
      address: { line1: '1 Main St', postalCode: '10115', country: 'DE' },
    };
    const customer = await created({ ...given, unknownField: 'ignored' });
    expect(customer).toMatchObject({ ...given, kycStatus: 'APPROVED' });
    expect(customer).not.toHaveProperty('unknownField');
    expect(expectStatus(await client.get(`/customers/${customer.id}`), 200)).toEqual(customer);
  });

  it.each([
    ['the default region and its currency', {}, 'US', ['USD']],
    ['the currency of the region', { region: 'MX' }, 'MX', ['MXN']],
    ['the default currency where the region has none that is known', { region: 'CH' }, 'CH', ['USD']],
    ['the region of the currency', { currencies: ['EUR'] }, 'DE', ['EUR']],
    ['the default region for a cryptocurrency', { currencies: ['BTC'] }, 'US', ['BTC']],
    ['each currency once', { region: 'US', currencies: ['USD', 'USD', 'EUR'] }, 'US', ['USD', 'EUR']],
  ])('infers %s', async (_what, given, region, currencies) => {
    expect(await created({ customerType: 'INDIVIDUAL', ...given })).toMatchObject({ region, currencies });
  });

  it('opens an account for every currency, and a wallet', async () => {
    const { id } = await createCustomer(client, { currencies: ['USD', 'EUR', 'BTC'] });
    const { data } = expectStatus(await client.get('/customers/internal-accounts', { customerId: id }), 200);
    const opened = data
      .map(({ type, status, balance }: Json) => [type, status, balance.currency.code])
      .sort();
    expect(opened).toEqual([
      ['EMBEDDED_WALLET', 'ACTIVE', 'USDB'],
      ['INTERNAL_CRYPTO', 'ACTIVE', 'BTC'],
      ['INTERNAL_FIAT', 'ACTIVE', 'EUR'],
      ['INTERNAL_FIAT', 'ACTIVE', 'USD'],
    ]);
  });

  it('opens an account in any currency that is known', async () => {
    const currencies = [...knownCurrencies.keys()];
    expect((await createCustomer(client, { currencies })).currencies).toEqual(currencies);
  });

  it('never shows the identifier', async () => {
    const customer = await createCustomer(client, { idType: 'SSN', identifier: '078-05-1120' });
    const answers = [
      customer,
      (await client.get(`/customers/${customer.id}`)).body,
      (await client.get('/customers')).body,
    ];
    expect(JSON.stringify(answers)).not.toContain('078-05-1120');
  });

  it.each(['UNVERIFIED', 'PENDING', 'REJECTED', 'APPROVED'])(
    'takes kycStatus %s in the sandbox',
    async (kycStatus) => {
      const customer = await createCustomer(client, { kycStatus });
      expect(customer.kycStatus).toBe(kycStatus);
      const account = await accountOf(client, customer.id);
      expect(account.status).toBe(kycStatus === 'APPROVED' ? 'ACTIVE' : 'PENDING');
    },
  );

  it('ignores kycStatus outside the sandbox', async () => {
    const production = await startTestService({ variables: { DAYBOOK_ENVIRONMENT: 'production' } });
    const customer = await createCustomer(production.client, { kycStatus: 'APPROVED' });
    expect(customer.kycStatus).toBe('UNVERIFIED');
    expect((await accountOf(production.client, customer.id)).status).toBe('PENDING');
    await production.stop();
  });

  it.each<[string, object, string, string[]]>([
    ['no customerType', { customerType: undefined }, 'INVALID_INPUT', ['customerType']],
    ['an unknown customerType', { customerType: 'ROBOT' }, 'INVALID_INPUT', ['customerType']],
    ['a region that does not exist', { region: 'XX' }, 'INVALID_INPUT', ['region']],
    ['a region in lower case', { region: 'us' }, 'INVALID_INPUT', ['region']],
    ['no currency at all', { currencies: [] }, 'INVALID_INPUT', ['currencies']],
    ['an unknown kycStatus', { kycStatus: 'MAYBE' }, 'INVALID_INPUT', ['kycStatus']],
    ['a birth date that does not exist', { birthDate: '2001-02-29' }, 'INVALID_INPUT', ['birthDate']],
    ['an unknown idType', { idType: 'PASSPORT' }, 'INVALID_INPUT', ['idType']],
    ['a birth date to come', { birthDate: '2999-01-01' }, 'INVALID_INPUT', ['birthDate']],
    ['a phone number without +', { phoneNumber: '15551234567' }, 'INVALID_INPUT', ['phoneNumber']],
    ['a phone number with 0 first', { phoneNumber: '+0155512345' }, 'INVALID_INPUT', ['phoneNumber']],
    [
      'an address without its parts',
      { address: {} },
      'INVALID_INPUT',
      ['address.country', 'address.line1', 'address.postalCode'],
    ],
    ['null for a text', { fullName: null, email: 'ada' }, 'INVALID_INPUT', ['email', 'fullName']],
  ])('refuses %s', async (_what, overrides, code, fields) => {
    const problem = expectProblem(await create(individual(overrides)), 400, code);
    expect(namedFields(problem)).toEqual(fields);
  });

  it('names the currencies that it does not know', async () => {
    const answer = await create(individual({ currencies: ['USD', 'XXX', 'usd', '__proto__'] }));
    expect(expectProblem(answer, 400, 'INVALID_CURRENCY').details.currencies).toEqual([
      'XXX',
      'usd',
      '__proto__',
    ]);
  });
});

describe('a payment address', () => {
  it('is stored in lower case, and found in any', async () => {
    const name = newName();
    const customer = await createCustomer(client, {
      umaAddress: `$${name.toUpperCase()}@DayBook.TEST`,
    });
    expect(customer.umaAddress).toBe(`$${name}@${domain}`);
    const found = await idsIn(client, '/customers', {
      umaAddress: `$${name.toUpperCase()}@${domain.toUpperCase()}`,
    });
    expect(found).toEqual([customer.id]);
  });

  it.each([
    ['empty', ''],
    ['without $', `ada@${domain}`],
    ['without domain', '$ada'],
    ['without name', `$@${domain}`],
    ['with two @', `$ada@lovelace@${domain}`],
    ['with a space', `$ada lovelace@${domain}`],
    ['with another script', `$аda@${domain}`],
    ['with a sign that only folds to a letter', `$\u212aelvin@${domain}`],
    ['with more than 64 characters before the @', `$${'a'.repeat(64)}@${domain}`],
    ['of another domain', '$ada@example.com'],
    ['of a longer domain', `$ada@evil.${domain}`],
    ["of the sandbox's own counterparties", `$success.usd@sandbox.${domain}`],
  ])('is refused when it is %s', async (_what, umaAddress) => {
    expectProblem(await create(individual({ umaAddress })), 400, 'INVALID_UMA_ADDRESS');
  });

  it('may have 64 characters before the @', async () => {
    const umaAddress = `$${randomUUID()}${'-'.repeat(27)}@${domain}`;
    expect((await createCustomer(client, { umaAddress })).umaAddress).toBe(umaAddress);
  });

  it('belongs to one customer, in whatever case', async () => {
    const { umaAddress } = await createCustomer(client);
    expectProblem(
      await create(individual({ umaAddress: umaAddress.toUpperCase() })),
      409,
      'UMA_ADDRESS_EXISTS',
    );
  });

  it('stays free when the customer could not be created', async () => {
    const { platformCustomerId } = await createCustomer(client);
    const umaAddress = `$${newName()}@${domain}`;
    expectProblem(await create(individual({ umaAddress, platformCustomerId })), 409, 'CONFLICT');
    expect((await createCustomer(client, { umaAddress })).umaAddress).toBe(umaAddress);
  });
});

describe('a platformCustomerId', () => {
  it('belongs to one customer of the platform', async () => {
    const { platformCustomerId } = await createCustomer(client, { platformCustomerId: newName() });
    expectProblem(await create(individual({ platformCustomerId })), 409, 'CONFLICT');
    const ids = await idsIn(client, '/customers', { platformCustomerId });
    expect(ids).toHaveLength(1);
  });
});

describe('50 customers created at once', () => {
  const platformCustomerId = newName();
  const umaAddress = `$${newName()}@${domain}`;

  it.each([
    ['platformCustomerId', { platformCustomerId }, ['CONFLICT']],
    ['umaAddress', { umaAddress }, ['UMA_ADDRESS_EXISTS']],
    // Both are true of who comes later: who was given the address of another may find the id taken.
    [
      'of both',
      { platformCustomerId: newName(), umaAddress: `$${newName()}@${domain}` },
      ['UMA_ADDRESS_EXISTS', 'CONFLICT'],
    ],
  ])('have one winner when they want the same %s', async (_what, given, codes) => {
    const answers = await together(50, () => create(individual(given)));
    expect(countByStatus(answers)).toEqual({ 201: 1, 409: 49 });
    const lost = answers.filter(({ status }) => status === 409).map(({ body }) => body);
    expect(lost.filter(({ code }) => !codes.includes(code))).toEqual([]);
    const words = 'platformCustomerId' in given && idTaken(given.platformCustomerId).message;
    const conflicts = lost.filter(({ code }) => code === 'CONFLICT');
    expect(conflicts.filter(({ message }) => !words || !message.startsWith(words))).toEqual([]);
    const winner = answers.find(({ status }) => status === 201)?.body;
    expect(await idsIn(client, '/customers', given)).toEqual([winner.id]);
  });
});

describe('reading a customer', () => {
  it.each([
    ['is not there', idOfNobody('Customer')],
    ['is of another kind', idOfNobody('Quote')],
    ['has no form', 'ada'],
    ['is in capitals', 'Customer:019A0000-0000-7000-8000-000000000000'],
  ])('finds nothing when the id %s', async (_what, id) => {
    expectProblem(await client.get(`/customers/${id}`), 404, 'USER_NOT_FOUND');
  });

  it('takes the id raw and percent-encoded', async () => {
    const customer = await createCustomer(client);
    const answer = await client.get(`/customers/${encodeURIComponent(customer.id)}`);
    expect(expectStatus(answer, 200)).toEqual(customer);
  });
});
