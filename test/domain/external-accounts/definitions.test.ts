import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import {
  type AccountType,
  accountInfoResponseSchema,
  accountInfoSchema,
  accountTypeOfCurrency,
  allowsCurrency,
  defaultRailOf,
  definitionOf,
  definitions,
  isPullable,
  primaryIdentifier,
  railOfCurrency,
  railsOf,
} from '../../../src/domain/external-accounts/definitions.ts';
import { paymentRail } from '../../../src/domain/external-accounts/payment-rails.ts';
import { currencies } from '../../../src/domain/money/currencies.ts';
import { accountInfoInput, validAccountInfo } from '../../support/builders/external-accounts.ts';

const accountTypes = definitions.map(({ accountType }) => accountType);

/** The example of a type that is registered with a phone. */
const phoneOf = (accountType: AccountType) => {
  const { phoneNumber } = accountInfoInput(accountType);
  return phoneNumber === undefined ? {} : { phoneNumber };
};

const problems = (input: unknown) =>
  accountInfoSchema.safeParse(input).error?.issues.map(({ path }) => path.join('.')) ?? [];

it('every rail of the interface reaches some type of account', () => {
  const reaching = new Set(accountTypes.flatMap(railsOf));
  expect(paymentRail.options.filter((rail) => !reaching.has(rail))).toEqual([]);
});

describe.each(accountTypes)('%s', (accountType) => {
  it('takes its required fields alone', () => {
    expect(accountInfoSchema.parse(accountInfoInput(accountType))).toEqual(accountInfoInput(accountType));
  });

  const required = Object.keys(accountInfoInput(accountType)).filter((field) => field !== 'accountType');
  it.each(required)('reports %s when it is missing', (field) => {
    expect(problems(accountInfoInput(accountType, { [field]: undefined }))).toEqual([field]);
  });

  it('reports every missing field at once', () => {
    expect(problems({ accountType }).sort()).toEqual(required.sort());
  });

  it('drops unknown fields', () => {
    expect(validAccountInfo(accountType, { colour: 'red' })).toEqual(accountInfoInput(accountType));
  });

  it('is shown with its rails', () => {
    const shown = accountInfoInput(accountType, { paymentRails: railsOf(accountType) });
    expect(accountInfoResponseSchema.parse(shown)).toEqual(shown);
  });

  const { fields } = definitionOf(accountType);
  it.each(Object.entries(fields))('has examples of %s that satisfy it', (_, schema) => {
    const described = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    for (const example of z.array(z.string()).parse(z.globalRegistry.get(described)?.examples ?? [])) {
      expect(schema.safeParse(example).success).toBe(true);
    }
  });
});

