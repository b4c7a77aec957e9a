import type { Selectable } from 'kysely';
import type { PaymentDestination, PaymentSource } from '../../src/domain/payments/ends.ts';
import type { FailureReason, PendingReason, QuoteTerms } from '../../src/domain/payments/events.ts';
import type { Payment, Refund } from '../../src/domain/payments/life/progress.ts';
import type {
  AgentId,
  CustomerId,
  InvitationId,
  PlatformId,
  QuoteId,
  TransactionId,
} from '../../src/kernel/ids.ts';
/** As in the events, with amounts as text: JSON has no integers of this size. */
export type StoredRateDetails = { readonly [K in keyof QuoteTerms['rateDetails']]: string };

export type StoredRefund = {
  readonly reference: string;
  readonly initiatedAt: string;
  readonly settledAt?: string;
  readonly status: Refund['status'];
  readonly reason: Refund['reason'];
};

/** Payments; those that began as a quote are what `GET /quotes/{id}` reads too. */
export type TransactionsTable = {
  id: TransactionId;
  quote_id: QuoteId | null;
  platform_id: PlatformId;
  type: 'INCOMING' | 'OUTGOING';
  status: Payment['status'];
  customer_id: CustomerId | null;
  platform_customer_id: string | null;
  agent_id: AgentId | null;
  source: PaymentSource;
  destination: PaymentDestination;
  /** An account id or a payment address: what `GET /transactions` filters by. */
  sender_account: string | null;
  receiver_account: string;
  sent_minor: bigint;
  sent_currency: string;
  received_minor: bigint;
  received_currency: string;
  fees: bigint;
  exchange_rate: string | null;
  rate_details: StoredRateDetails | null;
  reference: string;
  description: string | null;
  counterparty_information: Readonly<Record<string, string>> | null;
  pending_reason: PendingReason | null;
  failure_reason: FailureReason | null;
  refund: StoredRefund | null;
  expires_at: Date | null;
  settled_at: Date | null;
  receipt_delivery_confirmed_at: Date | null;
  created_at: Date;
  updated_at: Date;
};

export type TransactionRow = Selectable<TransactionsTable>;

/**
 * The payments that are not COMPLETED, by what their lists are filtered and sorted by. An index of the table above would
 * do, but each change of a status would then change all indexes of it.
 */
export type UncompletedTransactionsTable = Pick<
  TransactionsTable,
  'platform_id' | 'status' | 'created_at' | 'id'
>;

/** How many payments a platform has, and each of its customers; kept by a trigger of the table above. */
export type TransactionTotalsTable = {
  platform_id: PlatformId;
  /** Empty for the platform as a whole. */
  customer_id: CustomerId | '';
  total: bigint;
};

/**
 * What is due in the future, as the log has it. One timer per subject at a time: a payment, an invitation, or a customer
 * being deleted.
 */
export type TimersTable = {
  subject: TransactionId | InvitationId | CustomerId;
  platform_id: PlatformId;
  kind: TimerKind;
  due_at: Date;
  /** How often it was looked at again without an end, and when to look next. */
  looks: number;
  look_at: Date | null;
};

export type Timer = Omit<Selectable<TimersTable>, 'looks' | 'look_at'>;

export type TimerKind =
  | 'expire-quote'
  | 'end-approval'
  | 'check-payment'
  | 'expire-invitation'
  | 'abandon-deletion';
