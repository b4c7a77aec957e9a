import { beforeAll, describe, expect, it } from 'vitest';
import { type AccountType, definitions, railsOf } from '../../src/domain/external-accounts/definitions.ts';
import { accountInfoInput, currencyOf } from '../support/builders/external-accounts.ts';
import type { Json } from '../support/http/client.ts';
import { countByStatus, together } from '../support/http/concurrency.ts';
import { allPages, idsIn } from '../support/http/lists.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { createCustomer, expectStatus, registerPayee } from '../support/resources/flows.ts';
import { idOfNobody } from '../support/values/ids.ts';

const customers = '/customers/external-accounts';
const platform = '/platform/external-accounts';
const types = definitions.map(({ accountType }) => accountType);

const service = serviceOfTests();
const { client } = service;
let customerId: string;
beforeAll(async () => {
  customerId = (await createCustomer(client)).id;
});

const bodyOf = (type: AccountType, overrides: object = {}, body: object = {}) => ({
  currency: currencyOf(type),
  accountInfo: accountInfoInput(type, { ...overrides }),
  ...body,
});
const register = (type: AccountType, overrides: object = {}, body: object = {}) =>
  client.post(customers, bodyOf(type, overrides, { customerId, ...body }));
let next = 0;
/** An account number that nobody has. */
const newNumber = () => `${++next}`.padStart(10, '7');