describe('a field', () => {
  it.each<[AccountType, string, unknown]>([
    ['USD_ACCOUNT', 'accountNumber', ''],
    ['USD_ACCOUNT', 'accountNumber', '1'.repeat(35)],
    ['USD_ACCOUNT', 'accountNumber', 12345],
    ['USD_ACCOUNT', 'routingNumber', '02100002'],
    ['USD_ACCOUNT', 'bankName', 'x'.repeat(141)],
    ['USD_ACCOUNT', 'bankName', 'a\u0007b'],
    ['USD_ACCOUNT', 'bankAccountType', 'BUSINESS'],
    ['USD_ACCOUNT', 'intermediaryRoutingNumber', '0210000210'],
    ['USD_ACCOUNT', 'fiToFiInformation', 'x'.repeat(211)],
    ['AED_ACCOUNT', 'iban', 'AE07033123456789012378'],
    ['AED_ACCOUNT', 'swiftCode', 'EXAMUS3'],
    ['EUR_ACCOUNT', 'iban', 'DE8937040044'],
    ['EUR_ACCOUNT', 'iban', 'de89370400440532013000'],
    ['EUR_ACCOUNT', 'swiftCode', 'EXAMUS33XX'],
    ['DKK_ACCOUNT', 'iban', 'DE5000400440116243'],
    ['GBP_ACCOUNT', 'sortCode', '20-00-00'],
    ['GBP_ACCOUNT', 'accountNumber', '5577991'],
    ['MXN_ACCOUNT', 'clabeNumber', '03218000011835971'],
    ['BRL_ACCOUNT', 'pixKey', 'x'.repeat(78)],
    ['BRL_ACCOUNT', 'pixKeyType', 'EVP'],
    ['BRL_ACCOUNT', 'taxId', '1234567890'],
    ['COP_ACCOUNT', 'phoneNumber', '573001234567'],
    ['INR_ACCOUNT', 'vpa', 'ada'],
    ['INR_ACCOUNT', 'vpa', `${'a'.repeat(250)}@okbank`],
    ['INR_ACCOUNT', 'accountNumber', '12345678'],
    ['INR_ACCOUNT', 'ifsc', 'HDFC1001234'],
    ['INR_ACCOUNT', 'rail', 'x'.repeat(33)],
    ['NGN_ACCOUNT', 'accountNumber', '012345678'],
    ['CAD_ACCOUNT', 'bankCode', '1'],
    ['CAD_ACCOUNT', 'branchCode', '1234'],
    ['CAD_ACCOUNT', 'accountNumber', '123456'],
    ['PHP_ACCOUNT', 'accountNumber', '1234567'],
    ['SGD_ACCOUNT', 'swiftCode', 'dbsssgsg'],
    ['IDR_ACCOUNT', 'phoneNumber', '+62812345'],
    ['ZAR_ACCOUNT', 'accountNumber', '12345678'],
    ['KES_ACCOUNT', 'phoneNumber', '+255712345678'],
    ['RWF_ACCOUNT', 'phoneNumber', '+25071234567'],
    ['TZS_ACCOUNT', 'phoneNumber', '+2557123456789'],
    ['ZMW_ACCOUNT', 'phoneNumber', '260712345678'],
    ['MWK_ACCOUNT', 'phoneNumber', '+12345'],
    ['UGX_ACCOUNT', 'provider', ''],
    ['XOF_ACCOUNT', 'region', 'CM'],
    ['XAF_ACCOUNT', 'region', 'SN'],
    ['BDT_ACCOUNT', 'branchCode', '123'],
    ['EGP_ACCOUNT', 'iban', 'EG38001900050000000026318000'],
    ['PKR_ACCOUNT', 'iban', 'PK36SCBL000000112345670'],
    ['GTQ_ACCOUNT', 'bankAccountType', 'OTHER'],
    ['JMD_ACCOUNT', 'branchCode', '123456'],
    ['SWIFT_ACCOUNT', 'country', 'NZL'],
    ['SWIFT_ACCOUNT', 'iban', 'DE89'],
    ['BASE_WALLET', 'address', 'two words'],
    ['BASE_WALLET', 'address', 'x'.repeat(129)],
    ['SPARK_WALLET', 'address', ''],
    ['USD_ACCOUNT', 'beneficiary', null],
  ])('is refused by its form: of %s, %s as %j', (accountType, field, value) => {
    expect(problems(accountInfoInput(accountType, { [field]: value }))).toEqual([field]);
  });

  it('has the form of an address on a Lightning account', () => {
    expect(problems({ accountType: 'LIGHTNING', lightningAddress: 'a b@c' })).toEqual(['lightningAddress']);
  });
});

