import { describe, expect, it } from 'vitest';
import { aggregates, eventSchemas } from '../../src/domain/aggregates.ts';
import { decodeEvent, encodeEvent } from '../../src/infrastructure/event-store/encoding.ts';
import {
  accountCredited,
  accountDebited,
  accountHalted,
  accountOpened,
  accountPaid,
  accountRefunded,
  creditHeld,
  creditRefused,
  debitRefused,
  depositRefused,
  frozen,
  haltLifted,
  statusChanged,
} from '../support/builders/accounts.ts';
import {
  actionFailed,
  actionRejected,
  actionRequested,
  actionStarted,
  agentAction,
  agentChanged,
  agentConnected,
  agentCreated,
  agentDeleted,
  agentId,
  codeIssued,
  fromBank,
  immediate,
  payout,
  policyChanged,
  policyOf,
  pull,
  quoteExecution,
  usageOf,
} from '../support/builders/agents.ts';
import {
  businessDetails,
  configChanged,
  customerClaimEnded,
  customerCreated,
  customerDeleted,
  customerErased,
  customerStatusChanged,
  customerUpdated,
  deletionAbandoned,
  deletionBegun,
  platformClaimEnded,
  platformCreated,
  supportedCurrency,
  walletConfig,
  webhookEndpointDisabled,
} from '../support/builders/customers.ts';
import {
  documentDeleted,
  documentReplaced,
  documentSubmitted,
  documentUploaded,
} from '../support/builders/documents.ts';
import { accountId } from '../support/builders/identities.ts';
import { installationFounded, logSealed } from '../support/builders/installation.ts';
import {
  invitationCancelled,
  invitationClaimed,
  invitationCreated,
  invitationExpired,
} from '../support/builders/invitations.ts';
import { lookupCreated } from '../support/builders/lookups.ts';
import { usd } from '../support/builders/money.ts';
import {
  clockAdvanced,
  clockFrozen,
  clockResumed,
  platformRestored,
} from '../support/builders/platform-clocks.ts';
import {
  externalAccountClaimEnded,
  externalAccountCreated,
  externalAccountDeleted,
  externalStatusChanged,
} from '../support/builders/registered-accounts.ts';
import { nameReleased, nameReserved, reservationConfirmed } from '../support/builders/reservations.ts';
import {
  fromOutside,
  localPayee,
  origin,
  quoteTerms,
  recipient,
  toAddress,
  toBalance,
  transferIn,
  transferOut,
} from '../support/builders/terms.ts';
import { tokenDeleted, tokenIssued, tokenRenewed, tokenUsed } from '../support/builders/tokens.ts';
import {
  approvalDeferred,
  arrivalConfirmed,
  creditDue,
  depositReceived,
  executionDeclined,
  executionRefused,
  fundsReceived,
  incomingPaymentCreated,
  paidOut,
  payeeDescribed,
  paymentApproved,
  paymentReturned,
  paymentRouted,
  paymentSubmitted,
  quoteCreated,
  receiptConfirmed,
  refundCompleted,
  refundFailed,
  settlementDelayed,
  transactionCancelled,
  transactionCompleted,
  transactionExpired,
  transactionFailed,
  transactionProcessing,
  transactionRejected,
  transferCreated,
  without,
} from '../support/builders/transactions.ts';
import { ownerCreated, ownerUpdated, verificationAssessed } from '../support/builders/verification.ts';
import * as wallets from '../support/builders/wallets.ts';
import { recorded } from '../support/log/domain-events.ts';
import { msLater, testStart } from '../support/time/clock.ts';
import { uuidNumber } from '../support/values/ids.ts';

const asked = [{ name: 'FULL_NAME', mandatory: true } as const];

