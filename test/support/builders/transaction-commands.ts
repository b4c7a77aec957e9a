/**
 * Every kind of payment, and everything that can happen to it, long after its quote and its approval were due. The
 * platform's own answers come in time.
 */

import type { TransactionCommand } from '../../../src/domain/payments/commands.ts';
import type { IncomingPayment, QuoteTerms, TransactionEvent } from '../../../src/domain/payments/events.ts';
import type { Transaction } from '../../../src/domain/payments/life/progress.ts';
import { transaction } from '../../../src/domain/payments/transaction.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';
import { msLater, testStart } from '../time/clock.ts';
import { accountId } from './identities.ts';
import { usd } from './money.ts';
import { stateOf } from './spec.ts';
import {
  approvalMs,
  depositDetails,
  fromBank,
  fromOutside,
  incomingPayment,
  origin,
  quoteLifetimeMs,
  quoteTerms,
  recipient,
  toAddress,
  toBalance,
  toBank,
  transferIn,
  transferOut,
} from './terms.ts';

const at = msLater(quoteLifetimeMs);
const checkAt = msLater(quoteLifetimeMs + 1_000);
const reason = 'OFFRAMP_FAILED';
const submission = { type: 'RecordSubmission', reference: 'RAIL-1', checkAt, at } as const;

export const paymentCommands = {
  start: { type: 'StartProcessing', at },
  fund: { type: 'ReceiveFunds', amount: usd(100_00n), requestedBy: 'request-1', at },
  fundShort: { type: 'ReceiveFunds', amount: usd(99_99n), requestedBy: 'request-1', at },
  approve: { type: 'ApprovePayment', at: testStart },
  refuse: { type: 'RejectPayment', at: testStart },
  endApproval: { type: 'EndApproval', at },
  route: { type: 'RoutePayment', route: { kind: 'OUTSIDE' }, at },
  refuseRoute: { type: 'RefuseRoute', reason: 'PAY_REQUEST_FAILED', at },
  describe: { type: 'DescribePayee', counterpartyInformation: { FULL_NAME: 'Grace Hopper' }, at },
  submit: { ...submission, underway: true },
  submitToWait: { ...submission, underway: false },
  settle: { type: 'SettlePayment', at },
  complete: { type: 'CompleteTransaction', at },
  refuseCredit: { type: 'RefuseCredit', at },
  fail: { type: 'FailTransaction', reason, at },
  failForGood: { type: 'FailTransaction', reason, refundFails: true, at },
  reject: { type: 'RejectTransaction', reason, at },
  cancel: { type: 'CancelTransaction', at },
  giveBack: { type: 'ReturnPayment', reason, at },
  giveBackNothing: { type: 'ReturnPayment', reason, refundFails: true, at },
  recordRefund: { type: 'RecordRefund', at },
  failRefund: { type: 'FailRefund', at },
  expire: { type: 'ExpireQuote', at },
} as const satisfies Record<string, TransactionCommand>;

export type PaymentCommand = keyof typeof paymentCommands;
export const paymentCommandNames = Object.keys(paymentCommands) as readonly PaymentCommand[];

/** A command that begins a payment. */
type Beginning = Extract<TransactionCommand, { terms: unknown } | { deposit: unknown }>;

const approvalDueAt = msLater(approvalMs);

const quote = (overrides: Partial<QuoteTerms> = {}): Beginning => ({
  type: 'CreateQuote',
  terms: quoteTerms(overrides),
});
const incoming = (overrides: Partial<IncomingPayment> = {}): Beginning => ({
  type: 'CreateIncomingPayment',
  terms: incomingPayment(overrides),
});

export const beginnings = {
  'quote from a balance to a bank': quote(),
  'quote from a balance to an address': quote({ destination: toAddress }),
  'quote from a balance to a balance': quote({ destination: toBalance, recipient }),
  'quote from a bank to a bank': quote({ source: fromBank }),
  'quote from a bank to an address': quote({ source: fromBank, destination: toAddress }),
  'quote from a bank to a balance': quote({ source: fromBank, destination: toBalance, recipient }),
  'quote from outside to a bank': quote({ source: fromOutside }),
  'quote from outside to a balance': quote({ source: fromOutside, destination: toBalance, recipient }),
  'quote from outside that goes back to a balance': quote({ source: fromOutside, refundTo: accountId }),
  'transfer out': { type: 'CreateTransfer', terms: transferOut() },
  'transfer in': { type: 'CreateTransfer', terms: transferIn() },
  'payment from outside': incoming(),
  'payment from outside that was asked about': incoming({ approvalDueAt }),
  'payment from outside to a bank': incoming({ destination: toBank }),
  'payment from a customer here': incoming({ origin }),
  'payment from a customer here that was asked about': incoming({ origin, approvalDueAt }),
  'payment from a customer here to a bank': incoming({ origin, destination: toBank, approvalDueAt }),
  deposit: { type: 'RecordDeposit', deposit: depositDetails() },
} satisfies Record<string, Beginning>;

export type Kind = keyof typeof beginnings;
export const kinds = Object.keys(beginnings) as readonly Kind[];

/** The events of a payment that begins like this and goes on like that. Each step must have an effect. */
export function lived(kind: Kind, path: readonly PaymentCommand[]): readonly TransactionEvent[] {
  const history: TransactionEvent[] = [];
  for (const command of [beginnings[kind], ...path.map((name) => paymentCommands[name])]) {
    const events = transaction.decide(command, stateOf(transaction, ...history));
    if (events.length === 0) throw new Error(`${command.type} does nothing to a ${kind} after ${path}`);
    history.push(...events);
  }
  return history;
}

/** Every history of a payment of this kind, as far as commands can take it, in the order of growth. */
export function historiesOf(kind: Kind): readonly (readonly TransactionEvent[])[] {
  const found: (readonly TransactionEvent[])[] = [lived(kind, [])];
  for (const history of found) {
    const state = stateOf(transaction, ...history);
    for (const name of paymentCommandNames) {
      const events = caused(name, state);
      if (events.length > 0) found.push([...history, ...events]);
    }
  }
  return found;
}

function caused(name: PaymentCommand, state: Transaction): readonly TransactionEvent[] {
  try {
    return transaction.decide(paymentCommands[name], state);
  } catch (error) {
    if (error instanceof Rejected) return [];
    throw error;
  }
}
