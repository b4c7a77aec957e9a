import { inWords } from '../../../domain/money/in-words.ts';
import type { transactionEvents } from '../../../domain/payments/events.ts';
import type { Money } from '../../../kernel/money.ts';
import type { WordsFor } from './words.ts';

/** What happened to a payment. Of the other side it says nothing but that it is there. */
export const paymentWords: WordsFor<typeof transactionEvents> = {
  QuoteCreated: ({ sending, receiving, exchangeRate, fees }) =>
    `A quote was made: ${inWords(sending)} for ${inWords(receiving)}, at ${exchangeRate}, fees ${inWords({ minor: fees, currency: sending.currency })}.`,
  TransferCreated: ({ direction, amount }) =>
    `A transfer ${direction === 'IN' ? 'in' : 'out'} of ${inWords(amount)} was asked for.`,
  IncomingPaymentCreated: ({ amount, approvalDueAt }) =>
    `${inWords(amount)} is offered${approvalDueAt ? `, to be approved by ${approvalDueAt.toISOString()}` : ''}.`,
  DepositReceived: ({ amount, accountId }) => `${inWords(amount)} was deposited on ${accountId}.`,
  TransactionProcessing: () => 'The source account has paid: the payment is under way.',
  FundsReceived: ({ amount }) => `${inWords(amount)} of the payer came in: the payment is under way.`,
  PaymentApproved: () => 'The payment may be credited.',
  ApprovalDeferred: ({ approvalDueAt }) =>
    `The platform decides later, by ${approvalDueAt.toISOString()} at the latest.`,
  PaymentRouted: ({ route }) =>
    `The payment goes ${route.kind === 'CUSTOMER' ? 'to a customer of this installation' : 'outside'}.`,
  PayeeDescribed: () => "The payee's side said who is paid.",
  PaymentSubmitted: ({ reference, underway }) =>
    `The rail took the payment, as ${reference}${underway ? '' : ', and has not begun'}.`,
  CreditDue: ({ amount, accountId }) => `${inWords(amount)} is due to ${accountId}.`,
  SettlementDelayed: ({ pendingReason }) => `The settlement waits: ${pendingReason}.`,
  TransactionCompleted: () => 'The payment arrived.',
  ArrivalConfirmed: ({ checkAt }) =>
    `The rail was asked again: the payment has not come back${checkAt ? `; it is asked again at ${checkAt.toISOString()}` : ''}.`,
  ReceiptDeliveryConfirmed: ({ confirmedAt }) =>
    `The platform said that its customer got the receipt at ${confirmedAt.toISOString()}.`,
  TransactionFailed: ({ reason, refund }) => `The payment failed: ${reason}${goesBack(refund)}.`,
  TransactionRejected: ({ reason, refund }) =>
    `The receiving side refused${reason ? `: ${reason}` : ''}${goesBack(refund)}.`,
  TransactionCancelled: ({ refund }) => `The payment was called off${goesBack(refund)}.`,
  PaymentReturned: ({ reason, refund }) => `The payment came back: ${reason}${goesBack(refund)}.`,
  TransactionExpired: () => 'Nobody executed the quote in time.',
  ExecutionRefused: ({ refund }) => `The quote had expired when the money was there${goesBack(refund)}.`,
  ExecutionDeclined: ({ agentAction }) => `${agentAction.actionId} came too late: nothing changed.`,
  RefundCompleted: () => 'The refund is done.',
  RefundFailed: () => 'The refund could not be paid: the money stays with the rail.',
};

const goesBack = (refund: Money | undefined) => (refund ? `; ${inWords(refund)} goes back` : '');
