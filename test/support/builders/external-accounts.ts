import {
  type AccountInfo,
  type AccountType,
  accountInfoSchema,
  definitionOf,
} from '../../../src/domain/external-accounts/definitions.ts';
import { withCheckDigits } from '../values/iban.ts';

type Input = Readonly<Record<string, unknown>>;

const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Lovelace' };
const bankName = 'Example Bank';
const accountNumber = '1000456789';
const swiftCode = 'EXAMUS33';
const phoneNumber = '+26755555789';

const swiftBank = { bankName, accountNumber, swiftCode, beneficiary };
const mobileWallet = { phoneNumber, provider: 'Example Mobile', beneficiary };
const numberOrPhone = { bankName, accountNumber, beneficiary };
const evmWallet = { address: '0x52908400098527886E0F7030069857D2E4169789' };

/** The required fields of every account type, with an identifier that the sandbox treats as an ordinary one. */
const inputs: Readonly<Record<AccountType, Input>> = {
  USD_ACCOUNT: { accountNumber: '1234567789', routingNumber: '021000021', beneficiary },
  AED_ACCOUNT: { iban: withCheckDigits('AE000331234567890123789') },
  EUR_ACCOUNT: { iban: withCheckDigits('DE00370400440532013789'), beneficiary },
  DKK_ACCOUNT: { iban: withCheckDigits('DK0000400440116789'), beneficiary },
  GBP_ACCOUNT: { sortCode: '200000', accountNumber: '55779789', beneficiary },
  MXN_ACCOUNT: { clabeNumber: '032180000118359789', beneficiary },
  BRL_ACCOUNT: { pixKey: '12345678789', pixKeyType: 'CPF', taxId: '12345678789', beneficiary },
  COP_ACCOUNT: numberOrPhone,
  INR_ACCOUNT: { vpa: 'ada.789@okbank', beneficiary },
  NGN_ACCOUNT: { accountNumber: '0123456789', bankName, beneficiary },
  CAD_ACCOUNT: { bankCode: '001', branchCode: '00012', accountNumber: '1234789', beneficiary },
  PHP_ACCOUNT: { bankName, accountNumber: '0012345789', beneficiary },
  SGD_ACCOUNT: { accountNumber, swiftCode, beneficiary },
  HKD_ACCOUNT: swiftBank,
  MYR_ACCOUNT: swiftBank,
  THB_ACCOUNT: swiftBank,
  VND_ACCOUNT: swiftBank,
  IDR_ACCOUNT: { ...swiftBank, phoneNumber: '+62812345789' },
  ZAR_ACCOUNT: { accountNumber: '1234567789', bankName, beneficiary },
  KES_ACCOUNT: { ...mobileWallet, phoneNumber: '+254712345789' },
  RWF_ACCOUNT: { ...mobileWallet, phoneNumber: '+250712345789' },
  TZS_ACCOUNT: { ...mobileWallet, phoneNumber: '+255712345789' },
  ZMW_ACCOUNT: { ...mobileWallet, phoneNumber: '+260712345789' },
  MWK_ACCOUNT: mobileWallet,
  UGX_ACCOUNT: mobileWallet,
  BWP_ACCOUNT: mobileWallet,
  XOF_ACCOUNT: { ...mobileWallet, region: 'SN' },
  XAF_ACCOUNT: { ...mobileWallet, region: 'CM' },
  BDT_ACCOUNT: numberOrPhone,
  EGP_ACCOUNT: { bankName, iban: withCheckDigits('EG000019000500000000263180789'), beneficiary },
  GHS_ACCOUNT: numberOrPhone,
  CNY_ACCOUNT: numberOrPhone,
  PKR_ACCOUNT: numberOrPhone,
  GTQ_ACCOUNT: { accountNumber, bankAccountType: 'SAVINGS', bankName, beneficiary },
  JMD_ACCOUNT: { accountNumber, branchCode: '00012', bankAccountType: 'CHECKING', bankName, beneficiary },
  HTG_ACCOUNT: { phoneNumber, beneficiary },
  SLV_ACCOUNT: { accountNumber, beneficiary },
  SWIFT_ACCOUNT: { country: 'NZ', swiftCode, bankName, accountNumber, beneficiary },
  SPARK_WALLET: { address: 'spark1pgss8ydknsx2nqpzy3yqcv6hcvzsfa4vj789' },
  SOLANA_WALLET: { address: '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gD789' },
  ETHEREUM_WALLET: evmWallet,
  BASE_WALLET: evmWallet,
  POLYGON_WALLET: evmWallet,
  TRON_WALLET: { address: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NY789' },
  PLASMA_WALLET: evmWallet,
  LIGHTNING: { invoice: 'lnbc15u1p3xnhl2pp5jptserfk3zk4qy42tlucycrfwxhydvlemu9pqr789' },
};

/** What a platform would send: no more than the required fields, and `overrides`, which may break the rules. */
export const accountInfoInput = (accountType: AccountType, overrides: Input = {}): Input => ({
  accountType,
  ...inputs[accountType],
  ...overrides,
});

/** The same, checked. */
export const validAccountInfo = (accountType: AccountType, overrides: Input = {}): AccountInfo =>
  accountInfoSchema.parse(accountInfoInput(accountType, overrides));

/** The first currency that an account of this type holds. */
export function currencyOf(accountType: AccountType): string {
  const { currencies } = definitionOf(accountType);
  if (currencies === undefined) return accountType.slice(0, 3);
  return currencies === 'any fiat' ? 'USD' : (currencies[0] ?? '');
}