describe.each(types)('a %s', (type) => {
  it('can be registered, read, listed and deleted', async () => {
    const account = expectStatus(await register(type), 201);
    const accountInfo = { ...accountInfoInput(type), paymentRails: railsOf(type) };
    expect(account).toMatchObject({ status: 'ACTIVE', customerId, currency: currencyOf(type), accountInfo });
    const path = `${customers}/${account.id}`;
    expect(expectStatus(await client.get(path), 200)).toEqual(account);
    expect((await client.get(customers, { limit: '1' })).body.data).toEqual([account]);
    expect(await client.delete(path)).toMatchObject({ status: 204, body: undefined });
    expectProblem(await client.get(path), 404, 'REFERENCE_NOT_FOUND');
    expect(await idsIn(client, customers)).not.toContain(account.id);
  });

  it('is refused with every field that is wrong', async () => {
    const fields = Object.keys(accountInfoInput(type)).filter((field) => field !== 'accountType');
    const wrong = Object.fromEntries(fields.map((field) => [field, 7]));
    const problem = expectProblem(await register(type, wrong), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(fields.map((field) => `accountInfo.${field}`).sort());
  });

  it('is refused with every field that is missing', async () => {
    const fields = Object.keys(accountInfoInput(type)).filter((field) => field !== 'accountType');
    const answer = await client.post(customers, {
      currency: currencyOf(type),
      accountInfo: { accountType: type },
    });
    const named = namedFields(expectProblem(answer, 400, 'INVALID_INPUT'));
    const demanded = fields.filter((field) => field !== 'beneficiary' || type !== 'AED_ACCOUNT');
    expect(named).toEqual(demanded.map((field) => `accountInfo.${field}`).sort());
  });

  it('holds no currency but its own', async () => {
    const currency = currencyOf(type) === 'BRL' ? 'MXN' : 'BRL';
    const anyFiat = type === 'SLV_ACCOUNT' || type === 'SWIFT_ACCOUNT';
    const answer = await register(type, {}, { currency: anyFiat ? 'BTC' : currency });
    expect(expectProblem(answer, 400, 'INVALID_CURRENCY').details.currencies).toHaveLength(1);
  });
});

describe('an account that breaks a rule', () => {
  it.each<[AccountType, object, string[]]>([
    ['USD_ACCOUNT', { routingNumber: '02100002' }, ['routingNumber']],
    [
      'USD_ACCOUNT',
      { accountNumber: '1'.repeat(35), bankAccountType: 'OTHER' },
      ['accountNumber', 'bankAccountType'],
    ],
    ['USD_ACCOUNT', { fiToFiInformation: 'x'.repeat(211), bankName: '' }, ['bankName', 'fiToFiInformation']],
    ['AED_ACCOUNT', { iban: 'DE89370400440532013789', swiftCode: 'NOBIC' }, ['iban', 'swiftCode']],
    ['EUR_ACCOUNT', { iban: 'de89370400440532013789' }, ['iban']],
    ['GBP_ACCOUNT', { sortCode: '20-00-00', accountNumber: '1234567' }, ['accountNumber', 'sortCode']],
    ['BRL_ACCOUNT', { pixKeyType: 'OTHER', taxId: '1' }, ['pixKeyType', 'taxId']],
    ['INR_ACCOUNT', { vpa: undefined, accountNumber: '123456789' }, ['ifsc']],
    ['KES_ACCOUNT', { phoneNumber: '+255712345789' }, ['phoneNumber']],
    ['XOF_ACCOUNT', { region: 'CM' }, ['region']],
    ['SWIFT_ACCOUNT', { country: 'nz', accountNumber: undefined }, ['accountNumber', 'country']],
    ['SPARK_WALLET', { address: 'with space' }, ['address']],
    ['LIGHTNING', { bolt12: 'lno1pg' }, ['bolt12']],
    ['EUR_ACCOUNT', { beneficiary: { beneficiaryType: 'ROBOT' } }, ['beneficiary.beneficiaryType']],
    [
      'EUR_ACCOUNT',
      { beneficiary: { beneficiaryType: 'BUSINESS', fullName: 'Ada' } },
      ['beneficiary.legalName'],
    ],
    [
      'EUR_ACCOUNT',
      {
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada', birthDate: '1990', nationality: 'XX' },
      },
      ['beneficiary.birthDate', 'beneficiary.nationality'],
    ],
  ])('is refused with the fields that are wrong: %s with %o', async (type, overrides, fields) => {
    const problem = expectProblem(await register(type, overrides), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(fields.map((field) => `accountInfo.${field}`));
  });

  it.each<[string, object, string[]]>([
    ['no account', { accountInfo: undefined }, ['accountInfo']],
    ['an unknown type', { accountInfo: { accountType: 'YEN_ACCOUNT' } }, ['accountInfo.accountType']],
    ['no currency, a bad customer', { currency: undefined, customerId: 'ada' }, ['currency', 'customerId']],
    ['a flag that is text', { defaultUmaDepositAccount: 'yes' }, ['defaultUmaDepositAccount']],
  ])('is refused with the members that are wrong: %s', async (_what, body, fields) => {
    const problem = expectProblem(await register('EUR_ACCOUNT', {}, body), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(fields);
  });

  it('is refused for an unknown currency', async () => {
    const answer = await register('EUR_ACCOUNT', {}, { currency: 'XXX' });
    expect(expectProblem(answer, 400, 'INVALID_CURRENCY').details.currencies).toEqual(['XXX']);
  });

  it('is refused for a customer who is not there', async () => {
    const body = bodyOf('EUR_ACCOUNT', {}, { customerId: idOfNobody('Customer') });
    expectProblem(await client.post(customers, body), 404, 'USER_NOT_FOUND');
  });
});

describe('the same account', () => {
  it('is refused to the same owner, whatever else differs', async () => {
    const accountNumber = newNumber();
    expectStatus(await register('USD_ACCOUNT', { accountNumber }), 201);
    const other = { accountNumber, routingNumber: '011401533', bankName: 'Other Bank' };
    expectProblem(await register('USD_ACCOUNT', other, { platformAccountId: 'mine' }), 409, 'CONFLICT');
  });

  it('is refused under an IBAN whose letters are written otherwise', async () => {
    expectStatus(await register('EUR_ACCOUNT', { iban: 'GB29NWBK60161331926819' }), 201);
    const again = await register('EUR_ACCOUNT', { iban: 'GB29nwbk60161331926819' });
    expectProblem(again, 409, 'CONFLICT');
  });

  it('may belong to another customer and to the platform as well', async () => {
    const accountNumber = newNumber();
    const { id: other } = await createCustomer(client);
    for (const owner of [{ customerId }, { customerId: other }, { customerId: undefined }])
      expectStatus(await register('USD_ACCOUNT', { accountNumber }, owner), 201);
    expectProblem(await client.post(platform, bodyOf('USD_ACCOUNT', { accountNumber })), 409, 'CONFLICT');
  });

  it('may be registered as another type', async () => {
    const address = '0x52908400098527886E0F7030069857D2E4160001';
    expectStatus(await register('ETHEREUM_WALLET', { address }), 201);
    expectStatus(await register('BASE_WALLET', { address }), 201);
  });

  it('may be registered again after it was deleted', async () => {
    const accountNumber = newNumber();
    const first = expectStatus(await register('USD_ACCOUNT', { accountNumber }), 201);
    expectStatus(await client.delete(`${customers}/${first.id}`), 204);
    const second = expectStatus(await register('USD_ACCOUNT', { accountNumber }), 201);
    expect(second.id).not.toBe(first.id);
    expectProblem(await client.delete(`${customers}/${first.id}`), 404, 'REFERENCE_NOT_FOUND');
  });

  it('is registered to one of 50 who ask at once', async () => {
    const accountNumber = newNumber();
    const answers = await together(50, () => register('USD_ACCOUNT', { accountNumber }));
    expect(countByStatus(answers)).toEqual({ 201: 1, 409: 49 });
    const rows = await allPages(client, customers, { customerId, currency: 'USD', limit: '100' });
    const same = rows.filter(({ accountInfo }) => accountInfo.accountNumber === accountNumber);
    expect(same).toEqual(answers.filter(({ status }) => status === 201).map(({ body }) => body));
  });

  it('is deleted by one of 20 who ask at once', async () => {
    const { id } = expectStatus(await register('USD_ACCOUNT', { accountNumber: newNumber() }), 201);
    const answers = await together(20, () => client.delete(`${customers}/${id}`));
    expect(countByStatus(answers)).toEqual({ 204: 1, 404: 19 });
  });
});

describe('the paths of customers and of the platform', () => {
  it.each([
    [customers, platform, () => ({ customerId })],
    [platform, customers, () => ({})],
  ])('do not mix: an account of %s is not at %s', async (path, other, owner) => {
    const body = bodyOf('USD_ACCOUNT', { accountNumber: newNumber() }, owner());
    const { id } = expectStatus(await client.post(path, body), 201);
    expectProblem(await client.get(`${other}/${id}`), 404, 'REFERENCE_NOT_FOUND');
    expectProblem(await client.delete(`${other}/${id}`), 404, 'REFERENCE_NOT_FOUND');
    expect(await idsIn(client, other)).not.toContain(id);
    expect(await idsIn(client, path)).toContain(id);
  });

  it('leave an account without customerId to the platform', async () => {
    const body = bodyOf('USD_ACCOUNT', { accountNumber: newNumber() });
    const account = expectStatus(await client.post(customers, body), 201);
    expect(account.customerId).toBeNull();
    expect(expectStatus(await client.get(`${platform}/${account.id}`), 200)).toEqual(account);
  });

  it('mind the customer at that of customers alone', async () => {
    const body = bodyOf('EUR_ACCOUNT', {}, { customerId: idOfNobody('Customer') });
    const { id } = expectStatus(await client.post(platform, body), 201);
    expectStatus(await client.delete(`${platform}/${id}`), 204);
  });
});

describe('the list of external accounts', () => {
  let owner: Json;
  let accounts: Json[];
  beforeAll(async () => {
    owner = await createCustomer(client);
    accounts = [];
    for (const type of ['EUR_ACCOUNT', 'USD_ACCOUNT', 'GBP_ACCOUNT', 'SWIFT_ACCOUNT'] as const)
      accounts.push(expectStatus(await register(type, {}, { customerId: owner.id }), 201));
  });

  it('shows the newest first, page by page', async () => {
    const rows = await allPages(client, customers, { customerId: owner.id, limit: '3' });
    expect(rows).toEqual(accounts.toReversed());
  });

  it('filters by currency', async () => {
    const ids = await idsIn(client, customers, { customerId: owner.id, currency: 'USD' });
    expect(ids).toEqual([accounts[3]?.id, accounts[1]?.id]);
  });

  it.each([
    ['customerId', { customerId: 'ada' }],
    ['limit', { limit: '101' }],
    ['cursor', { cursor: 'nonsense' }],
  ])('refuses a bad %s', async (field, query) => {
    expect(namedFields(expectProblem(await client.get(customers, query), 400, 'INVALID_INPUT'))).toEqual([
      field,
    ]);
  });
});

describe('a registered account', () => {
  it('shows its optional fields', async () => {
    const given = { platformAccountId: 'acc-1', ownershipType: 'THIRD_PARTY' };
    const bank = { accountNumber: newNumber(), bankName: 'Example Bank', bankAccountType: 'SAVINGS' };
    const account = expectStatus(await register('USD_ACCOUNT', bank, given), 201);
    expect(account).toMatchObject({ ...given, accountInfo: bank, defaultUmaDepositAccount: false });
  });

  it.each([
    ['follows from the BIC', {}, 'DBSSSGSGXXX', 'DBS Bank'],
    ['is what was given', { bankName: 'Mine' }, 'DBSSSGSG', 'Mine'],
    ['is left out where nothing is known of the BIC', {}, 'ZZZZSGSG', undefined],
  ])('has the name of a bank in Singapore, which %s', async (_how, given, swiftCode, bankName) => {
    const info = { accountType: 'SGD_ACCOUNT', accountNumber: newNumber(), swiftCode, ...given };
    const { beneficiary } = accountInfoInput('SGD_ACCOUNT', {}) as Json;
    const body = { customerId, currency: 'SGD', accountInfo: { ...info, beneficiary } };
    const account = expectStatus(await client.post(customers, body), 201);
    expect(account.accountInfo.bankName).toBe(bankName);
    expect((await client.get(`${customers}/${account.id}`)).body).toEqual(account);
  });

  it('stops being the default once its customer has a newer one', async () => {
    const { id } = await createCustomer(client);
    const byDefault = { customerId: id, defaultUmaDepositAccount: true };
    const first = await registerPayee(client, byDefault);
    const second = expectStatus(
      await register('USD_ACCOUNT', { accountNumber: newNumber() }, byDefault),
      201,
    );
    const rows = await allPages(client, customers, { customerId: id });
    const defaults = rows.filter((row) => row.defaultUmaDepositAccount).map((row) => row.id);
    expect([first.defaultUmaDepositAccount, defaults]).toEqual([true, [second.id]]);
  });

  it.each([customers, platform])('by %s is no default where it is the platform’s own', async (path) => {
    const body = bodyOf('USD_ACCOUNT', { accountNumber: newNumber() }, { defaultUmaDepositAccount: true });
    const own = expectStatus(await client.post(path, body), 201);
    expect(own).toMatchObject({ customerId: null, defaultUmaDepositAccount: false });
    expect((await client.get(`${platform}/${own.id}`)).body).toEqual(own);
  });
});
