/** How far a payment has come: the fold of its events. The tables of its life say where each of them leads. */
import { invariant } from '../../../kernel/invariant.ts';
import type { Money } from '../../../kernel/money.ts';
import type { PartyInformation, Payee } from '../ends.ts';
import type {
  AgentActionRef,
  FailureReason,
  PendingReason,
  TransactionEvent,
  TransferTerms,
} from '../events.ts';
import { ofDeposit, ofIncoming, ofQuote, ofTransfer, type Terms } from '../terms.ts';
import { life, type Stage } from './life.ts';
import { refundAfter, stageAfter } from './moves.ts';
import type { RefundStatus } from './refund-life.ts';

export type Refund = {
  readonly amount: Money;
  readonly status: RefundStatus;
  readonly reason: 'TRANSACTION_FAILED' | 'USER_CANCELLATION';
  readonly initiatedAt: Date;
  readonly settledAt?: Date;
};

export type Payment = {
  readonly terms: Terms;
  readonly stage: Stage;
  /** That of the stage. */
  readonly status: (typeof life)[Stage]['status'];
  /** Until when the platform may decide, where it has put its decision off. */
  readonly approvalDueAt?: Date;
  /** Of a quote into an account here: when its amount was due to the account. */
  readonly creditDueAt?: Date;
  /** Only of what is completed. */
  readonly settledAt?: Date;
  /** When the rail is asked whether what had arrived has come back. */
  readonly checkAt?: Date;
  /** The rail was asked so, and it had not. */
  readonly isConfirmed?: true;
  /** It had arrived outside, or may have, and was sent back. */
  readonly cameBack?: true;
  /** It ended with what it had taken lost outside: no refund of it is paid, here or by the sender's payment. */
  readonly refundFails?: true;
  /** When its customer was given the receipt, as the platform says. */
  readonly receiptConfirmedAt?: Date;
  /** What holds the credit up, until it is credited or refused. */
  readonly pendingReason?: PendingReason;
  readonly reason?: FailureReason;
  /** What an ended payment had taken. */
  readonly refund?: Refund;
  /** Whom a payment to an address pays, once its way is settled. */
  readonly route?: Payee;
  /** What the payee's side has said about the payee. */
  readonly described?: PartyInformation;
  /** Who paid from outside, when somebody did: a repeat of that request is not a second payment. */
  readonly fundedBy?: string;
  /** Agents' actions that came too late, so that each is told once. */
  readonly declined?: readonly AgentActionRef['actionId'][];
  /** When something last changed that the interface shows. */
  readonly updatedAt: Date;
};
export type Transaction = { readonly stage: 'none'; readonly status: 'NONE' } | Payment;

export const notBegun: Transaction = { stage: 'none', status: 'NONE' };

export function evolveTransaction(state: Transaction, event: TransactionEvent): Transaction {
  const stage = stageAfter(state, event);
  const { status } = life[stage];
  const updatedAt = event.data.at;
  switch (event.type) {
    case 'QuoteCreated':
      return { terms: ofQuote(event.data), stage, status, updatedAt };
    case 'TransferCreated':
      return begunTransfer(event.data);
    case 'IncomingPaymentCreated':
      return { terms: ofIncoming(event.data), stage, status, updatedAt };
    case 'DepositReceived':
      return { terms: ofDeposit(event.data), stage, status, settledAt: updatedAt, updatedAt };
    default:
      invariant(state.stage !== 'none', `${event.type} before the payment began`);
      return moved(state, { terms: state.terms, stage, status, ...remembered(state, event), updatedAt });
  }
}

/** A transfer of which nothing else is known yet. */
export const begunTransfer = (terms: TransferTerms): Payment => ({
  terms: ofTransfer(terms),
  stage: 'requested',
  status: life.requested.status,
  updatedAt: terms.at,
});

