import type {
  Deposit,
  IncomingPayment,
  QuoteTerms,
  TransactionEvent,
  TransferTerms,
} from '../../../src/domain/payments/events.ts';
import { msLater, testStart } from '../time/clock.ts';
import type { DataOf } from './events.ts';
import { accountId, transactionId } from './identities.ts';
import { usd } from './money.ts';
import { depositDetails, incomingPayment, quoteTerms, transferOut } from './terms.ts';

const at = testStart;
const owed = { refund: usd(100_00n), refundTo: accountId };

type Data<T extends TransactionEvent['type']> = DataOf<TransactionEvent, T>;
type Postings = Data<'FundsReceived'>['postings'];

export const posting = (account: Postings[number]['account'], minor: bigint, currency = 'USD') => ({
  account,
  minor,
  currency,
});

/** What 100.00 USD in flight become when 0.50 USD are fees and 91.54 EUR are paid out. */
export const paidOut: Postings = [
  posting('in-flight', -50n),
  posting('fees', 50n),
  posting('in-flight', -99_50n),
  posting('fx', 99_50n),
  posting('fx', -91_54n, 'EUR'),
  posting('rail', 91_54n, 'EUR'),
];

export const quoteCreated = (overrides: Partial<QuoteTerms> = {}) =>
  ({ type: 'QuoteCreated', data: quoteTerms(overrides) }) as const;

export const transferCreated = (terms: TransferTerms = transferOut()) =>
  ({ type: 'TransferCreated', data: terms }) as const;

export const incomingPaymentCreated = (overrides: Partial<IncomingPayment> = {}) =>
  ({ type: 'IncomingPaymentCreated', data: incomingPayment(overrides) }) as const;

export const depositReceived = (overrides: Partial<Deposit> = {}) =>
  ({ type: 'DepositReceived', data: depositDetails(overrides) }) as const;

export const transactionProcessing = (overrides: Partial<Data<'TransactionProcessing'>> = {}) =>
  ({ type: 'TransactionProcessing', data: { transactionId, at, ...overrides } }) as const;

export const fundsReceived = (overrides: Partial<Data<'FundsReceived'>> = {}) => {
  const { amount = usd(100_00n) } = overrides;
  const postings = [posting('rail', -amount.minor), posting('in-flight', amount.minor)];
  const received = { transactionId, amount, requestedBy: 'request-1', postings, at, ...overrides };
  return { type: 'FundsReceived', data: received } as const;
};

export const paymentApproved = (overrides: Partial<Data<'PaymentApproved'>> = {}) =>
  ({ type: 'PaymentApproved', data: { transactionId, at, ...overrides } }) as const;

export const approvalDeferred = (overrides: Partial<Data<'ApprovalDeferred'>> = {}) =>
  ({
    type: 'ApprovalDeferred',
    data: { transactionId, approvalDueAt: msLater(5_000), at, ...overrides },
  }) as const;

export const paymentRouted = (overrides: Partial<Data<'PaymentRouted'>> = {}) => {
  const route = { kind: 'OUTSIDE' } as const;
  return { type: 'PaymentRouted', data: { transactionId, route, at, ...overrides } } as const;
};

export const payeeDescribed = (overrides: Partial<Data<'PayeeDescribed'>> = {}) => {
  const counterpartyInformation = { FULL_NAME: 'Grace Hopper' };
  return {
    type: 'PayeeDescribed',
    data: { transactionId, counterpartyInformation, at, ...overrides },
  } as const;
};

export const paymentSubmitted = (overrides: Partial<Data<'PaymentSubmitted'>> = {}) => {
  const submitted = { reference: 'RAIL-1', underway: true, checkAt: msLater(1_000), at };
  return { type: 'PaymentSubmitted', data: { transactionId, ...submitted, ...overrides } } as const;
};

