/** A payment in every stage of its life with every refund it can have, and an event of every type. */
import type { TransactionEvent } from '../../../src/domain/payments/events.ts';
import { msLater } from '../time/clock.ts';
import { agentAction } from './agents.ts';
import { approvalMs, toAddress } from './terms.ts';
import {
  approvalDeferred,
  arrivalConfirmed,
  creditDue,
  depositReceived,
  executionDeclined,
  executionRefused,
  fundsReceived,
  incomingPaymentCreated,
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
} from './transactions.ts';

type Lived = readonly [name: string, history: readonly TransactionEvent[]];

const nothingTaken = ['refund', 'refundTo'] as const;
const quoted = [quoteCreated()];
const announced = [incomingPaymentCreated({ approvalDueAt: msLater(approvalMs) })];
const requested = [transferCreated()];
const processing = [...quoted, transactionProcessing()];
const toAnAddress = [quoteCreated({ destination: toAddress }), transactionProcessing()];
const expired = [...quoted, transactionExpired()];

/** Of money that had passed outside the books. */
const passedBack = without(paymentReturned(), 'postings', ...nothingTaken);

/** An end that owes something, and what becomes of that. */
const owing = (stage: string, history: readonly TransactionEvent[]): readonly Lived[] => [
  [`${stage} and owes a refund`, history],
  [`${stage} and refunded`, [...history, refundCompleted()]],
  [`${stage} and could not be refunded`, [...history, refundFailed()]],
];

export const paymentsInEveryStage: readonly Lived[] = [
  ['not begun', []],
  ['quoted', quoted],
  ['announced', announced],
  ['requested', requested],
  ['waiting', [...requested, paymentSubmitted({ underway: false })]],
  ['processing', processing],
  ['routed', [...toAnAddress, paymentRouted()]],
  ['submitted', [...processing, paymentSubmitted()]],
  ['crediting', [...processing, creditDue()]],
  ['completed', [...processing, transactionCompleted()]],
  ['failed', [...announced, without(transactionFailed(), ...nothingTaken)]],
  ...owing('failed', [...processing, transactionFailed()]),
  ['returned, to go on', [...processing, transactionCompleted(), passedBack]],
  ...owing('returned', [...processing, transactionCompleted(), paymentReturned()]),
  ['rejected', [...announced, without(transactionRejected(), ...nothingTaken)]],
  ...owing('rejected', [...processing, transactionRejected()]),
  ...owing('cancelled', [...processing, transactionCancelled()]),
  ['expired', expired],
  ...owing('expired', [...expired, executionRefused()]),
];

export const eventsOfEveryType: readonly TransactionEvent[] = [
  quoteCreated(),
  transferCreated(),
  incomingPaymentCreated(),
  depositReceived(),
  transactionProcessing(),
  fundsReceived(),
  paymentApproved(),
  approvalDeferred(),
  paymentRouted(),
  payeeDescribed(),
  paymentSubmitted({ underway: true }),
  paymentSubmitted({ underway: false }),
  creditDue(),
  settlementDelayed(),
  transactionCompleted(),
  arrivalConfirmed(),
  receiptConfirmed(),
  transactionFailed(),
  without(transactionFailed(), ...nothingTaken),
  transactionRejected(),
  without(transactionRejected(), ...nothingTaken),
  transactionCancelled(),
  paymentReturned(),
  passedBack,
  transactionExpired(),
  executionRefused(),
  executionDeclined({ agentAction }),
  refundCompleted(),
  refundFailed(),
];
