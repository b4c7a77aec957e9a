import { describe, expect, it } from 'vitest';
import type { Json } from '../support/http/client.ts';
import { idsIn } from '../support/http/lists.ts';
import { expectProblem, namedFields } from '../support/http/problems.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { accountOf, business, createBusiness, expectStatus, fund } from '../support/resources/flows.ts';
import { registerUsd, transferOut } from '../support/resources/payments.ts';

const service = serviceOfTests();
const { client } = service;

const everything = {
  legalName: 'Analytical Engines Ltd',
  doingBusinessAs: 'Engines',
  registrationNumber: 'GB-5523041',
  taxId: '98-7654321',
  country: 'GB',
  incorporatedOn: '1990-12-10',
  entityType: 'LLC',
  countriesOfOperation: ['GB', 'US'],
  expectedRecipientJurisdictions: ['MX'],
  expectedCounterpartyCountries: ['DE'],
  businessType: 'INFORMATION',
  purposeOfAccount: 'OTHER',
  purposeOfAccountOtherDescription: 'Computing',
  sourceOfFunds: 'Sales',
  sourceOfFundsCategories: ['OPERATING_REVENUE', 'OTHER'],
  sourceOfFundsOtherDescription: 'Prizes',
  expectedMonthlyTransactionCount: 'COUNT_10_TO_100',
  expectedMonthlyTransactionVolume: 'VOLUME_OVER_10M',
  naicsCode: '541511',
  primaryContactFirstName: 'Ada',
  primaryContactLastName: 'Lovelace',
};

describe('creating a business', () => {
  it('needs customerType and legalName', async () => {
    const customer = await createBusiness(client);
    expect(customer).toMatchObject({ customerType: 'BUSINESS', kybStatus: 'UNVERIFIED', isDeleted: false });
    expect(customer).not.toHaveProperty('kycStatus');
  });

  it('echoes what it was given, as it then reads', async () => {
    const address = { line1: '1 Main St', postalCode: 'EC1', country: 'GB' };
    const given = {
      businessInfo: everything,
      address,
      email: 'office@example.com',
      phoneNumber: '+442071234567',
    };
    const customer = await createBusiness(client, { ...given, fullName: 'Ada Lovelace' });
    expect(customer).toMatchObject(given);
    expect(customer).not.toHaveProperty('fullName');
    expect(expectStatus(await client.get(`/customers/${customer.id}`), 200)).toEqual(customer);
    expect(await idsIn(client, '/customers', { customerType: 'BUSINESS' })).toContain(customer.id);
    expect(await idsIn(client, '/customers', { customerType: 'INDIVIDUAL' })).not.toContain(customer.id);
  });

  it.each<[string, object, string[]]>([
    ['no businessInfo', { businessInfo: undefined }, ['businessInfo']],
    ['no legalName', { businessInfo: {} }, ['businessInfo.legalName']],
    [
      'values that are not on the lists',
      {
        businessInfo: {
          ...everything,
          country: 'XX',
          incorporatedOn: 'yesterday',
          entityType: 'GMBH',
          naicsCode: '1',
          businessType: 'MAGIC',
          purposeOfAccount: 'FUN',
          sourceOfFundsCategories: ['LUCK'],
        },
      },
      [
        'businessInfo.businessType',
        'businessInfo.country',
        'businessInfo.entityType',
        'businessInfo.incorporatedOn',
        'businessInfo.naicsCode',
        'businessInfo.purposeOfAccount',
        'businessInfo.sourceOfFundsCategories.0',
      ],
    ],
    [
      'an incorporation to come',
      { businessInfo: { legalName: 'Later Ltd', incorporatedOn: '2999-01-01' } },
      ['businessInfo.incorporatedOn'],
    ],
    ['an unknown kybStatus', { kybStatus: 'MAYBE' }, ['kybStatus']],
  ])('refuses %s', async (_what, overrides, fields) => {
    const problem = expectProblem(await client.post('/customers', business(overrides)), 400, 'INVALID_INPUT');
    expect(namedFields(problem)).toEqual(fields);
  });
});

describe('the accounts of a business', () => {
  it.each([
    ['UNVERIFIED', 'PENDING'],
    ['PENDING', 'PENDING'],
    ['REJECTED', 'PENDING'],
    ['APPROVED', 'ACTIVE'],
  ])('that is %s are %s', async (kybStatus, status) => {
    const customer = await createBusiness(client, { kybStatus });
    expect(customer.kybStatus).toBe(kybStatus);
    expect((await accountOf(client, customer.id)).status).toBe(status);
  });

  it('move no money before the business is approved', async () => {
    const { id } = await createBusiness(client, { kybStatus: 'PENDING' });
    const account = await accountOf(client, id);
    const external = await registerUsd(client, id);
    const refused = await transferOut(client, account.id, external.id, 100);
    expect(expectProblem(refused, 403, 'USER_NOT_READY').details).toEqual({ kybStatus: 'PENDING' });
    const funding = await client.post(`/sandbox/internal-accounts/${account.id}/fund`, { amount: 1 });
    expectProblem(funding, 403, 'USER_NOT_READY');
  });

  it('move money once the business is approved', async () => {
    const { id } = await createBusiness(client, { kybStatus: 'APPROVED' });
    const account: Json = await accountOf(client, id);
    await fund(client, account.id, 1_000);
    const external = await registerUsd(client, id);
    expectStatus(await transferOut(client, account.id, external.id, 100), 201);
  });
});
