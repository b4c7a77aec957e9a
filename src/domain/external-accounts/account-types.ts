import { bounds } from '../values/bounds.ts';
import * as field from '../values/text.ts';
import { digits, matching } from '../values/text.ts';
import { anonymous, payee } from './account-type.ts';

const bankTransfer = ['BANK_TRANSFER'] as const;
const mobileMoney = ['MOBILE_MONEY'] as const;
const bankOrMobile = ['BANK_TRANSFER', 'MOBILE_MONEY'] as const;
const mobileByPhone = { phoneNumber: 'MOBILE_MONEY' } as const;

const bankAndSwift = {
  bankName: field.bankName,
  accountNumber: field.accountNumber,
  swiftCode: field.bic,
};

/** A bank account found by bank name, number and BIC. */
const swiftBank = {
  fields: bankAndSwift,
  identifiers: ['accountNumber'],
  rails: bankTransfer,
} as const;

/** A mobile money wallet in any country. */
const mobileWallet = {
  fields: { phoneNumber: field.phoneNumber, provider: field.provider },
  identifiers: ['phoneNumber'],
  rails: mobileMoney,
} as const;

/** A mobile money wallet behind one country's calling code. */
const mobileWalletIn = (pattern: RegExp, example: string) => ({
  ...mobileWallet,
  fields: { phoneNumber: matching(pattern, example), provider: field.provider },
});

/** A bank account or a mobile money wallet; the platform gives either number, or both. */
const numberOrPhone = {
  fields: {
    bankName: field.bankName,
    accountNumber: field.accountNumber.optional(),
    phoneNumber: field.phoneNumber.optional(),
  },
  identifiers: ['accountNumber', 'phoneNumber'],
  alternatives: [['accountNumber'], ['phoneNumber']],
  rails: bankOrMobile,
  railBy: mobileByPhone,
} as const;

/** A wallet on a chain, which carries the listed assets. */
const wallet = (...currencies: readonly string[]) => ({
  fields: { address: field.walletAddress, vaspName: field.text(1, bounds.line).optional() },
  identifiers: ['address'] as const,
  rails: [],
  currencies,
});

