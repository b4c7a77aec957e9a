/** Which events of the log the platform is told about, and as what. Pure. */

import type {
  AgentActionId,
  AgentId,
  CustomerId,
  ExternalAccountId,
  InternalAccountId,
  InvitationId,
  PlatformId,
  TransactionId,
  VerificationId,
} from '../../kernel/ids.ts';
import { idOf, uuidOf } from '../../kernel/ids.ts';
import { isOpenToMoney } from '../accounts/status.ts';
import type { DomainEvent } from '../aggregates.ts';
import type { QuoteTerms } from '../payments/events.ts';
import type { WebhookType } from './types.ts';

type PaymentChange =
  | 'PENDING'
  | 'PROCESSING'
  | 'COMPLETED'
  | 'FAILED'
  | 'EXPIRED'
  | 'REFUND_PENDING'
  | 'REFUND_COMPLETED'
  | 'REFUND_FAILED';

/** A payment's direction, which only its first event names, is added when it is rendered. */
export type Webhook =
  | {
      readonly object: 'transaction';
      readonly id: TransactionId;
      readonly change: PaymentChange;
      /** For a quoted payment this is no news: it was told before. */
      readonly transfersOnly?: true;
    }
  | {
      readonly object: 'internalAccount';
      readonly id: InternalAccountId;
      readonly type: WebhookType;
      /** Only of an account that can be paid in. */
      readonly ofPayIns?: true;
    }
  | { readonly object: 'externalAccount'; readonly id: ExternalAccountId; readonly type: WebhookType }
  | {
      readonly object: 'agentAction';
      readonly id: AgentActionId;
      readonly agentId: AgentId;
      /** The quote, which the action creates only after this. */
      readonly creates: QuoteTerms | undefined;
      readonly type: WebhookType;
    }
  | { readonly object: 'invitation'; readonly id: InvitationId; readonly type: WebhookType }
  | { readonly object: 'verification'; readonly id: VerificationId; readonly type: WebhookType }
  | { readonly object: 'customer'; readonly id: CustomerId; readonly type: WebhookType }
  | { readonly object: 'endpoint'; readonly id: `PlatformConfig:${string}`; readonly type: WebhookType };

type Of<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

export type PaymentEvent = Exclude<
  Extract<DomainEvent, { data: { transactionId: TransactionId } }>,
  {
    type:
      | 'AccountDebited'
      | 'AccountCredited'
      | 'CreditHeld'
      | 'CreditRefused'
      | 'DebitRefused'
      | 'DepositRefused';
  }
>;

/** What the platform hears of an event, in this order. */
export function webhooksOf(event: DomainEvent): readonly Webhook[] {
  switch (event.type) {
    case 'PlatformConfigChanged':
      return event.data.webhookEndpoint ? [test(event.data.platformId)] : [];
    case 'CustomerCreated':
    case 'CustomerStatusChanged':
      return statusOf(event);
    case 'AccountStatusChanged':
      return accountStatusOf(event);
    case 'ExternalAccountStatusChanged': {
      const { externalAccountId: id } = event.data;
      return [{ object: 'externalAccount', id, type: 'EXTERNAL_ACCOUNT.STATUS_UPDATED' }];
    }
    case 'VerificationAssessed': {
      const { verificationId: id, verificationStatus } = event.data;
      return [{ object: 'verification', id, type: `VERIFICATION.${verificationStatus}` }];
    }
    case 'InvitationClaimed':
      return [{ object: 'invitation', id: event.data.invitationId, type: 'INVITATION_CLAIMED' }];
    case 'AgentActionRequested': {
      const { actionId: id, agentId, operation } = event.data;
      const creates = operation.type === 'EXECUTE_QUOTE' ? operation.creates : undefined;
      return [{ object: 'agentAction', id, agentId, creates, type: 'AGENT_ACTION.PENDING_APPROVAL' }];
    }
    case 'AccountDebited':
    case 'AccountCredited':
    case 'CreditHeld':
      return [balance(event.data.accountId)];
    case 'CreditRefused':
      return event.data.held === undefined ? [] : [balance(event.data.accountId)];
    case 'QuoteCreated':
      return [payment(event, 'PENDING')];
    case 'TransferCreated':
      // PENDING of an incoming payment asks the platform to decide, and a transfer in waits for nobody.
      return event.data.direction === 'OUT' ? [payment(event, 'PENDING')] : [];
    case 'IncomingPaymentCreated':
      return event.data.approvalDueAt ? [payment(event, 'PENDING')] : [];
    case 'TransactionProcessing':
    case 'FundsReceived':
      return [payment(event, 'PROCESSING')];
    case 'PaymentSubmitted':
      return event.data.underway ? [{ ...payment(event, 'PROCESSING'), transfersOnly: true }] : [];
    case 'DepositReceived':
    case 'TransactionCompleted':
      return [payment(event, 'COMPLETED')];
    case 'TransactionFailed':
    case 'TransactionRejected':
    case 'PaymentReturned':
      return [payment(event, 'FAILED'), ...(event.data.refund ? [payment(event, 'REFUND_PENDING')] : [])];
    case 'TransactionCancelled':
    case 'ExecutionRefused':
      return [payment(event, 'REFUND_PENDING')];
    case 'TransactionExpired':
      return [payment(event, 'EXPIRED')];
    case 'RefundCompleted':
      return [payment(event, 'REFUND_COMPLETED')];
    case 'RefundFailed':
      return [payment(event, 'REFUND_FAILED')];
    default:
      return [];
  }
}

const test = (platformId: PlatformId): Webhook => ({
  object: 'endpoint',
  id: idOf('PlatformConfig', uuidOf(platformId)),
  type: 'TEST',
});

const balance = (id: InternalAccountId): Webhook => ({
  object: 'internalAccount',
  id,
  type: 'INTERNAL_ACCOUNT.BALANCE_UPDATED',
});

const payment = ({ data }: PaymentEvent, change: PaymentChange) => ({
  object: 'transaction' as const,
  id: data.transactionId,
  change,
});

/** Funding instructions are there while the account takes money. */
function accountStatusOf({
  data: { accountId: id, status, from },
}: Of<'AccountStatusChanged'>): readonly Webhook[] {
  const object = 'internalAccount';
  const changed: Webhook = { object, id, type: 'INTERNAL_ACCOUNT.STATUS_UPDATED' };
  if (from === undefined || isOpenToMoney(from) === isOpenToMoney(status)) return [changed];
  const type = 'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED';
  return [changed, { object, id, type, ofPayIns: true }];
}

/** A customer enters its first status by being created. */
function statusOf({
  data: { customerId: id, customerType, kycStatus },
}: Of<'CustomerCreated' | 'CustomerStatusChanged'>): readonly Webhook[] {
  if (kycStatus === 'UNVERIFIED') return [];
  const check = customerType === 'BUSINESS' ? 'KYB' : 'KYC';
  return [{ object: 'customer', id, type: `CUSTOMER.${check}_${kycStatus}` }];
}
