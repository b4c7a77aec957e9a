/**
 * A request for every operation that has a body, as the document shows it: each is sent by a test, with ids of what
 * exists in place of these.
 */
import { idOf } from '../../kernel/ids.ts';

const id = <T extends Parameters<typeof idOf>[0]>(type: T, n: number) =>
  idOf(type, `01a1f84e-cc35-73e8-b3e0-${String(n).padStart(12, '0')}`);

/** What the ids of the examples stand for. */
export const exampleIds = {
  customerId: id('Customer', 1),
  businessId: id('Customer', 2),
  accountId: id('InternalAccount', 1),
  walletId: id('InternalAccount', 2),
  externalAccountId: id('ExternalAccount', 1),
  quoteId: id('Quote', 1),
  umaAddress: '$grace@daybook.test',
} as const;
const own = exampleIds;

const address = { line1: '1 Analytical Row', city: 'London', postalCode: 'NW1 6XE', country: 'GB' };
const person = { fullName: 'Ada Lovelace', birthDate: '1985-12-10', nationality: 'GB', address };
const clientPublicKey =
  '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c2964fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5';

const euroAccount = {
  currency: 'EUR',
  accountInfo: {
    accountType: 'EUR_ACCOUNT',
    iban: 'DE89370400440532013000',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Grace Hopper', countryOfResidence: 'DE' },
  },
};
const quote = {
  source: { accountId: own.accountId },
  destination: { accountId: own.externalAccountId },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 2_500,
  description: 'Invoice 1815',
};
const transferIn = {
  source: { accountId: own.externalAccountId },
  destination: { accountId: own.accountId },
  amount: 2_500,
};
const transferOut = {
  source: { accountId: own.accountId },
  destination: { accountId: own.externalAccountId },
  amount: 2_500,
};
const policy = {
  permissions: ['VIEW_TRANSACTIONS', 'CREATE_TRANSFERS', 'CREATE_QUOTES', 'EXECUTE_QUOTES'],
  defaultExecutionMode: 'APPROVAL_REQUIRED',
  spendingLimits: { currency: 'USD', perTransactionLimit: 100_000, dailyLimit: 500_000 },
};
const document = {
  documentType: 'PASSPORT',
  country: 'GB',
  side: 'FRONT',
  file: 'passport.png',
};

/** By operation. */
export const requestExamples: Readonly<Record<string, object>> = {
  updatePlatformConfig: { strictFields: true },
  createCustomer: { customerType: 'INDIVIDUAL', region: 'GB', currencies: ['GBP', 'USD'], ...person },
  updateCustomer: { address },
  createBeneficialOwner: {
    customerId: own.businessId,
    roles: ['UBO', 'DIRECTOR'],
    ownershipPercentage: 51.5,
    personalInfo: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      birthDate: '1985-12-10',
      nationality: 'GB',
      address,
      idType: 'SSN',
      identifier: '078051120',
      countryOfIssuance: 'US',
    },
  },
  updateBeneficialOwner: { ownershipPercentage: 40 },
  uploadDocument: { documentHolder: own.businessId, ...document },
  replaceDocument: document,
  createVerification: { customerId: own.businessId },
  createCustomerExternalAccount: { customerId: own.customerId, ...euroAccount },
  createPlatformExternalAccount: euroAccount,
  createAgentExternalAccount: euroAccount,
  transferIn,
  transferOut,
  agentTransferIn: transferIn,
  agentTransferOut: transferOut,
  createQuote: quote,
  createAgentQuote: quote,
  approveTransaction: { receiverCustomerInfo: { FULL_NAME: 'Ada Lovelace' } },
  rejectTransaction: { reason: 'The payer is not known.' },
  confirmReceiptDelivery: {},
  createInvitation: { inviterUma: own.umaAddress, firstName: 'Grace', amountToSend: 2_500 },
  claimInvitation: { inviteeUma: own.umaAddress },
  createAuthCredential: { type: 'EMAIL_OTP', accountId: own.walletId },
  challengeAuthCredential: {},
  verifyAuthCredential: { type: 'EMAIL_OTP', otp: '000000', clientPublicKey },
  refreshAuthSession: { clientPublicKey },
  updateInternalAccount: { privateEnabled: true },
  exportInternalAccount: { clientPublicKey },
  createToken: { name: 'Reports', permissions: ['VIEW'] },
  createAgent: { name: 'Bookkeeper', customerId: own.customerId, policy },
  updateAgent: { name: 'Bookkeeper', isPaused: true },
  updateAgentPolicy: { spendingLimits: policy.spendingLimits },
  rejectAgentAction: { reason: 'Not this month.' },
  fundInternalAccount: { amount: 100_000 },
  sandboxSend: { quoteId: own.quoteId, currencyCode: 'USD' },
  sandboxReceive: {
    senderUmaAddress: '$success.usd@sandbox.daybook.test',
    receiverUmaAddress: own.umaAddress,
    receivingCurrencyCode: 'USD',
    receivingCurrencyAmount: 2_500,
  },
  sandboxSetInternalAccountStatus: { status: 'FROZEN' },
  sandboxSetExternalAccountStatus: { status: 'UNDER_REVIEW' },
  sandboxOidcToken: { subject: 'ada', email: 'ada@example.com' },
  redeliverWebhookEvents: { since: '2026-01-31T09:00:00Z' },
};
