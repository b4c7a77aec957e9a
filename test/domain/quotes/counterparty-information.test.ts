import { describe, expect, it } from 'vitest';
import type { KnownCustomer } from '../../../src/domain/customers/customer.ts';
import { payerFieldNames } from '../../../src/domain/lookups/payer-fields.ts';
import type { QuoteDestination } from '../../../src/domain/payments/parties/parties.ts';
import { counterpartyInformation } from '../../../src/domain/quotes/counterparty-information.ts';
import {
  activeCustomer,
  activePlatform,
  businessDetails,
  businessInfo,
  supported,
  supportedCurrency,
} from '../../support/builders/customers.ts';
import { validAccountInfo } from '../../support/builders/external-accounts.ts';
import { address, addressHere, balance, bank } from '../../support/builders/parties.ts';

const asking = (...names: readonly string[]) =>
  activePlatform({
    supportedCurrencies: [
      ...supported('USD'),
      supportedCurrency('EUR', {
        requiredCounterpartyFields: names.map((name) => ({ name, mandatory: false })),
      }),
    ],
  });
const everything = asking(...payerFieldNames);
const known = (
  destination: QuoteDestination,
  platform = everything,
  currency = 'EUR',
  recipient?: KnownCustomer,
) => counterpartyInformation(platform, currency, destination, recipient);
const ownedBy = (beneficiary: object) =>
  bank({ accountInfo: validAccountInfo('EUR_ACCOUNT', { beneficiary }) });

const ada = {
  beneficiaryType: 'INDIVIDUAL',
  fullName: 'Ada Lovelace',
  birthDate: '1815-12-10',
  nationality: 'GB',
  email: 'ada@example.com',
  phoneNumber: '+15550123456',
  countryOfResidence: 'GB',
};

/** What either kind of beneficiary may say besides. */
const extras = {
  email: 'pay@engines.example',
  phoneNumber: '+33123456789',
  registrationNumber: 'RCS 552',
  address: { line1: '1 Rue Babbage', city: 'Paris', postalCode: '75001', country: 'FR' },
};

describe('what a platform learns of the other side', () => {
  it('is what is known of the owner of the bank account', () => {
    expect(known(ownedBy(ada))).toEqual({
      FULL_NAME: 'Ada Lovelace',
      BIRTH_DATE: '1815-12-10',
      NATIONALITY: 'GB',
      EMAIL: 'ada@example.com',
      PHONE_NUMBER: '+15550123456',
      USER_TYPE: 'INDIVIDUAL',
      COUNTRY_OF_RESIDENCE: 'GB',
    });
  });

  it('is where that owner lives, and by what document it is known, but not its number', () => {
    const document = { documentType: 'CC', documentNumber: 'X1' };
    const told = known(
      ownedBy({ beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Lovelace', ...extras, ...document }),
    );
    expect(told).toEqual({
      FULL_NAME: 'Ada Lovelace',
      EMAIL: 'pay@engines.example',
      PHONE_NUMBER: '+33123456789',
      POSTAL_ADDRESS: '1 Rue Babbage, Paris, 75001, FR',
      REGISTRATION_NUMBER: 'RCS 552',
      USER_TYPE: 'INDIVIDUAL',
      COUNTRY_OF_RESIDENCE: 'FR',
      ID_TYPE: 'CC',
    });
  });

  it('is only what it has asked for', () => {
    expect(known(ownedBy(ada), asking('EMAIL', 'TAX_ID'))).toEqual({ EMAIL: 'ada@example.com' });
  });

  it('is the legal name of a business, and all else that it says', () => {
    const business = { beneficiaryType: 'BUSINESS', legalName: 'Analytical Engines' };
    const named = { FULL_NAME: business.legalName, COMPANY_LEGAL_NAME: business.legalName };
    expect(known(ownedBy(business))).toEqual({ ...named, USER_TYPE: 'BUSINESS' });
    const whole = { ...business, ...extras, taxId: 'FR123', countryOfResidence: 'DE' };
    expect(known(ownedBy(whole))).toEqual({
      ...named,
      EMAIL: 'pay@engines.example',
      PHONE_NUMBER: '+33123456789',
      POSTAL_ADDRESS: '1 Rue Babbage, Paris, 75001, FR',
      REGISTRATION_NUMBER: 'RCS 552',
      TAX_ID: 'FR123',
      USER_TYPE: 'BUSINESS',
      COUNTRY_OF_RESIDENCE: 'DE',
    });
  });

  it('is nothing of the customer of another platform, who has not been asked', () => {
    expect(known(addressHere())).toBeUndefined();
  });

  it('is never the number of an identity document', () => {
    const customer = activeCustomer({ identifier: 'X1', idType: 'PASSPORT' });
    expect(Object.values(known(address({ customer })) ?? {})).not.toContain('X1');
  });

  it('is what a counterparty outside says of itself, as far as it was asked', () => {
    const information = { FULL_NAME: 'Grace Hopper', TAX_ID: '7' };
    expect(known(address({ information }), asking('FULL_NAME', 'EMAIL'))).toEqual({
      FULL_NAME: 'Grace Hopper',
    });
  });

  it('is what is known of a customer of its own', () => {
    const customer = activeCustomer({ fullName: 'Grace Hopper', region: 'US' });
    expect(known(address({ customer }), asking('FULL_NAME', 'EMAIL', 'COUNTRY_OF_RESIDENCE'))).toEqual({
      FULL_NAME: 'Grace Hopper',
      COUNTRY_OF_RESIDENCE: 'US',
    });
  });

  it('is the same whether an account of that customer is paid or the address', () => {
    const customer = activeCustomer(businessDetails());
    const told = known(address({ customer }));
    expect(told).toMatchObject({ COMPANY_LEGAL_NAME: businessInfo.legalName });
    expect(known(balance(), everything, 'EUR', customer)).toEqual(told);
  });

  it('is what the beneficiary says, whoever of its customers has registered the bank account', () => {
    const recipient = activeCustomer({ fullName: 'Grace Hopper' });
    expect(known(ownedBy(ada), asking('FULL_NAME'), 'EUR', recipient)).toEqual({ FULL_NAME: 'Ada Lovelace' });
  });

  it.each([
    ['of an address outside', address()],
    ["of the platform's own balance", balance()],
    ['of a wallet without an owner', bank({ accountInfo: validAccountInfo('ETHEREUM_WALLET') })],
  ])('is nothing %s', (_whom, destination) => expect(known(destination)).toBeUndefined());

  it.each([
    ['asks nothing', asking(), 'EUR'],
    ['asks for what nobody here knows', asking('SHOE_SIZE'), 'EUR'],
    ['asks in another currency', everything, 'USD'],
    ['does not have the currency', everything, 'GBP'],
  ] as const)('is nothing where it %s', (_what, platform, currency) => {
    expect(known(ownedBy(ada), platform, currency)).toBeUndefined();
  });
});
