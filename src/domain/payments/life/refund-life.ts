/**
 * The life of a payment's refund, beside the stages of the payment itself (`life.ts`). An event that both tables know has
 * to be open in both. A refund begins only where the event names an amount.
 */
import type { EventType } from './life.ts';

export type RefundStatus = 'PENDING' | 'COMPLETED' | 'FAILED';

export type RefundRow = {
  readonly meaning: string;
  readonly moves: Readonly<Partial<Record<EventType, RefundStatus>>>;
};

export const refundLife = {
  NONE: {
    meaning: 'nothing is owed',
    moves: {
      TransactionFailed: 'PENDING',
      TransactionRejected: 'PENDING',
      TransactionCancelled: 'PENDING',
      PaymentReturned: 'PENDING',
      ExecutionRefused: 'PENDING',
    },
  },
  PENDING: {
    meaning: 'the amount is in flight, on its way back',
    moves: { RefundCompleted: 'COMPLETED', RefundFailed: 'FAILED' },
  },
  COMPLETED: { meaning: 'given back', moves: {} },
  FAILED: { meaning: 'could not be given back: it stays with the rail', moves: {} },
} as const satisfies Readonly<Record<'NONE' | RefundStatus, RefundRow>>;
