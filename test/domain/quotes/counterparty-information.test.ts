import { describe, expect, it } from 'vitest';
import { payerFieldNames } from '../../../src/domain/lookups/payer-fields.ts';
import type { QuoteDestination } from '../../../src/domain/payments/parties/parties.ts';
import { counterpartyInformation } from '../../../src/domain/quotes/counterparty-information.ts';
import {
  activeCustomer,
  activePlatform,
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
const known = (destination: QuoteDestination, platform = everything, currency = 'EUR') =>
  counterpartyInformation(platform, currency, destination);
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

describe('what a platform learns of the other side', () => {
  it('is what is known of the owner of the bank account', () => {
    expect(known(ownedBy(ada))).toEqual({
      FULL_NAME: 'Ada Lovelace',
      BIRTH_DATE: '1815-12-10',
      NATIONALITY: 'GB',
      EMAIL: 'ada@example.com',
      PHONE_NUMBER: '+15550123456',
      COUNTRY_OF_RESIDENCE: 'GB',
    });
  });

  it('is only what it has asked for', () => {
    expect(known(ownedBy(ada), asking('EMAIL', 'TAX_ID'))).toEqual({ EMAIL: 'ada@example.com' });
  });

  it('is the legal name of a business', () => {
    const business = { beneficiaryType: 'BUSINESS', legalName: 'Analytical Engines' };
    expect(known(ownedBy(business))).toEqual({ COMPANY_LEGAL_NAME: 'Analytical Engines' });
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

  it.each([
    ['of an address outside', address()],
    ['of a balance', balance()],
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