/** Every account type that a platform may register, in the order in which the interface lists them. */
export const accountTypes = [
  payee('USD_ACCOUNT', {
    fields: {
      accountNumber: field.accountNumber,
      routingNumber: field.routingNumber,
      bankName: field.shortBankName.optional(),
      bankAccountType: field.bankAccountType.optional().meta({ description: 'CHECKING when absent.' }),
      intermediaryBankName: field.shortBankName.optional(),
      intermediaryRoutingNumber: field.routingNumber.optional(),
      fiToFiInformation: field.text(0, 210).optional(),
    },
    identifiers: ['accountNumber'],
    rails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
    payoutOnly: ['bankAccountType', 'intermediaryBankName', 'intermediaryRoutingNumber', 'fiToFiInformation'],
  }),
  anonymous('AED_ACCOUNT', {
    fields: { iban: matching(/^AE[0-9]{21}$/, 'AE070331234567890123456'), swiftCode: field.bic.optional() },
    identifiers: ['iban'],
    rails: bankTransfer,
  }),
  payee('EUR_ACCOUNT', {
    fields: { iban: field.iban, swiftCode: field.bic.optional() },
    identifiers: ['iban'],
    rails: ['SEPA', 'SEPA_INSTANT'],
  }),
  payee('DKK_ACCOUNT', {
    fields: { iban: matching(/^DK[0-9]{16}$/, 'DK5000400440116243'), swiftCode: field.bic.optional() },
    identifiers: ['iban'],
    rails: ['SEPA', 'SEPA_INSTANT'],
  }),
  payee('GBP_ACCOUNT', {
    fields: { sortCode: digits(6), accountNumber: digits(8) },
    identifiers: ['accountNumber'],
    rails: ['FASTER_PAYMENTS'],
  }),
  payee('MXN_ACCOUNT', {
    fields: { clabeNumber: digits(18) },
    identifiers: ['clabeNumber'],
    rails: ['SPEI'],
  }),
  payee('BRL_ACCOUNT', {
    fields: { pixKey: field.text(1, 77), pixKeyType: field.pixKeyType, taxId: digits(11, 14) },
    identifiers: ['pixKey'],
    rails: ['PIX'],
  }),
  payee('COP_ACCOUNT', {
    ...numberOrPhone,
    fields: { ...numberOrPhone.fields, bankAccountType: field.bankAccountType.optional() },
    rails: [...bankOrMobile, 'ACH_COLOMBIA', 'BRE_B'],
  }),
  payee('INR_ACCOUNT', {
    fields: {
      vpa: field.virtualPaymentAddress.optional(),
      accountNumber: digits(9, 18).optional(),
      ifsc: matching(/^[A-Z]{4}0[A-Z0-9]{6}$/, 'DAYB0000033').optional(),
      rail: field.text(1, 32).optional(),
      bankName: field.bankName.optional(),
    },
    identifiers: ['vpa', 'accountNumber'],
    alternatives: [['vpa'], ['accountNumber', 'ifsc']],
    rails: ['UPI', 'NEFT', 'RTGS'],
    railBy: { accountNumber: 'NEFT' },
    payoutOnly: ['rail'],
  }),
  payee('NGN_ACCOUNT', {
    fields: { accountNumber: digits(10), bankName: field.bankName },
    identifiers: ['accountNumber'],
    rails: bankTransfer,
  }),
  payee('CAD_ACCOUNT', {
    fields: { bankCode: digits(3), branchCode: digits(5), accountNumber: digits(7, 12) },
    identifiers: ['accountNumber'],
    rails: bankTransfer,
  }),
  payee('PHP_ACCOUNT', {
    fields: { bankName: field.bankName, accountNumber: digits(8, 16) },
    identifiers: ['accountNumber'],
    rails: [...bankTransfer, 'INSTAPAY', 'PESONET'],
  }),
  payee('SGD_ACCOUNT', {
    fields: { ...bankAndSwift, bankName: field.bankName.optional() },
    identifiers: ['accountNumber'],
    rails: ['PAYNOW', 'FAST', 'BANK_TRANSFER'],
  }),
  payee('HKD_ACCOUNT', swiftBank),
  payee('MYR_ACCOUNT', swiftBank),
  payee('THB_ACCOUNT', swiftBank),
  payee('VND_ACCOUNT', swiftBank),
  payee('IDR_ACCOUNT', {
    ...swiftBank,
    fields: { ...bankAndSwift, phoneNumber: matching(/^\+62[0-9]{9,12}$/, '+6281234567890') },
  }),
  payee('ZAR_ACCOUNT', {
    fields: { accountNumber: digits(9, 13), bankName: field.bankName },
    identifiers: ['accountNumber'],
    rails: bankTransfer,
  }),
  payee('KES_ACCOUNT', mobileWalletIn(/^\+254[0-9]{9}$/, '+254712345678')),
  payee('RWF_ACCOUNT', mobileWalletIn(/^\+250[0-9]{9}$/, '+250788123456')),
  payee('TZS_ACCOUNT', mobileWalletIn(/^\+255[0-9]{9}$/, '+255712345678')),
  payee('ZMW_ACCOUNT', mobileWalletIn(/^\+260[0-9]{9}$/, '+260971234567')),
  payee('MWK_ACCOUNT', mobileWallet),
  payee('UGX_ACCOUNT', mobileWallet),
  payee('BWP_ACCOUNT', mobileWallet),
  payee('XOF_ACCOUNT', {
    ...mobileWallet,
    fields: { ...mobileWallet.fields, region: field.oneOf('BJ', 'CI', 'SN', 'TG') },
  }),
  payee('XAF_ACCOUNT', {
    ...mobileWallet,
    fields: { ...mobileWallet.fields, region: field.oneOf('CM', 'CG') },
  }),
  payee('BDT_ACCOUNT', {
    ...numberOrPhone,
    fields: { ...numberOrPhone.fields, branchCode: digits(5).optional(), swiftCode: field.bic.optional() },
  }),
  payee('EGP_ACCOUNT', {
    fields: {
      bankName: field.bankName,
      iban: matching(/^EG[0-9]{27}$/, 'EG380019000500000000263180002').optional(),
      phoneNumber: field.phoneNumber.optional(),
    },
    identifiers: ['iban', 'phoneNumber'],
    alternatives: [['iban'], ['phoneNumber']],
    rails: bankOrMobile,
    railBy: mobileByPhone,
  }),
  payee('GHS_ACCOUNT', numberOrPhone),
  payee('CNY_ACCOUNT', { ...numberOrPhone, rails: [...bankOrMobile, 'CIPS', 'UNIONPAY'] }),
  payee('PKR_ACCOUNT', {
    fields: {
      ...numberOrPhone.fields,
      iban: matching(/^PK[0-9]{2}[A-Z]{4}[0-9]{16}$/, 'PK18DAYB0000001123456702').optional(),
    },
    identifiers: ['accountNumber', 'iban', 'phoneNumber'],
    alternatives: [['accountNumber'], ['iban'], ['phoneNumber']],
    rails: bankOrMobile,
    railBy: mobileByPhone,
  }),
  payee('GTQ_ACCOUNT', {
    fields: {
      accountNumber: field.accountNumber,
      bankAccountType: field.bankAccountType,
      bankName: field.bankName,
    },
    identifiers: ['accountNumber'],
    rails: bankTransfer,
  }),
  payee('JMD_ACCOUNT', {
    fields: {
      accountNumber: field.accountNumber,
      branchCode: digits(5),
      bankAccountType: field.bankAccountType,
      bankName: field.bankName,
    },
    identifiers: ['accountNumber'],
    rails: bankTransfer,
  }),
  payee('HTG_ACCOUNT', {
    fields: { phoneNumber: field.phoneNumber },
    identifiers: ['phoneNumber'],
    rails: mobileMoney,
  }),
  payee('SLV_ACCOUNT', {
    ...numberOrPhone,
    fields: {
      ...numberOrPhone.fields,
      bankName: field.bankName.optional(),
      bankAccountType: field.bankAccountType.optional(),
    },
    currencies: 'any fiat',
  }),
  payee('SWIFT_ACCOUNT', {
    fields: {
      country: matching(/^[A-Z]{2}$/, 'US'),
      swiftCode: field.bic,
      bankName: field.bankName,
      accountNumber: field.accountNumber.optional(),
      iban: field.iban.optional(),
    },
    identifiers: ['accountNumber', 'iban'],
    alternatives: [['accountNumber'], ['iban']],
    rails: ['SWIFT'],
    currencies: 'any fiat',
  }),
  anonymous('SPARK_WALLET', wallet('BTC', 'USDB')),
  anonymous('SOLANA_WALLET', wallet('USDC', 'USDT')),
  anonymous('ETHEREUM_WALLET', wallet('USDC', 'USDT')),
  anonymous('BASE_WALLET', wallet('USDC')),
  anonymous('POLYGON_WALLET', wallet('USDC')),
  anonymous('TRON_WALLET', wallet('USDT')),
  anonymous('PLASMA_WALLET', wallet('USDT')),
  anonymous('LIGHTNING', {
    fields: {
      invoice: field.lightningText.optional(),
      bolt12: field.lightningText.optional(),
      lightningAddress: field.lightningAddress.optional(),
    },
    identifiers: ['invoice', 'bolt12', 'lightningAddress'],
    alternatives: [['invoice'], ['bolt12'], ['lightningAddress']],
    exclusive: true,
    rails: [],
    currencies: ['BTC'],
  }),
];
