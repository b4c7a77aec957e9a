import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DomainEvent, eventSchemas } from '../../../src/domain/aggregates.ts';
import { webhooksOf } from '../../../src/domain/webhooks/told.ts';
import { isSentOnce, isWebhookType, webhookTypes } from '../../../src/domain/webhooks/types.ts';
import {
  accountId,
  customerId,
  depositId,
  externalAccountId,
  platformId,
  transactionId,
} from '../../support/builders/identities.ts';
import { recorded } from '../../support/log/domain-events.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

/** An event with the fields that matter here. */
const event = (type: string, data: object = {}): DomainEvent =>
  recorded({ type, data: { transactionId, at: testStart, ...data } }, platformId) as unknown as DomainEvent;

const told = (one: DomainEvent) =>
  webhooksOf(one).map((webhook) => ('type' in webhook ? webhook.type : webhook.change));
const owed = { refund: { currency: 'USD' }, reason: 'OFFRAMP_FAILED' };
const endpoint = 'https://hooks.example/';

const table: readonly (readonly [string, object, readonly string[]])[] = [
  ['PlatformCreated', { platformId }, []],
  ['PlatformConfigChanged', { platformId, webhookEndpoint: endpoint }, ['TEST']],
  ['PlatformConfigChanged', { platformId, webhookEndpoint: null }, []],
  ['PlatformConfigChanged', { platformId, umaDomain: 'pay.example' }, []],
  ['WebhookEndpointDisabled', { platformId, webhookEndpoint: endpoint }, []],
  ['PlatformClaimEnded', { platformId }, []],
  ['PlatformClockFrozen', { platformId }, []],
  ['PlatformClockAdvanced', { platformId }, []],
  ['PlatformClockResumed', { platformId }, []],
  ['PlatformStateRestored', { platformId }, []],
  ['CustomerCreated', { customerId, kycStatus: 'UNVERIFIED' }, []],
  ['CustomerCreated', { customerId, kycStatus: 'PENDING' }, ['CUSTOMER.KYC_PENDING']],
  ['CustomerCreated', { customerId, kycStatus: 'APPROVED' }, ['CUSTOMER.KYC_APPROVED']],
  ['CustomerCreated', { customerId, kycStatus: 'REJECTED' }, ['CUSTOMER.KYC_REJECTED']],
  [
    'CustomerCreated',
    { customerId, customerType: 'BUSINESS', kycStatus: 'PENDING' },
    ['CUSTOMER.KYB_PENDING'],
  ],
  [
    'CustomerStatusChanged',
    { customerId, customerType: 'BUSINESS', kycStatus: 'APPROVED' },
    ['CUSTOMER.KYB_APPROVED'],
  ],
  [
    'CustomerStatusChanged',
    { customerId, customerType: 'INDIVIDUAL', kycStatus: 'REJECTED' },
    ['CUSTOMER.KYC_REJECTED'],
  ],
  ['CustomerUpdated', { customerId }, []],
  ['CustomerClaimEnded', { customerId }, []],
  ['CustomerDeleted', { customerId }, []],
  ['CustomerErased', { customerId }, []],
  ['BeneficialOwnerCreated', {}, []],
  ['BeneficialOwnerUpdated', {}, []],
  ['VerificationAssessed', { verificationStatus: 'IN_PROGRESS' }, ['VERIFICATION.IN_PROGRESS']],
  ['DocumentUploaded', {}, []],
  ['DocumentReplaced', {}, []],
  ['DocumentSubmitted', {}, []],
  ['DocumentDeleted', {}, []],
  ['AccountStatusChanged', { accountId }, ['INTERNAL_ACCOUNT.STATUS_UPDATED']],
  [
    'AccountStatusChanged',
    { accountId, from: 'PENDING', status: 'ACTIVE' },
    ['INTERNAL_ACCOUNT.STATUS_UPDATED', 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED'],
  ],
  [
    'AccountStatusChanged',
    { accountId, from: 'ACTIVE', status: 'FROZEN' },
    ['INTERNAL_ACCOUNT.STATUS_UPDATED', 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED'],
  ],
  [
    'AccountStatusChanged',
    { accountId, from: 'FROZEN', status: 'CLOSED' },
    ['INTERNAL_ACCOUNT.STATUS_UPDATED'],
  ],
  ['AccountOpened', { accountId }, []],
  ['AccountDebited', { accountId }, ['INTERNAL_ACCOUNT.BALANCE_UPDATED']],
  ['AccountCredited', { accountId }, ['INTERNAL_ACCOUNT.BALANCE_UPDATED']],
  ['ExternalAccountCreated', { externalAccountId }, []],
  ['ExternalAccountStatusChanged', { externalAccountId }, ['EXTERNAL_ACCOUNT.STATUS_UPDATED']],
  ['ExternalAccountClaimEnded', { externalAccountId }, []],
  ['ExternalAccountDeleted', { externalAccountId }, []],
  ['QuoteCreated', {}, ['PENDING']],
  ['TransferCreated', { direction: 'OUT' }, ['PENDING']],
  ['TransferCreated', { direction: 'IN' }, []],
  ['IncomingPaymentCreated', { approvalDueAt: msLater(5_000) }, ['PENDING']],
  ['IncomingPaymentCreated', {}, []],
  ['DepositReceived', { transactionId: depositId }, ['COMPLETED']],
  ['TransactionProcessing', {}, ['PROCESSING']],
  ['FundsReceived', {}, ['PROCESSING']],
  ['PaymentApproved', {}, []],
  ['PaymentRouted', {}, []],
  ['PayeeDescribed', {}, []],
  ['PaymentSubmitted', { underway: true }, ['PROCESSING']],
  ['PaymentSubmitted', { underway: false }, []],
  ['CreditDue', {}, []],
  ['SettlementDelayed', {}, []],
  ['ArrivalConfirmed', {}, []],
  ['ReceiptDeliveryConfirmed', {}, []],
  ['TransactionCompleted', {}, ['COMPLETED']],
  ['TransactionFailed', owed, ['FAILED', 'REFUND_PENDING']],
  ['TransactionFailed', { reason: 'OFFRAMP_FAILED' }, ['FAILED']],
  ['TransactionRejected', owed, ['FAILED', 'REFUND_PENDING']],
  ['TransactionRejected', {}, ['FAILED']],
  ['TransactionCancelled', owed, ['REFUND_PENDING']],
  ['PaymentReturned', owed, ['FAILED', 'REFUND_PENDING']],
  ['PaymentReturned', { reason: 'OFFRAMP_FAILED' }, ['FAILED']],
  ['TransactionExpired', {}, ['EXPIRED']],
  ['ExecutionRefused', owed, ['REFUND_PENDING']],
  ['RefundCompleted', {}, ['REFUND_COMPLETED']],
  ['RefundFailed', {}, ['REFUND_FAILED']],
  ['ApprovalDeferred', {}, []],
  ['LookupCreated', {}, []],
  ['InvitationCreated', {}, []],
  ['InvitationClaimed', { invitationId: 'Invitation:1' }, ['INVITATION_CLAIMED']],
  ['InvitationCancelled', {}, []],
  ['InvitationExpired', {}, []],
  ['CredentialAdded', {}, []],
  ['CredentialRevoked', {}, []],
  ['CustomerEmailChanged', {}, []],
  ['OneTimeCodeIssued', {}, []],
  ['OneTimeCodeRefused', {}, []],
  ['PasskeyChallengeIssued', {}, []],
  ['SessionIssued', {}, []],
  ['SessionRevoked', {}, []],
  ['SignatureRequested', {}, []],
  ['RecoveryPhraseMade', {}, []],
  ['WalletExported', {}, []],
  ['WalletPrivacyChanged', {}, []],
  ['TokenIssued', {}, []],
  ['TokenRenewed', {}, []],
  ['TokenUsed', {}, []],
  ['TokenDeleted', {}, []],
  ['NameReserved', {}, []],
  ['ReservationConfirmed', {}, []],
  ['NameReleased', {}, []],
  ['InstallationFounded', {}, []],
  ['LogSealed', {}, []],
  ['DebitRefused', {}, []],
  ['DepositRefused', {}, []],
  ['CreditHeld', { accountId }, ['INTERNAL_ACCOUNT.BALANCE_UPDATED']],
  ['CreditRefused', { accountId }, []],
  ['CreditRefused', { accountId, held: 1 }, ['INTERNAL_ACCOUNT.BALANCE_UPDATED']],
  ['AccountHalted', {}, []],
  ['HaltLifted', {}, []],
  ['DeletionBegun', { customerId }, []],
  ['DeletionAbandoned', { customerId }, []],
  ['ExecutionDeclined', {}, []],
  ['AgentActionRequested', { operation: { type: 'TRANSFER_OUT' } }, ['AGENT_ACTION.PENDING_APPROVAL']],
  ...[
    'AgentCreated',
    'AgentChanged',
    'AgentPolicyChanged',
    'DeviceCodeIssued',
    'AgentConnected',
    'AgentDeleted',
    'AgentActionStarted',
    'AgentActionFailed',
    'AgentActionRejected',
  ].map((type): [string, object, readonly string[]] => [type, {}, []]),
];

describe('what a platform is told', () => {
  it.each(table)('of %s %j: %j', (type, data, expected) => {
    expect(told(event(type, data))).toEqual(expected);
  });

  it('is decided for every event of the log', () => {
    expect(new Set(table.map(([type]) => type))).toEqual(new Set(Object.keys(eventSchemas)));
  });

  it('names the object that it is about', () => {
    const ids = ['AccountDebited', 'QuoteCreated', 'PlatformConfigChanged'].flatMap((type) =>
      webhooksOf(event(type, { accountId, platformId, webhookEndpoint: endpoint })).map(({ id }) => id),
    );
    expect(ids).toEqual([accountId, transactionId, platformId.replace('Platform', 'PlatformConfig')]);
  });

  it('has outgoing payments in every state, and incoming ones in those the interface has', () => {
    const changes = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED', 'REFUND_PENDING'];
    const incoming = changes.map((change) => isWebhookType(`INCOMING_PAYMENT.${change}`));
    expect(changes.every((change) => isWebhookType(`OUTGOING_PAYMENT.${change}`))).toBe(true);
    expect(incoming).toEqual([true, false, true, true, false, true]);
  });

  it('is documented, whatever it is about', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/webhooks.md'), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const isNamed = (name: string) => rows.some((row) => row.startsWith(`| \`${name}`));
    const about = new Set(webhookTypes.map((type) => type.split('.')[0] ?? type));
    expect([...about].filter((name) => !isNamed(name))).toEqual([]);
  });

  it('is told once where it asks or tries something', () => {
    const once = ['TEST', 'INCOMING_PAYMENT.PENDING', 'OUTGOING_PAYMENT.PENDING'].map(isSentOnce);
    expect(once).toEqual([true, true, false]);
  });
});
