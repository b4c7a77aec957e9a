/**
 * The life of a payment: its stages, and every move between them. What is not here cannot happen. The decider asks it,
 * the fold follows it, and `docs/reference/life-of-a-payment.md` is made from it; `refund-life.ts` stands beside it.
 */
import type { TransactionEvent } from '../events.ts';

export type EventType = TransactionEvent['type'];

export type Stage =
  | 'quoted'
  | 'announced'
  | 'requested'
  | 'waiting'
  | 'processing'
  | 'routed'
  | 'submitted'
  | 'crediting'
  | 'completed'
  | 'failed'
  | 'rejected'
  | 'cancelled'
  | 'expired';

/** Where a submission leads: the rail says whether it has begun. */
type Submitted = { readonly underway: Stage; readonly notYet: Stage };

export type StageRow = {
  /** As the interface shows it. */
  readonly status: string;
  /** Whose move it is. */
  readonly waitsFor: 'payer' | 'platform' | 'rail' | 'account' | 'nobody';
  readonly meaning: string;
  readonly moves: Readonly<Partial<Record<EventType, Stage | Submitted>>>;
};

/** What the rail may report of every payment that it carries to the outside. */
const endings = {
  TransactionCompleted: 'completed',
  TransactionFailed: 'failed',
  TransactionRejected: 'rejected',
  TransactionCancelled: 'cancelled',
} as const;

/** And of one that may be for an account here. */
const reports = { CreditDue: 'crediting', ...endings } as const;

export const life = {
  none: {
    status: 'NONE',
    waitsFor: 'nobody',
    meaning: 'not begun',
    moves: {
      QuoteCreated: 'quoted',
      TransferCreated: 'requested',
      IncomingPaymentCreated: 'announced',
      DepositReceived: 'completed',
    },
  },
  quoted: {
    status: 'PENDING',
    waitsFor: 'payer',
    meaning: 'a quote that nobody has paid for',
    moves: {
      TransactionProcessing: 'processing',
      FundsReceived: 'processing',
      TransactionExpired: 'expired',
    },
  },
  announced: {
    status: 'PENDING',
    waitsFor: 'platform',
    meaning: 'a payment to a payment address that waits for approval',
    moves: {
      ApprovalDeferred: 'announced',
      PaymentApproved: 'processing',
      TransactionFailed: 'failed',
      TransactionRejected: 'rejected',
    },
  },
  requested: {
    status: 'PENDING',
    waitsFor: 'rail',
    meaning: 'a transfer that the rail has not taken',
    moves: { ...reports, PaymentSubmitted: { underway: 'submitted', notYet: 'waiting' } },
  },
  waiting: {
    status: 'PENDING',
    waitsFor: 'rail',
    meaning: 'a transfer that the rail has taken and not begun',
    moves: { ...reports, PaymentSubmitted: 'submitted' },
  },
  processing: {
    status: 'PROCESSING',
    waitsFor: 'rail',
    meaning: 'paid for, or approved',
    moves: {
      ...reports,
      PaymentRouted: 'routed',
      PaymentSubmitted: 'submitted',
      PayeeDescribed: 'processing',
      ExecutionDeclined: 'processing',
    },
  },
  routed: {
    status: 'PROCESSING',
    waitsFor: 'rail',
    meaning: 'to a payment address: whom it pays, and by which way, is settled',
    moves: {
      ...endings,
      PaymentSubmitted: 'submitted',
      PayeeDescribed: 'routed',
      ExecutionDeclined: 'routed',
    },
  },
  submitted: {
    status: 'PROCESSING',
    waitsFor: 'rail',
    meaning: 'the rail is carrying it',
    moves: { ...reports, PayeeDescribed: 'submitted', ExecutionDeclined: 'submitted' },
  },
  crediting: {
    status: 'PROCESSING',
    waitsFor: 'account',
    meaning:
      'about to be credited to an internal account, once that has room and is not frozen: it fails only where that account is closed',
    moves: {
      SettlementDelayed: 'crediting',
      TransactionCompleted: 'completed',
      TransactionFailed: 'failed',
      ExecutionDeclined: 'crediting',
    },
  },
  completed: {
    status: 'COMPLETED',
    waitsFor: 'nobody',
    meaning: 'arrived; what went outside may still come back',
    moves: {
      PaymentReturned: 'failed',
      ArrivalConfirmed: 'completed',
      PayeeDescribed: 'completed',
      ReceiptDeliveryConfirmed: 'completed',
      ExecutionDeclined: 'completed',
    },
  },
  failed: {
    status: 'FAILED',
    waitsFor: 'nobody',
    meaning: 'did not arrive, or came back',
    moves: { RefundCompleted: 'failed', RefundFailed: 'failed', ExecutionDeclined: 'failed' },
  },
  rejected: {
    status: 'REJECTED',
    waitsFor: 'nobody',
    meaning: 'refused by the receiving side',
    moves: { RefundCompleted: 'rejected', RefundFailed: 'rejected', ExecutionDeclined: 'rejected' },
  },
  cancelled: {
    status: 'REFUNDED',
    waitsFor: 'nobody',
    meaning: 'called off by the user',
    moves: { RefundCompleted: 'cancelled', RefundFailed: 'cancelled', ExecutionDeclined: 'cancelled' },
  },
  expired: {
    status: 'EXPIRED',
    waitsFor: 'nobody',
    meaning: 'a quote that was not paid for in time',
    moves: {
      ExecutionRefused: 'expired',
      RefundCompleted: 'expired',
      RefundFailed: 'expired',
      ExecutionDeclined: 'expired',
    },
  },
} as const satisfies Readonly<Record<'none' | Stage, StageRow>>;
