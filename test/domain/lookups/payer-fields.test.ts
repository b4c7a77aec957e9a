import { describe, expect, it } from 'vitest';
import {
  isPayerFieldName,
  knownField,
  knownOf,
  missingOf,
  type PayerFieldName,
  payerFieldNames,
} from '../../../src/domain/lookups/payer-fields.ts';
import { activeCustomer, businessDetails, businessInfo } from '../../support/builders/customers.ts';

const ada = activeCustomer({
  fullName: 'Ada Lovelace',
  birthDate: '1815-12-10',
  nationality: 'GB',
  email: 'ada@example.com',
  phoneNumber: '+15550123456',
  idType: 'PASSPORT',
  identifier: 'X1',
  region: 'GB',
  address: { line1: '1 Main Street', postalCode: '12345', country: 'FR' },
});

const known: Partial<Record<PayerFieldName, string>> = {
  FULL_NAME: 'Ada Lovelace',
  BIRTH_DATE: '1815-12-10',
  NATIONALITY: 'GB',
  PHONE_NUMBER: '+15550123456',
  EMAIL: 'ada@example.com',
  POSTAL_ADDRESS: '1 Main Street, 12345, FR',
  USER_TYPE: 'INDIVIDUAL',
  COUNTRY_OF_RESIDENCE: 'FR',
  ACCOUNT_IDENTIFIER: '$ada@pay.example',
  ID_TYPE: 'PASSPORT',
};

describe('what is known of a payer', () => {
  it.each(payerFieldNames)('is for %s what the customer says', (name) => {
    expect(knownField(ada, name)).toBe(known[name]);
  });

  it('is little where the customer says nothing', () => {
    const names = payerFieldNames.filter((name) => knownField(activeCustomer(), name) !== undefined);
    expect(names).toEqual(['USER_TYPE', 'COUNTRY_OF_RESIDENCE', 'ACCOUNT_IDENTIFIER']);
  });

  it('is what a business says of itself', () => {
    const info = { ...businessInfo, taxId: '98-7654321', businessType: 'INFORMATION' } as const;
    const engines = activeCustomer(businessDetails({ businessInfo: info }));
    const names = [
      'FULL_NAME',
      'COMPANY_LEGAL_NAME',
      'REGISTRATION_NUMBER',
      'TAX_ID',
      'BUSINESS_TYPE',
    ] as const;
    expect(names.map((name) => knownField(engines, name))).toEqual([
      info.legalName,
      info.legalName,
      info.registrationNumber,
      info.taxId,
      info.businessType,
    ]);
  });

  it.each([
    [
      { line2: 'Floor 21', city: 'New York', state: 'NY' },
      '350 Fifth Ave, Floor 21, New York, NY, 10118, US',
    ],
    [{ line2: '', city: 'New York', state: '' }, '350 Fifth Ave, New York, 10118, US'],
    [{}, '350 Fifth Ave, 10118, US'],
  ])('is the whole of a postal address, as far as it is said: %j', (more, told) => {
    const address = { line1: '350 Fifth Ave', postalCode: '10118', country: 'US', ...more };
    expect(knownField(activeCustomer({ address }), 'POSTAL_ADDRESS')).toBe(told);
  });

  it('is the region where there is no address', () => {
    expect(knownField(activeCustomer({ region: 'MX' }), 'COUNTRY_OF_RESIDENCE')).toBe('MX');
  });
});

const required = (...names: readonly string[]) => names.map((name) => ({ name, mandatory: true }));

describe('what is told of a customer', () => {
  it('is what is asked for and known', () => {
    expect(knownOf(ada, required('FULL_NAME', 'TAX_ID'))).toEqual({ FULL_NAME: 'Ada Lovelace' });
  });

  it('is never the number of an identity document', () => {
    const told = knownOf(ada, required(...payerFieldNames));
    expect(Object.values(told)).not.toContain('X1');
  });

  it.each([[[]], [required('SHOE_SIZE', 'constructor')]])('is nothing for %j', (asked) => {
    expect(knownOf(ada, asked)).toEqual({});
  });

  it('is nothing of nobody', () => expect(knownOf(undefined, required('FULL_NAME'))).toEqual({}));
});

describe('the fields that are missing', () => {
  it('are those that are not told, in the order of the question', () => {
    const asked = required('TAX_ID', 'FULL_NAME', 'FI_ADDRESS');
    expect(missingOf(asked, { FI_ADDRESS: 'Main Street' })).toEqual(['TAX_ID', 'FULL_NAME']);
  });

  it('are none that are not mandatory', () => {
    expect(missingOf([{ name: 'TAX_ID', mandatory: false }], {})).toEqual([]);
  });

  it('count as missing when they are told empty', () => {
    expect(missingOf(required('TAX_ID'), { TAX_ID: '' })).toEqual(['TAX_ID']);
  });
});

describe('the name of a payer field', () => {
  it.each(payerFieldNames)('may be %s', (name) => expect(isPayerFieldName(name)).toBe(true));
  it.each(['', 'full_name', 'SHOE_SIZE', 'constructor'])('is not %j', (name) => {
    expect(isPayerFieldName(name)).toBe(false);
  });
});
