import { describe, expect, it } from 'vitest';
import type { TransactionEvent } from '../../../src/domain/payments/events.ts';
import type { Payment } from '../../../src/domain/payments/life/progress.ts';
import { transaction } from '../../../src/domain/payments/transaction.ts';
import { InvariantViolation } from '../../../src/kernel/invariant.ts';
import { usd } from '../../support/builders/money.ts';
import { stateOf } from '../../support/builders/spec.ts';
import { depositDetails } from '../../support/builders/terms.ts';
import {
  creditDue,
  depositReceived,
  executionRefused,
  paymentReturned,
  paymentSubmitted,
  quoteCreated,
  refundCompleted,
  refundFailed,
  settlementDelayed,
  transactionCancelled,
  transactionCompleted,
  transactionExpired,
  transactionFailed,
  transactionProcessing,
  transactionRejected,
} from '../../support/builders/transactions.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const processing = [quoteCreated(), transactionProcessing()];
const completed = [...processing, transactionCompleted()];
const failed = [...processing, transactionFailed()];
const expired = [quoteCreated(), transactionExpired()];
const refused = [...expired, executionRefused()];

describe('the fold of a transaction', () => {
  const state = (...history: readonly TransactionEvent[]) => stateOf(transaction, ...history);
  const refundAfter = (...history: readonly TransactionEvent[]) => {
    const folded = state(...history);
    return folded.status === 'NONE' ? undefined : folded.refund;
  };

  it('has the time of its completion', () => {
    const completed = state(...processing, transactionCompleted({ at: msLater(7) }));
    expect(completed).toMatchObject({ updatedAt: msLater(7) });
  });

  it.each([paymentSubmitted({ at: msLater(7) }), creditDue({ at: msLater(7) })])(
    'keeps its time where nothing changes that is shown ($type)',
    (event) => {
      const { updatedAt } = state(...processing) as Payment;
      expect(state(...processing, event)).toMatchObject({ updatedAt });
    },
  );

  it.each([refundCompleted({ at: msLater(7) }), refundFailed({ at: msLater(7) })])(
    'has the time of its refund ($type)',
    (event) => {
      expect(state(...failed, event)).toMatchObject({ updatedAt: msLater(7) });
    },
  );

  it.each([transactionCompleted(), transactionFailed()])(
    'does not wait any more once it has ended ($type)',
    (end) => {
      const held = [...processing, creditDue(), settlementDelayed()];
      expect(state(...held)).toMatchObject({ pendingReason: 'COMPLIANCE_REVIEW' });
      expect(state(...held, end)).not.toHaveProperty('pendingReason');
    },
  );

  it('has a refund only where one is owed', () => {
    const histories = [
      [quoteCreated()],
      processing,
      failed,
      expired,
      refused,
      completed,
      [depositReceived()],
    ];
    const owed = histories.map((history) => refundAfter(...history)?.amount);
    expect(owed).toEqual([undefined, undefined, usd(100_00n), undefined, usd(100_00n), undefined, undefined]);
  });

  it.each([
    ['failed', failed, 'TRANSACTION_FAILED'],
    ['returned', [...completed, paymentReturned()], 'TRANSACTION_FAILED'],
    ['rejected', [...processing, transactionRejected()], 'TRANSACTION_FAILED'],
    ['cancelled', [...processing, transactionCancelled()], 'USER_CANCELLATION'],
    ['refused', refused, 'TRANSACTION_FAILED'],
  ] as const)('dates the refund of a %s payment', (_name, history, because) => {
    const begun = { amount: usd(100_00n), reason: because, initiatedAt: testStart };
    expect(refundAfter(...history)).toEqual({ ...begun, status: 'PENDING' });
    const settled = { ...begun, status: 'COMPLETED', settledAt: msLater(9) };
    expect(refundAfter(...history, refundCompleted({ at: msLater(9) }))).toEqual(settled);
    expect(refundAfter(...history, refundFailed())).toEqual({ ...begun, status: 'FAILED' });
  });

  it('keeps a deposit as it came', () => {
    expect(state(depositReceived())).toMatchObject({ status: 'COMPLETED', settledAt: depositDetails().at });
  });

  it.each([
    ['before the quote', [transactionProcessing()]],
    ['of a submission after the end', [...completed, paymentSubmitted()]],
    ['of a credit after the end', [...failed, creditDue()]],
    ['of a refund that nobody was owed', [...expired, refundCompleted()]],
    ['of a refund while processing', [...processing, refundFailed()]],
  ])('refuses an event %s', (_name, history) => {
    expect(() => state(...history)).toThrow(InvariantViolation);
  });
});
