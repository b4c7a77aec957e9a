import { describe, expect, it } from 'vitest';
import {
  isPayerFieldName,
  knownField,
  missingFields,
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
  IDENTIFIER: 'X1',
  ID_TYPE: 'PASSPORT',
  ID_NUMBER: 'X1',
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

  it('is the region where there is no address', () => {
    expect(knownField(activeCustomer({ region: 'MX' }), 'COUNTRY_OF_RESIDENCE')).toBe('MX');
  });
});

describe('the fields that are missing', () => {
  const required = (...names: readonly PayerFieldName[]) => names.map((name) => ({ name, mandatory: true }));

  it('are those that nobody sent and nobody knows, in the order of the question', () => {
    const asked = required('TAX_ID', 'FULL_NAME', 'BIRTH_DATE', 'FI_ADDRESS');
    expect(missingFields(asked, ada, { FI_ADDRESS: 'Main Street' })).toEqual(['TAX_ID']);
    expect(missingFields(asked, undefined, {})).toEqual(['TAX_ID', 'FULL_NAME', 'BIRTH_DATE', 'FI_ADDRESS']);
  });

  it('are none that are not mandatory', () => {
    expect(missingFields([{ name: 'TAX_ID', mandatory: false }], ada, {})).toEqual([]);
  });

  it('count as missing when they were sent empty', () => {
    expect(missingFields(required('TAX_ID'), ada, { TAX_ID: '' })).toEqual(['TAX_ID']);
  });
});

describe('the name of a payer field', () => {
  it.each(payerFieldNames)('may be %s', (name) => expect(isPayerFieldName(name)).toBe(true));
  it.each(['', 'full_name', 'SHOE_SIZE', 'constructor'])('is not %j', (name) => {
    expect(isPayerFieldName(name)).toBe(false);
  });
});