describe('a beneficiary', () => {
  const individual = { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Lovelace' };

  it.each([
    [{ beneficiaryType: 'PERSON' }, ['beneficiary.beneficiaryType']],
    [{ beneficiaryType: 'INDIVIDUAL' }, ['beneficiary.fullName']],
    [{ beneficiaryType: 'BUSINESS' }, ['beneficiary.legalName']],
    [{ ...individual, birthDate: '1990-02-30' }, ['beneficiary.birthDate']],
    [{ ...individual, nationality: 'XX' }, ['beneficiary.nationality']],
    [{ ...individual, email: `${'a'.repeat(251)}@b.co` }, ['beneficiary.email']],
    [{ ...individual, address: { line1: 'x', postalCode: '1' } }, ['beneficiary.address.country']],
    [{ ...individual, documentType: 'DNI' }, ['beneficiary.documentType']],
  ])('is refused as %j at %j', (beneficiary, paths) => {
    expect(problems(accountInfoInput('COP_ACCOUNT', { beneficiary }))).toEqual(paths);
  });

  it('may carry what single types ask for', () => {
    const business = {
      beneficiaryType: 'BUSINESS',
      legalName: 'Ada Ltd',
      documentType: 'NIT',
      documentNumber: '9',
    };
    expect(validAccountInfo('COP_ACCOUNT', { beneficiary: business })).toMatchObject({
      beneficiary: business,
    });
  });
});

describe('alternatives', () => {
  it.each<[AccountType, object, string[]]>([
    ['INR_ACCOUNT', { accountNumber: '123456789' }, ['ifsc']],
    ['INR_ACCOUNT', { ifsc: 'HDFC0001234' }, ['accountNumber']],
    ['INR_ACCOUNT', { accountNumber: '123456789', ifsc: 'HDFC0001234' }, []],
    ['INR_ACCOUNT', {}, ['vpa']],
    ['COP_ACCOUNT', { phoneNumber: '+573001234567' }, []],
    ['PKR_ACCOUNT', { iban: 'PK36SCBL0000001123456702' }, []],
    ['EGP_ACCOUNT', { phoneNumber: '+201001234567' }, []],
    ['SLV_ACCOUNT', { phoneNumber: '+50370001234' }, []],
    ['SWIFT_ACCOUNT', { iban: 'CH9300762011623852957' }, []],
    ['LIGHTNING', { lightningAddress: 'ada@example.com' }, []],
    ['LIGHTNING', { invoice: 'lnbc1', bolt12: 'lno1' }, ['bolt12']],
    ['LIGHTNING', {}, ['invoice']],
  ])('are reported for %s with %j: %j', (accountType, given, paths) => {
    const none = { accountNumber: undefined, iban: undefined, vpa: undefined, invoice: undefined };
    expect(problems(accountInfoInput(accountType, { ...none, ...given }))).toEqual(paths);
  });
});

describe('an account type', () => {
  it.each([{ accountType: 'XYZ_ACCOUNT' }, {}])(
    'is refused when it is not one of those listed: %j',
    (input) => {
      const [issue, ...others] = accountInfoSchema.safeParse(input).error?.issues ?? [];
      expect(issue).toMatchObject({ path: ['accountType'], options: accountTypes });
      expect(others).toEqual([]);
    },
  );

  it.each<[string, boolean, AccountType]>([
    ['EUR', true, 'EUR_ACCOUNT'],
    ['USD', false, 'EUR_ACCOUNT'],
    ['USD', true, 'SLV_ACCOUNT'],
    ['EUR', true, 'SWIFT_ACCOUNT'],
    ['BTC', false, 'SWIFT_ACCOUNT'],
    ['XYZ', false, 'SWIFT_ACCOUNT'],
    ['USDB', true, 'SPARK_WALLET'],
    ['USDC', false, 'SPARK_WALLET'],
    ['BTC', true, 'LIGHTNING'],
    ['USDT', true, 'SOLANA_WALLET'],
    ['USDT', false, 'BASE_WALLET'],
    ['USDT', true, 'TRON_WALLET'],
    ['USDC', false, 'PLASMA_WALLET'],
  ])('holds %s: %s, when it is %s', (currency, allowed, accountType) => {
    expect(allowsCurrency(accountType, currency)).toBe(allowed);
  });

  it.each([
    ['EUR', 'EUR_ACCOUNT'],
    ['COP', 'COP_ACCOUNT'],
    ['ARS', undefined],
    ['BTC', undefined],
    ['SLV', undefined],
    ['SWIFT', undefined],
  ])('is by itself, of %s, %s', (currency, accountType) => {
    expect(accountTypeOfCurrency(currency)).toBe(accountType);
  });

  it.each([
    ['EUR', 'SEPA'],
    ['ARS', 'SWIFT'],
    ['BTC', undefined],
    ['SWIFT', undefined],
  ])('has %s arrive by %s where nothing else is said', (currency, rail) => {
    expect(railOfCurrency(currency)).toBe(rail);
  });

  it('has every fiat currency arrive', () => {
    const fiat = [...currencies.values()].filter(({ kind }) => kind === 'fiat');
    expect(fiat.filter(({ code }) => railOfCurrency(code) === undefined)).toEqual([]);
  });
});

describe('the primary identifier', () => {
  it.each(accountTypes)('of %s ends like an ordinary one', (accountType) => {
    expect(primaryIdentifier(validAccountInfo(accountType))).toMatch(/789(@|$)|678$/);
  });

  const phoneNumber = '+573001234567';
  const iban = 'PK36SCBL0000001123456702';
  it.each<[AccountType, object, string]>([
    ['COP_ACCOUNT', { phoneNumber }, '1000456789'],
    ['COP_ACCOUNT', { accountNumber: undefined, phoneNumber }, phoneNumber],
    ['PKR_ACCOUNT', { accountNumber: undefined, iban, phoneNumber }, iban],
    ['INR_ACCOUNT', { accountNumber: '123456789', ifsc: 'HDFC0001234' }, 'ada.789@okbank'],
    ['IDR_ACCOUNT', {}, '1000456789'],
    ['LIGHTNING', { invoice: undefined, lightningAddress: 'ada@example.com' }, 'ada@example.com'],
  ])('of %s with %j is %s', (accountType, overrides, identifier) => {
    expect(primaryIdentifier(validAccountInfo(accountType, { ...overrides }))).toBe(identifier);
  });
});

describe('the rail of a payment that names none', () => {
  it.each(accountTypes)('reaches %s as it is usually registered', (accountType) => {
    expect(defaultRailOf(validAccountInfo(accountType))).toBe(railsOf(accountType)[0]);
  });

  const onlyPhone = { accountNumber: undefined, iban: undefined, phoneNumber: '+573001234567' };
  const onPhones = definitions.filter(({ identifiers }) => identifiers.includes('phoneNumber'));
  it.each(onPhones.map(({ accountType }) => accountType))('is mobile money to a phone: %s', (accountType) => {
    const info = validAccountInfo(accountType, { ...onlyPhone, ...phoneOf(accountType) });
    expect(defaultRailOf(info)).toBe('MOBILE_MONEY');
  });

  it.each<[AccountType, object, string]>([
    ['COP_ACCOUNT', { phoneNumber: onlyPhone.phoneNumber }, 'BANK_TRANSFER'],
    ['INR_ACCOUNT', { vpa: undefined, accountNumber: '123456789', ifsc: 'HDFC0001234' }, 'NEFT'],
    ['INR_ACCOUNT', { accountNumber: '123456789', ifsc: 'HDFC0001234' }, 'UPI'],
  ])('reaches what decides: of %s with %j it is %s', (accountType, overrides, rail) => {
    expect(defaultRailOf(validAccountInfo(accountType, { ...overrides }))).toBe(rail);
  });

  it('is one of those that the type of the account has', () => {
    const strange = definitions.filter(({ rails, railBy = {} }) =>
      Object.values(railBy).some((rail) => !rails.some((one) => one === rail)),
    );
    expect(strange).toEqual([]);
  });
});

describe('money', () => {
  it.each(accountTypes)('can be drawn from %s only when it has ACH', (accountType) => {
    expect(isPullable(validAccountInfo(accountType))).toBe(accountType === 'USD_ACCOUNT');
  });
});

describe('the interface document', () => {
  const content = { 'application/json': { schema: accountInfoSchema } };
  const shown = { 'application/json': { schema: accountInfoResponseSchema } };
  const { components } = createDocument({
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: {
      '/': {
        post: { requestBody: { content }, responses: { 201: { description: 'Shown', content: shown } } },
      },
    },
  });

  it.each(['UsdAccountInfo', 'LightningInfo', 'UsdAccountInfoWithRails', 'Beneficiary', 'Address'])(
    'has the component %s',
    (name) => expect(components?.schemas).toHaveProperty(name),
  );

  it('states alternatives', () => {
    const anyOf = [{ required: ['vpa'] }, { required: ['accountNumber', 'ifsc'] }];
    expect(components?.schemas?.InrAccountInfo).toMatchObject({ anyOf });
  });
});
