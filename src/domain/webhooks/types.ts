/** The types of webhooks (docs/reference/webhooks.md). */
export const webhookTypes = [
  'TEST',
  'OUTGOING_PAYMENT.PENDING',
  'OUTGOING_PAYMENT.PROCESSING',
  'OUTGOING_PAYMENT.COMPLETED',
  'OUTGOING_PAYMENT.FAILED',
  'OUTGOING_PAYMENT.EXPIRED',
  'OUTGOING_PAYMENT.REFUND_PENDING',
  'OUTGOING_PAYMENT.REFUND_COMPLETED',
  'OUTGOING_PAYMENT.REFUND_FAILED',
  'INCOMING_PAYMENT.PENDING',
  'INCOMING_PAYMENT.COMPLETED',
  'INCOMING_PAYMENT.FAILED',
  'INCOMING_PAYMENT.REFUND_PENDING',
  'INCOMING_PAYMENT.REFUND_COMPLETED',
  'INCOMING_PAYMENT.REFUND_FAILED',
  'CUSTOMER.KYC_PENDING',
  'CUSTOMER.KYC_APPROVED',
  'CUSTOMER.KYC_REJECTED',
  'CUSTOMER.KYB_PENDING',
  'CUSTOMER.KYB_APPROVED',
  'CUSTOMER.KYB_REJECTED',
  'VERIFICATION.RESOLVE_ERRORS',
  'VERIFICATION.IN_PROGRESS',
  'VERIFICATION.PENDING_MANUAL_REVIEW',
  'VERIFICATION.APPROVED',
  'VERIFICATION.REJECTED',
  'VERIFICATION.READY_FOR_VERIFICATION',
  'INTERNAL_ACCOUNT.BALANCE_UPDATED',
  'INTERNAL_ACCOUNT.STATUS_UPDATED',
  'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED',
  'EXTERNAL_ACCOUNT.STATUS_UPDATED',
  'INVITATION_CLAIMED',
  'AGENT_ACTION.PENDING_APPROVAL',
] as const;
export type WebhookType = (typeof webhookTypes)[number];

export const isWebhookType = (text: string): text is WebhookType =>
  webhookTypes.some((type) => type === text);

/** The call that asks the platform whether a payment may be credited. */
export const asksForApproval = (type: string): boolean => type === 'INCOMING_PAYMENT.PENDING';

/** Not repeated when the call fails: a test is for now, and an approval is asked for once. */
export const isSentOnce = (type: string): boolean => type === 'TEST' || asksForApproval(type);
