import { z } from 'zod';
import { type EventOf, instant, minorUnits, moneyCodec, personal } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';
import { postings } from '../books/postings.ts';
import { askedFields, destination, partyInformation, payee, source } from './ends.ts';

/** Why a payment failed, in the interface's words. */
export const failureReasons = [
  'LNURLP_FAILED',
  'PAY_REQUEST_FAILED',
  'PAYMENT_APPROVAL_WEBHOOK_ERROR',
  'PAYMENT_APPROVAL_TIMED_OUT',
  'OFFRAMP_FAILED',
  'MISSING_MANDATORY_PAYEE_DATA',
  'QUOTE_EXPIRED',
  'QUOTE_EXECUTION_FAILED',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** What holds the settlement of a payment up, in the interface's words. */
export const pendingReasons = ['COMPLIANCE_REVIEW'] as const;
export type PendingReason = (typeof pendingReasons)[number];

/** A decimal number as text: exchange rates, fee rates and multipliers keep every digit. */
const decimalText = z.string().regex(/^\d+(\.\d+)?$/);

/** Fees are in the sending currency's minor unit except `counterpartyFixedFee` (receiving). */
const rateDetails = z.object({
  counterpartyMultiplier: decimalText,
  counterpartyFixedFee: minorUnits,
  serviceApiMultiplier: decimalText,
  serviceApiFixedFee: minorUnits,
  serviceApiVariableFeeRate: decimalText,
  serviceApiVariableFeeAmount: minorUnits,
});

const transactionId = idField('Transaction');

/** What every payment has from its first event on. */
const opening = {
  transactionId,
  platformId: idField('Platform'),
  /** Null when the platform itself pays or receives. */
  customerId: idField('Customer').nullable(),
  platformCustomerId: z.string().nullable(),
  /** What a bank statement carries. */
  reference: z.string().min(1),
  at: instant,
};

/** An agent's action: what an execution is for, and who has to hear when it does not come about. */
export const agentAction = z.object({ agentId: idField('Agent'), actionId: idField('AgentAction') });
export type AgentActionRef = z.output<typeof agentAction>;

const memo = {
  description: personal(z.string()).optional(),
  purposeOfPayment: z.string().optional(),
  remittanceInformation: personal(z.string()).optional(),
};

/** How much may leave the account that pays, on one day and in one hour, as the limits were when the terms were made. */
export const outflowLimits = z.object({
  /** Minor units of the account's currency in a day of UTC. */
  dailyVolume: minorUnits.optional(),
  /** Payments in a clock hour. */
  hourlyPayments: z.int().min(0).optional(),
});
export type OutflowLimits = z.output<typeof outflowLimits>;
/** Who owns the account that is paid. Both are null for the platform itself. */
const recipient = z.object({
  customerId: idField('Customer').nullable(),
  platformCustomerId: z.string().nullable(),
});
export type Recipient = z.output<typeof recipient>;

export const quoteTerms = z.object({
  ...opening,
  ...memo,
  quoteId: idField('Quote'),
  source,
  destination,
  /** Of an internal account. */
  recipient: recipient.optional(),
  /** Of an external account: the customer whose it is. Absent where it is the platform's, and in events of former versions. */
  destinationOwner: idField('Customer').optional(),
  /** Where a refund goes; back the way the money came when absent. */
  refundTo: idField('InternalAccount').optional(),
  lockedCurrencySide: z.enum(['SENDING', 'RECEIVING']),
  sending: moneyCodec,
  receiving: moneyCodec,
  fees: minorUnits,
  /** Sending units per receiving unit, in major units. */
  exchangeRate: decimalText,
  rateDetails,
  /** Of a payment to an address: who holds it, and so is paid. */
  payee: payee.optional(),
  senderCustomerInfo: partyInformation.optional(),
  /** What the payee's side is told about the payer: what the platform sent, and what it was asked for and the service knows. */
  payerInformation: partyInformation.optional(),
  /** What the payee's side is asked about the payee. */
  requestedPayeeFields: askedFields.optional(),
  counterpartyInformation: partyInformation.optional(),
  /** The agent that made the quote. */
  agentId: idField('Agent').optional(),
  limits: outflowLimits.optional(),
  expiresAt: instant,
});
export type QuoteTerms = z.output<typeof quoteTerms>;

export const transferTerms = z.object({
  ...opening,
  ...memo,
  direction: z.enum(['IN', 'OUT']),
  source,
  destination,
  amount: moneyCodec,
  /** The agent's action that the transfer is, where an agent made it. */
  agentAction: agentAction.optional(),
  limits: outflowLimits.optional(),
});
export type TransferTerms = z.output<typeof transferTerms>;

const incomingPayment = z.object({
  ...opening,
  senderUmaAddress: personal(z.string()),
  receiverUmaAddress: personal(z.string()),
  destination,
  amount: moneyCodec,
  /** The payer's words to the payee, where the payment goes on to an account outside. */
  remittanceInformation: personal(z.string()).optional(),
  /** The payment of another customer here that this one receives. */
  origin: z.object({ transactionId, platformId: idField('Platform') }).optional(),
  /** What the platform is told about the payer. */
  counterpartyInformation: partyInformation.optional(),
  /** What the payer's side asks about the receiver and the service does not hold. */
  requestedReceiverCustomerInfoFields: askedFields.optional(),
  /** What it asks and the service holds: the payer's side is told with the approval, not before. */
  heldReceiverInformation: partyInformation.optional(),
  /** Until when the platform may approve or reject; absent when nobody is asked. */
  approvalDueAt: instant.optional(),
});
export type IncomingPayment = z.output<typeof incomingPayment>;

const deposit = z.object({ ...opening, accountId: idField('InternalAccount'), amount: moneyCodec });
export type Deposit = z.output<typeof deposit>;

/** What goes back, and to which account; back the way it came when there is none. */
const refund = { refund: moneyCodec, refundTo: idField('InternalAccount').optional() };
/** A payment that ends before it has taken anything owes nothing. */
const refundIfTaken = { refund: moneyCodec.optional(), refundTo: idField('InternalAccount').optional() };
/** The refund cannot be paid either. */
const refundFails = { refundFails: z.boolean().optional() };
const origin = { origin: z.object({ transactionId, platformId: idField('Platform') }).optional() };
const reason = z.enum(failureReasons);
/** The agent's action that has come to nothing by this. */
const failedAction = { agentAction: agentAction.optional() };

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const transactionEvents = {
  /** Opens the stream of a quoted payment; carries all that is needed to finish it. */
  QuoteCreated: quoteTerms,
  /** Opens the stream of a same-currency transfer. */
  TransferCreated: transferTerms,
  /** Opens the stream of a payment to one of our payment addresses. */
  IncomingPaymentCreated: incomingPayment,
  /** Money that arrived on an internal account from outside; opens and closes its stream. */
  DepositReceived: deposit,
  /** The source account has paid; the payment is under way. */
  TransactionProcessing: z.object({ transactionId, at: instant }),
  /** The payer's money came in from outside; the payment is under way. */
  FundsReceived: z.object({
    transactionId,
    amount: moneyCodec,
    requestedBy: z.string().min(1),
    postings,
    at: instant,
  }),
  /** An incoming payment may be credited: the platform said so, or nobody had to be asked. */
  PaymentApproved: z.object({
    transactionId,
    receiverCustomerInfo: partyInformation.optional(),
    /** What the payer's side is told about the receiver, where it is a payment of a customer here. */
    told: partyInformation.optional(),
    ...origin,
    at: instant,
  }),
  /** The platform was asked and decides later, by `approvalDueAt` at the latest. */
  ApprovalDeferred: z.object({ transactionId, approvalDueAt: instant, at: instant }),
  /** Which way a payment to an address goes, before anything leaves: every later attempt goes this way. */
  PaymentRouted: z.object({ transactionId, route: payee, at: instant }),
  /** What the payee's side says about the payee. */
  PayeeDescribed: z.object({ transactionId, counterpartyInformation: partyInformation, at: instant }),
  /** The rail has taken the payment, or has begun what it had taken; it will know more at `checkAt`, or tell by itself when there is none. */
  PaymentSubmitted: z.object({
    transactionId,
    reference: z.string(),
    underway: z.boolean(),
    checkAt: instant.optional(),
    at: instant,
  }),
  /** The receiving amount is ready for the internal account that it goes to. */
  CreditDue: z.object({
    transactionId,
    accountId: idField('InternalAccount'),
    amount: moneyCodec,
    from: z.enum(['in-flight', 'rail']),
    postings: postings.optional(),
    at: instant,
  }),
  /** The account must not take the amount now: it is held, and credited when the account may. */
  SettlementDelayed: z.object({ transactionId, pendingReason: z.enum(pendingReasons), at: instant }),
  TransactionCompleted: z.object({
    transactionId,
    postings: postings.optional(),
    /** When the rail is asked again, since even a completed payment can come back. */
    checkAt: instant.optional(),
    ...origin,
    at: instant,
  }),
  /** The rail was asked again about what had arrived: it has not come back. Asked again at `checkAt`, or not any more. */
  ArrivalConfirmed: z.object({ transactionId, checkAt: instant.optional(), at: instant }),
  /** The platform says when its customer was given the receipt. */
  ReceiptDeliveryConfirmed: z.object({ transactionId, confirmedAt: instant, at: instant }),
  /** The money, if any was taken, is still in flight; the refund follows. */
  TransactionFailed: z.object({
    transactionId,
    reason,
    ...refundIfTaken,
    /** Of an amount that was due to an account here, which refused it: what was taken is in flight again. */
    postings: postings.optional(),
    ...refundFails,
    /** It went out and came back: it had arrived, which nobody had said by then. */
    cameBack: z.literal(true).optional(),
    ...origin,
    ...failedAction,
    at: instant,
  }),
  /** The receiving side refused; the refund follows. */
  TransactionRejected: z.object({
    transactionId,
    reason: reason.optional(),
    note: personal(z.string()).optional(),
    ...refundIfTaken,
    ...origin,
    ...failedAction,
    at: instant,
  }),
  /** The user called the payment off; the refund follows. */
  TransactionCancelled: z.object({ transactionId, ...refund, ...failedAction, at: instant }),
  /**
   * After completion the receiving bank sent the money back, or it turned out not to have arrived; the refund follows.
   * Without postings and refund where the money had passed outside the books: it goes on to where it came from.
   */
  PaymentReturned: z.object({
    transactionId,
    reason,
    postings: postings.optional(),
    ...refundIfTaken,
    ...refundFails,
    ...origin,
    at: instant,
  }),
  TransactionExpired: z.object({
    transactionId,
    /** The agent that made the quote: an action of it may wait to execute it. */
    agentId: idField('Agent').optional(),
    at: instant,
  }),
  /** The source was debited, but the quote had expired by then: the debit goes back. */
  ExecutionRefused: z.object({ transactionId, ...refund, ...failedAction, at: instant }),
  /** An agent's action came too late: the quote was executed by another, or is over. The payment does not change. */
  ExecutionDeclined: z.object({ transactionId, agentAction, at: instant }),
  /** With postings when the money went back the way it came, else booked on the account it went back to. */
  RefundCompleted: z.object({ transactionId, postings: postings.optional(), at: instant }),
  RefundFailed: z.object({ transactionId, postings, at: instant }),
};
export type TransactionEvent = EventOf<typeof transactionEvents>;
