/** How far a payment has come: the fold of its events (completion 9.4 and 11, states). */
import { invariant } from '../../kernel/invariant.ts';
import type { Money } from '../../kernel/money.ts';
import type { AgentActionRef, FailureReason, TransactionEvent } from './events.ts';
import { ofDeposit, ofIncoming, ofQuote, ofTransfer, type Terms } from './terms.ts';

export type Refund = {
  readonly amount: Money;
  readonly status: 'PENDING' | 'COMPLETED' | 'FAILED';
  readonly reason: 'TRANSACTION_FAILED' | 'USER_CANCELLATION';
  readonly initiatedAt: Date;
  readonly settledAt?: Date;
};

export type Submission = { readonly reference: string };

type Open = {
  readonly status: 'PENDING' | 'PROCESSING';
  readonly submission?: Submission;
  /** The receiving amount is on its way to an internal account: nothing can fail any more. */
  readonly creditDue?: true;
  /** Until when the platform may decide, where it has put its decision off. */
  readonly approvalDueAt?: Date;
};

export type Progress =
  | Open
  | { readonly status: 'COMPLETED'; readonly settledAt: Date }
  | {
      readonly status: 'FAILED' | 'REJECTED' | 'REFUNDED';
      readonly reason?: FailureReason;
      readonly refund?: Refund;
      readonly settledAt?: Date;
    }
  /** `refund` only where an execution came too late and its debit went back. */
  | { readonly status: 'EXPIRED'; readonly refund?: Refund };

export type Payment = {
  readonly terms: Terms;
  /** Who paid from outside, when somebody did: a repeat of that request is not a second payment. */
  readonly fundedBy?: string;
  /** Agents' actions that came too late, so that each is told once. */
  readonly declined?: readonly AgentActionRef['actionId'][];
  readonly updatedAt: Date;
} & Progress;
export type Transaction = { readonly status: 'NONE' } | Payment;

export function evolveTransaction(state: Transaction, event: TransactionEvent): Transaction {
  const { at } = event.data;
  switch (event.type) {
    case 'QuoteCreated':
      return { terms: ofQuote(event.data), status: 'PENDING', updatedAt: at };
    case 'TransferCreated':
      return { terms: ofTransfer(event.data), status: 'PENDING', updatedAt: at };
    case 'IncomingPaymentCreated':
      return { terms: ofIncoming(event.data), status: 'PENDING', updatedAt: at };
    case 'DepositReceived':
      return { terms: ofDeposit(event.data), status: 'COMPLETED', settledAt: at, updatedAt: at };
    default: {
      invariant(state.status !== 'NONE', `${event.type} before the payment began`);
      const fundedBy = event.type === 'FundsReceived' ? event.data.requestedBy : state.fundedBy;
      const { terms } = state;
      const declined = declinedBy(state, event);
      return {
        ...progress(state, event),
        terms,
        ...(fundedBy && { fundedBy }),
        ...(declined && { declined }),
        updatedAt: at,
      };
    }
  }
}

const declinedBy = ({ declined }: Payment, event: TransactionEvent) =>
  event.type === 'ExecutionDeclined' ? [...(declined ?? []), event.data.agentAction.actionId] : declined;

type LaterEvent = Exclude<
  TransactionEvent,
  { type: 'QuoteCreated' | 'TransferCreated' | 'IncomingPaymentCreated' | 'DepositReceived' }
>;

function progress(state: Payment, event: LaterEvent): Progress {
  const { at } = event.data;
  switch (event.type) {
    case 'ExecutionDeclined':
      return state;
    case 'ApprovalDeferred':
      return { status: 'PENDING', approvalDueAt: event.data.approvalDueAt };
    case 'TransactionProcessing':
    case 'PaymentApproved':
    case 'FundsReceived':
      return { status: 'PROCESSING' };
    case 'PaymentSubmitted': {
      const { reference, underway } = event.data;
      return { ...openOf(state), ...(underway && { status: 'PROCESSING' }), submission: { reference } };
    }
    case 'CreditDue':
      return { ...openOf(state), status: 'PROCESSING', creditDue: true };
    case 'TransactionCompleted':
      return { status: 'COMPLETED', settledAt: at };
    case 'TransactionFailed':
    case 'TransactionRejected': {
      const { reason, refund } = event.data;
      const owed = refund && pendingRefund(refund, at, 'TRANSACTION_FAILED');
      const status = event.type === 'TransactionFailed' ? 'FAILED' : 'REJECTED';
      return { status, ...(reason && { reason }), ...(owed && { refund: owed }) };
    }
    case 'PaymentReturned': {
      const { reason, refund } = event.data;
      return { status: 'FAILED', reason, refund: pendingRefund(refund, at, 'TRANSACTION_FAILED') };
    }
    case 'TransactionCancelled':
      return { status: 'REFUNDED', refund: pendingRefund(event.data.refund, at, 'USER_CANCELLATION') };
    case 'TransactionExpired':
      return { status: 'EXPIRED' };
    case 'ExecutionRefused':
      return { status: 'EXPIRED', refund: pendingRefund(event.data.refund, at, 'TRANSACTION_FAILED') };
    case 'RefundCompleted':
      return refunded(state, { status: 'COMPLETED', settledAt: at });
    case 'RefundFailed':
      return refunded(state, { status: 'FAILED' });
  }
}

const pendingRefund = (amount: Money, initiatedAt: Date, reason: Refund['reason']): Refund => ({
  amount,
  status: 'PENDING',
  reason,
  initiatedAt,
});

function openOf(state: Payment): Open {
  invariant(state.status === 'PENDING' || state.status === 'PROCESSING', `${state.status} is not under way`);
  return state;
}

function refunded(state: Payment, change: Partial<Refund>): Progress {
  const refund = refundOf(state);
  invariant(refund, 'a refund that nobody was owed');
  return { ...state, refund: { ...refund, ...change } } as Progress;
}

/** Whether the rail may report on it: on a transfer from the start, on others once they are paid for or approved. */
export function isUnderway({ status, terms: { kind }, ...state }: Payment): boolean {
  if ('creditDue' in state) return false;
  return status === 'PROCESSING' || (status === 'PENDING' && kind !== 'quote' && kind !== 'incoming');
}

/** What the payment owes or has given back. */
export const refundOf = (state: Payment): Refund | undefined =>
  'refund' in state ? state.refund : undefined;