/** Of money that comes from outside, unless told otherwise. */
export const creditDue = (overrides: Partial<Data<'CreditDue'>> = {}) => {
  const due = { transactionId, accountId, amount: usd(100_00n), from: 'rail' as const, at };
  return { type: 'CreditDue', data: { ...due, ...overrides } } as const;
};

export const settlementDelayed = (overrides: Partial<Data<'SettlementDelayed'>> = {}) => {
  const delayed = { transactionId, pendingReason: 'COMPLIANCE_REVIEW' as const, at };
  return { type: 'SettlementDelayed', data: { ...delayed, ...overrides } } as const;
};

export const arrivalConfirmed = (overrides: Partial<Data<'ArrivalConfirmed'>> = {}) =>
  ({ type: 'ArrivalConfirmed', data: { transactionId, at, ...overrides } }) as const;

export const receiptConfirmed = (overrides: Partial<Data<'ReceiptDeliveryConfirmed'>> = {}) =>
  ({ type: 'ReceiptDeliveryConfirmed', data: { transactionId, confirmedAt: at, at, ...overrides } }) as const;

export const transactionCompleted = (overrides: Partial<Data<'TransactionCompleted'>> = {}) => {
  const completed = { transactionId, postings: paidOut, checkAt: undefined, at };
  return { type: 'TransactionCompleted', data: { ...completed, ...overrides } } as const;
};

export const transactionFailed = (overrides: Partial<Data<'TransactionFailed'>> = {}) => {
  const failed = { transactionId, reason: 'OFFRAMP_FAILED' as const, ...owed, at };
  return { type: 'TransactionFailed', data: { ...failed, ...overrides } } as const;
};

export const transactionRejected = (overrides: Partial<Data<'TransactionRejected'>> = {}) => {
  const rejected = { transactionId, reason: 'OFFRAMP_FAILED' as const, ...owed, at };
  return { type: 'TransactionRejected', data: { ...rejected, ...overrides } } as const;
};

export const transactionCancelled = (overrides: Partial<Data<'TransactionCancelled'>> = {}) =>
  ({ type: 'TransactionCancelled', data: { transactionId, ...owed, at, ...overrides } }) as const;

export const paymentReturned = (overrides: Partial<Data<'PaymentReturned'>> = {}) => {
  const postings = paidOut.map((one) => ({ ...one, minor: -one.minor }));
  const returned = { transactionId, reason: 'OFFRAMP_FAILED' as const, postings, ...owed, at };
  return { type: 'PaymentReturned', data: { ...returned, ...overrides } } as const;
};

export const transactionExpired = (overrides: Partial<Data<'TransactionExpired'>> = {}) =>
  ({ type: 'TransactionExpired', data: { transactionId, at, ...overrides } }) as const;

export const executionRefused = (overrides: Partial<Data<'ExecutionRefused'>> = {}) =>
  ({ type: 'ExecutionRefused', data: { transactionId, ...owed, at, ...overrides } }) as const;

export const refundCompleted = (overrides: Partial<Data<'RefundCompleted'>> = {}) =>
  ({ type: 'RefundCompleted', data: { transactionId, at, ...overrides } }) as const;

export const refundFailed = (overrides: Partial<Data<'RefundFailed'>> = {}) => {
  const postings = [posting('in-flight', -100_00n), posting('rail', 100_00n)];
  return { type: 'RefundFailed', data: { transactionId, postings, at, ...overrides } } as const;
};

/** An event without some of the fields that its builder fills in. */
export const without = <E extends TransactionEvent>(event: E, ...fields: readonly string[]): E => {
  const kept = Object.entries(event.data).filter(([field]) => !fields.includes(field));
  return { ...event, data: Object.fromEntries(kept) };
};

export const executionDeclined = ({
  agentAction,
  ...overrides
}: Pick<Data<'ExecutionDeclined'>, 'agentAction'> & Partial<Data<'ExecutionDeclined'>>) =>
  ({ type: 'ExecutionDeclined', data: { transactionId, agentAction, at, ...overrides } }) as const;
