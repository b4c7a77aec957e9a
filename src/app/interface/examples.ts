/**
 * The requests that the document shows: bodies by operation, and what parameters get. Each is sent by a test as the page
 * sends it, which puts ids of what exists in the places of these.
 */
import { exampleIds as own } from './example-ids.ts';

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
/** With a number of its own: an owner registers each account once. */
const dollarAccount = {
  currency: 'USD',
  accountInfo: {
    accountType: 'USD_ACCOUNT',
    accountNumber: own.newAccountNumber,
    routingNumber: '021000021',
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Grace Hopper', countryOfResidence: 'US' },
  },
};
const quoteFrom = (accountId: string, payeeId: string) => ({
  source: { accountId },
  destination: { accountId: payeeId },
  lockedCurrencySide: 'SENDING',
  lockedCurrencyAmount: 2_500,
  description: 'Invoice 1815',
});
const transfer = (from: string, to: string) => ({
  source: { accountId: from },
  destination: { accountId: to },
  amount: 2_500,
});
const policy = {
  permissions: [
    'VIEW_TRANSACTIONS',
    'CREATE_TRANSFERS',
    'CREATE_QUOTES',
    'EXECUTE_QUOTES',
    'MANAGE_EXTERNAL_ACCOUNTS',
  ],
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
  createCustomer: {
    customerType: 'INDIVIDUAL',
    region: 'GB',
    currencies: ['USD', 'EUR'],
    email: 'ada@example.com',
    ...person,
  },
  updateCustomer: { address },
  createBeneficialOwner: {
    customerId: own.newBusinessId,
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
  createVerification: { customerId: own.newOwnedBusinessId },
  createCustomerExternalAccount: { customerId: own.newCustomerId, ...euroAccount },
  createPlatformExternalAccount: dollarAccount,
  createAgentExternalAccount: dollarAccount,
  transferIn: transfer(own.bankId, own.accountId),
  transferOut: transfer(own.accountId, own.bankId),
  agentTransferIn: transfer(own.agentBankId, own.agentAccountId),
  agentTransferOut: transfer(own.agentAccountId, own.agentBankId),
  createQuote: quoteFrom(own.accountId, own.externalAccountId),
  createAgentQuote: quoteFrom(own.agentAccountId, own.agentExternalAccountId),
  approveTransaction: { receiverCustomerInfo: { FULL_NAME: 'Ada Lovelace' } },
  rejectTransaction: { reason: 'The payer is not known.' },
  confirmReceiptDelivery: {},
  createInvitation: { inviterUma: own.customerAddress, firstName: 'Grace', amountToSend: 2_500 },
  claimInvitation: { inviteeUma: own.otherAddress },
  createAuthCredential: { type: 'EMAIL_OTP', accountId: own.newWalletId },
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
  sandboxSend: { quoteId: own.newFundingQuoteId, currencyCode: 'USD' },
  sandboxReceive: {
    senderUmaAddress: '$success.usd@sandbox.daybook.test',
    receiverUmaAddress: own.customerAddress,
    receivingCurrencyCode: 'USD',
    receivingCurrencyAmount: 2_500,
  },
  sandboxCreateFault: {
    match: { operationId: 'transferOut', percent: 50 },
    effect: { kind: 'DROP', when: 'AFTER' },
    times: 1,
    lasts: 'PT1H',
  },
  sandboxCreateSnapshot: { name: 'before the payments' },
  sandboxFreezeClock: {},
  sandboxAdvanceClock: { duration: 'PT1S' },
  sandboxSetInternalAccountStatus: { status: 'FROZEN' },
  sandboxSetExternalAccountStatus: { status: 'UNDER_REVIEW' },
  sandboxOidcToken: { subject: 'ada', email: 'ada@example.com' },
  redeliverWebhookEvents: { since: '2026-01-31T09:00:00Z' },
  createConsoleSession: { clientId: 'daybook-rtu4NfgLA1ZR', clientSecret: 'the-secret-of-the-token' },
};

type Parameters_ = Readonly<Record<string, string | number>>;

/** Of every operation that has them. What would narrow a list down to nothing is left to who asks. */
const always: Parameters_ = {
  limit: 20,
  sortOrder: 'desc',
  createdAfter: '2026-01-01T00:00:00Z',
  updatedAfter: '2026-01-01T00:00:00Z',
  decidedAfter: '2026-01-01T00:00:00Z',
  startDate: '2026-01-01T00:00:00Z',
  createdBefore: '2036-01-01T00:00:00Z',
  updatedBefore: '2036-01-01T00:00:00Z',
  decidedBefore: '2036-01-01T00:00:00Z',
  endDate: '2036-01-01T00:00:00Z',
  customerId: own.customerId,
  beneficialOwnerId: own.beneficialOwnerId,
  documentHolder: own.businessId,
  documentId: own.documentId,
  verificationId: own.verificationId,
  externalAccountId: own.externalAccountId,
  transactionId: own.transactionId,
  invitationCode: own.newInvitationCode,
  tokenId: own.tokenId,
  agentId: own.agentId,
  code: own.newDeviceCode,
  webhookEventId: own.webhookEventId,
  sourceCurrency: 'USD',
  destinationCurrency: 'EUR',
  sendingAmount: 2_500,
};

/** By operation, in place of those. */
const particular: Readonly<Record<string, Parameters_>> = {
  deleteCustomer: { customerId: own.newCustomerId },
  eraseCustomer: { customerId: own.newCustomerId },
  listBeneficialOwners: { customerId: own.businessId },
  listVerifications: { customerId: own.businessId },
  updateBeneficialOwner: { beneficialOwnerId: own.newBeneficialOwnerId },
  deleteDocument: { documentId: own.newDocumentId },
  deleteCustomerExternalAccount: { externalAccountId: own.newExternalAccountId },
  getPlatformExternalAccount: { externalAccountId: own.platformExternalAccountId },
  deletePlatformExternalAccount: { externalAccountId: own.newPlatformExternalAccountId },
  lookUpUmaAddress: { receiverUmaAddress: own.otherAddress },
  lookUpExternalAccount: { accountId: own.externalAccountId },
  getQuote: { quoteId: own.newQuoteId },
  executeQuote: { quoteId: own.newQuoteId },
  approveTransaction: { transactionId: own.newPendingTransactionId },
  rejectTransaction: { transactionId: own.newPendingTransactionId },
  confirmReceiptDelivery: { transactionId: own.completedTransactionId },
  listAuthCredentials: { accountId: own.walletId },
  listAuthSessions: { accountId: own.walletId },
  deleteAuthCredential: { id: own.credentialId },
  challengeAuthCredential: { id: own.newCredentialId },
  verifyAuthCredential: { id: own.newChallengedId },
  deleteAuthSession: { id: own.newSessionId },
  refreshAuthSession: { id: own.newSessionId },
  updateInternalAccount: { id: own.walletId },
  exportInternalAccount: { id: own.walletId },
  deleteToken: { tokenId: own.newTokenId },
  deleteAgent: { agentId: own.newAgentId },
  approveAgentAction: { agentId: own.askingAgentId, actionId: own.newActionId },
  rejectAgentAction: { agentId: own.askingAgentId, actionId: own.newActionId },
  getAgentTransaction: { transactionId: own.agentTransactionId },
  getAgentQuote: { quoteId: own.newAgentQuoteId },
  executeAgentQuote: { quoteId: own.newAgentQuoteId },
  getAgentAction: { actionId: own.agentActionId },
  getAgentExternalAccount: { externalAccountId: own.agentExternalAccountId },
  deleteAgentExternalAccount: { externalAccountId: own.newAgentExternalAccountId },
  fundInternalAccount: { accountId: own.accountId },
  getConsoleRequest: { requestId: own.requestId },
  getTransactionLife: { transactionId: own.transactionId },
  searchById: { id: own.transactionId },
  getBalanceAt: { accountId: own.accountId },
  getStatement: { accountId: own.accountId, from: '2026-01-01T00:00:00Z', to: '2036-01-01T00:00:00Z' },
  getInternalAccountHistory: { accountId: own.accountId },
  sandboxDeleteFault: { faultId: own.newFaultId },
  sandboxDeleteSnapshot: { snapshotId: own.newSnapshotId },
  sandboxRestoreSnapshot: { snapshotId: own.newSnapshotId },
  sandboxSetInternalAccountStatus: { accountId: own.newAccountId },
  sandboxSetExternalAccountStatus: { externalAccountId: own.newExternalAccountId },
};

/** What a parameter of an operation gets; nothing for those that are left to who asks. */
export const parameterExample = (operationId: string, name: string): string | number | undefined =>
  particular[operationId]?.[name] ?? always[name];

const endpoint = 'To try it out, set a `webhookEndpoint` in the configuration first';
const waiting = `${endpoint}, one that answers 202: without one incoming payments are credited at once.`;
const file = 'Choose a file to try it out.';
const credentials = 'To try it out, put in the credentials of a token.';
const signedIn = 'To try it out, sign in at /console: it answers pages of the console alone.';
const signature =
  'Tried out without a signature, it answers 202 with what a session of the wallet has to sign.';

/** What trying an operation out takes besides its example, or answers without it. */
export const exampleNeeds: Readonly<Record<string, string>> = {
  approveTransaction: waiting,
  rejectTransaction: waiting,
  sendTestWebhook: `${endpoint}.`,
  getWebhookEvent: `${endpoint}, so that there are events.`,
  redeliverWebhookEvent: `${endpoint}, so that there are events.`,
  redeliverWebhookEvents: `${endpoint}.`,
  uploadDocument: file,
  replaceDocument: file,
  deleteAuthCredential:
    'To try it out, give the wallet a second credential first, which takes a signature of a session of it.',
  deleteAuthSession: signature,
  refreshAuthSession: signature,
  updateInternalAccount: signature,
  exportInternalAccount: signature,
  createConsoleSession: credentials,
  getConsoleSession: signedIn,
};