function moved(before: Payment, after: Payment): Payment {
  const shows = (payment: Payment) => [
    payment.status,
    payment.settledAt,
    payment.receiptConfirmedAt,
    payment.pendingReason,
    payment.reason,
    payment.refund,
    payment.described,
  ];
  const shownBefore = shows(before);
  const isShown = shows(after).some((value, n) => value !== shownBefore[n]);
  return isShown ? after : { ...after, updatedAt: before.updatedAt };
}

type LaterEvent = Exclude<
  TransactionEvent,
  { type: 'QuoteCreated' | 'TransferCreated' | 'IncomingPaymentCreated' | 'DepositReceived' }
>;

/** What a payment keeps from its events beside its stage. */
function remembered(state: Payment, event: LaterEvent): Partial<Payment> {
  const { data, type } = event;
  const approvalDueAt = type === 'ApprovalDeferred' ? data.approvalDueAt : state.approvalDueAt;
  const creditDueAt = type === 'CreditDue' && state.terms.kind === 'quote' ? data.at : state.creditDueAt;
  const settledAt = settledAfter(state, event);
  const checkAt = checkAfter(state, event);
  const isConfirmed = type === 'ArrivalConfirmed' || state.isConfirmed;
  const cameBack =
    type === 'PaymentReturned' || (type === 'TransactionFailed' && data.cameBack) || state.cameBack;
  const refundFails = ('refundFails' in data && data.refundFails) || state.refundFails;
  const receiptConfirmedAt =
    type === 'ReceiptDeliveryConfirmed' ? data.confirmedAt : state.receiptConfirmedAt;
  const pendingReason = pendingAfter(state, event);
  const reason = 'reason' in data ? data.reason : state.reason;
  const refund = refundOwed(state, event);
  const route = type === 'PaymentRouted' ? data.route : state.route;
  const described = type === 'PayeeDescribed' ? data.counterpartyInformation : state.described;
  const fundedBy = type === 'FundsReceived' ? data.requestedBy : state.fundedBy;
  const declined =
    type === 'ExecutionDeclined' ? [...(state.declined ?? []), data.agentAction.actionId] : state.declined;
  return {
    ...(approvalDueAt && { approvalDueAt }),
    ...(creditDueAt && { creditDueAt }),
    ...(settledAt && { settledAt }),
    ...(checkAt && { checkAt }),
    ...(isConfirmed && { isConfirmed }),
    ...(cameBack && { cameBack }),
    ...(refundFails && { refundFails }),
    ...(receiptConfirmedAt && { receiptConfirmedAt }),
    ...(pendingReason && { pendingReason }),
    ...(reason && { reason }),
    ...(refund && { refund }),
    ...(route && { route }),
    ...(described && { described }),
    ...(fundedBy && { fundedBy }),
    ...(declined && { declined }),
  };
}

function settledAfter({ settledAt }: Payment, { type, data }: LaterEvent): Date | undefined {
  if (type === 'TransactionCompleted') return data.at;
  return type === 'PaymentReturned' ? undefined : settledAt;
}

function checkAfter({ checkAt }: Payment, { type, data }: LaterEvent): Date | undefined {
  if (type === 'TransactionCompleted' || type === 'ArrivalConfirmed') return data.checkAt;
  return type === 'PaymentReturned' ? undefined : checkAt;
}

function pendingAfter({ pendingReason }: Payment, { type, data }: LaterEvent): PendingReason | undefined {
  if (type === 'SettlementDelayed') return data.pendingReason;
  return type === 'TransactionCompleted' || type === 'TransactionFailed' ? undefined : pendingReason;
}

function refundOwed(state: Payment, { type, data }: LaterEvent): Refund | undefined {
  const { at } = data;
  if ('refund' in data && data.refund) {
    const reason = type === 'TransactionCancelled' ? 'USER_CANCELLATION' : 'TRANSACTION_FAILED';
    return { amount: data.refund, status: refundAfter(state, type), reason, initiatedAt: at };
  }
  if (type !== 'RefundCompleted' && type !== 'RefundFailed') return state.refund;
  const status = refundAfter(state, type);
  invariant(state.refund, 'a refund that nobody was owed');
  return { ...state.refund, status, ...(status === 'COMPLETED' && { settledAt: at }) };
}