const events = [
  wallets.credentialAdded(),
  wallets.oauthAdded(),
  wallets.passkeyAdded(),
  wallets.credentialRevoked(),
  wallets.customerEmailChanged(),
  wallets.codeIssued(),
  wallets.codeRefused(),
  wallets.passkeyChallenged(),
  wallets.sessionIssued(),
  wallets.oauthSessionIssued(),
  wallets.sessionRevoked(),
  wallets.signatureRequested('addCredential'),
  wallets.phraseMade(),
  wallets.walletExported(),
  wallets.privacyChanged(),
  platformCreated(),
  configChanged(),
  webhookEndpointDisabled(),
  platformClaimEnded('claim'),
  configChanged({
    umaDomain: 'new.example',
    held: { reservation: uuidNumber(3), claim: 'first' },
    webhookEndpoint: null,
    supportedCurrencies: [
      supportedCurrency('USD', { maxAmount: 10n ** 39n, requiredCounterpartyFields: asked }),
    ],
    embeddedWalletConfig: { ...walletConfig, appName: 'Ada' },
  }),
  customerCreated({
    fullName: 'Ada Lovelace',
    address: { line1: '1 Main Street', postalCode: '1', country: 'GB' },
  }),
  customerCreated(businessDetails()),
  customerStatusChanged('APPROVED', { walletCurrency: 'USDB' }),
  customerUpdated({ email: 'ada@example.com', opened: { currencies: ['EUR'], status: 'PENDING' } }),
  customerClaimEnded('claim'),
  customerDeleted({ walletCurrency: 'USDB' }),
  customerErased(),
  accountOpened({ customerId: null }),
  statusChanged('ACTIVE'),
  frozen(),
  accountDebited({ amount: usd(10n ** 39n) }),
  accountDebited({ opens: { kind: 'quote', terms: quoteTerms() } }),
  accountDebited({ opens: { kind: 'transfer', terms: transferOut() } }),
  accountCredited(),
  accountRefunded(),
  accountPaid(),
  externalAccountCreated({ verification: { status: 'PARTIAL_MATCH', fullName: 'A. Lovelace' } }),
  externalStatusChanged('INACTIVE'),
  externalAccountClaimEnded(),
  externalAccountDeleted(),
  lookupCreated({ requiredPayerDataFields: asked }),
  quoteCreated({ destination: toBalance, recipient }),
  quoteCreated({ description: 'Rent', senderCustomerInfo: { FULL_NAME: 'Ada' } }),
  quoteCreated({ source: { ...fromOutside, cryptoNetwork: 'BASE' }, destination: toAddress }),
  quoteCreated({
    destination: toAddress,
    payee: localPayee,
    payerInformation: { FULL_NAME: 'Ada' },
    requestedPayeeFields: asked,
  }),
  transferCreated(),
  transferCreated(transferIn({ remittanceInformation: 'Rent' })),
  incomingPaymentCreated({ origin, approvalDueAt: msLater(1), customerId: null }),
  incomingPaymentCreated({
    counterpartyInformation: { FULL_NAME: 'Ada' },
    requestedReceiverCustomerInfoFields: asked,
    heldReceiverInformation: { FULL_NAME: 'Grace' },
    remittanceInformation: 'Rent',
  }),
  depositReceived({ customerId: null, platformCustomerId: null }),
  transactionProcessing(),
  fundsReceived(),
  approvalDeferred(),
  paymentApproved({ receiverCustomerInfo: { FULL_NAME: 'Ada' } }),
  paymentApproved({ told: { FULL_NAME: 'Grace' }, origin }),
  paymentRouted(),
  paymentRouted({ route: localPayee }),
  payeeDescribed(),
  paymentSubmitted({ underway: false }),
  without(paymentSubmitted(), 'checkAt'),
  creditDue(),
  creditDue({ from: 'in-flight', postings: paidOut }),
  settlementDelayed(),
  arrivalConfirmed(),
  arrivalConfirmed({ checkAt: msLater(1) }),
  receiptConfirmed(),
  transactionCompleted({ checkAt: msLater(1) }),
  without(transactionCompleted({ origin }), 'postings'),
  transactionFailed({ refundFails: true }),
  without(transactionFailed({ origin }), 'refund', 'refundTo'),
  transactionRejected({ note: 'Not ours' }),
  transactionCancelled(),
  transactionCancelled({ agentAction }),
  paymentReturned(),
  paymentReturned({ refundFails: true }),
  without(paymentReturned({ origin }), 'postings', 'refund', 'refundTo'),
  transactionExpired(),
  executionRefused(),
  refundCompleted(),
  refundCompleted({ postings: paidOut }),
  refundFailed(),
  invitationCreated({ firstName: 'Ada', amountToSend: usd(25_00n), expiresAt: testStart }),
  invitationClaimed(),
  invitationCancelled(),
  invitationExpired(),
  ownerCreated(),
  ownerUpdated({ roles: ['UBO'], ownershipPercentage: 33.3 }),
  verificationAssessed('RESOLVE_ERRORS', [
    { resourceId: 'Customer:1', type: 'MISSING_FIELD', reason: 'needed', field: 'address' },
  ]),
  documentUploaded(),
  documentReplaced(),
  documentSubmitted(),
  documentDeleted(),
  nameReserved(),
  nameReserved({ claim: 'second' }),
  reservationConfirmed(),
  nameReleased(),
  accountDebited({ agentAction }),
  debitRefused({ agentAction }),
  depositRefused(),
  creditHeld(),
  creditHeld({ because: 'frozen' }),
  creditRefused(),
  creditHeld({ because: 'halted' }),
  accountHalted(),
  haltLifted(),
  deletionBegun(),
  deletionAbandoned({ walletCurrency: 'USDB' }),
  creditRefused({ held: 1, more: true }),
  quoteCreated({ agentId }),
  transferCreated(payout().transfer),
  executionRefused({ agentAction }),
  executionDeclined({ agentAction }),
  transactionFailed({ agentAction }),
  transactionRejected({ agentAction }),
  agentCreated({
    policy: policyOf({
      spendingLimits: { dailyLimit: 10n ** 30n, dailyTransactionLimit: 3, monthlyLimit: 0n },
      allowedAccountIds: [],
      accountRules: [{ accountId, executionMode: 'AUTO', perTransactionLimit: 1n }],
      approvalThresholds: { currency: 'EUR', amount: 1n },
    }),
  }),
  agentChanged({ name: 'Bookkeeper', isPaused: false }),
  policyChanged(policyOf(), usageOf()),
  codeIssued(),
  agentConnected(),
  agentDeleted(),
  actionRequested(immediate()),
  actionRequested(quoteExecution({ destinationAccountId: accountId })),
  actionStarted(fromBank()),
  actionStarted(pull()),
  actionFailed({ problem: { code: 'CONFLICT', message: 'Too late.' }, usage: usageOf() }),
  actionRejected(),
  installationFounded(),
  logSealed(),
  tokenIssued(),
  tokenRenewed(),
  tokenUsed(),
  tokenDeleted(),
  clockFrozen(testStart),
  clockAdvanced(testStart, msLater(1)),
  clockResumed(msLater(1), -1),
  platformRestored(),
];

const { metadata } = recorded({ type: '', data: {} });

describe('the events of the log', () => {
  it.each(events)('come back from JSON as they were decided: $type', (event) => {
    const { data, ...envelope } = encodeEvent(eventSchemas, event, metadata);
    const stored = {
      ...envelope,
      id: uuidNumber(1),
      data: JSON.parse(JSON.stringify(data)),
      stream: 's',
      revision: 0,
      position: 1n,
    };
    expect(decodeEvent(eventSchemas, stored)).toEqual(event);
  });

  it('are all known here', () => {
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(Object.keys(eventSchemas)));
  });

  it('have a type of their own each', () => {
    const types = Object.values(aggregates).flatMap(({ schemas }) => Object.keys(schemas));
    expect(new Set(types).size).toBe(types.length);
  });

  it('stand in streams whose names tell the kinds apart', () => {
    const categories = Object.values(aggregates).map(({ category }) => category);
    expect(new Set(categories).size).toBe(categories.length);
    for (const category of categories) expect(category).toMatch(/^[a-z]+$/);
  });
});
