/**
 * One payment from its quote, transfer or announcement to its end. The quote and its transaction are one stream with
 * one lifecycle, so they cannot disagree; the balances on either side have streams of their own, and `policy.ts` moves
 * between them.
 */
import type { Decider } from '../../kernel/decider.ts';
import type { TransactionId } from '../../kernel/ids.ts';
import type { Money } from '../../kernel/money.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { move } from '../books/postings.ts';
import { type ApprovalCommand, announce, decideApproval, isApprovalCommand } from './approval.ts';
import type {
  AgentActionRef,
  Deposit,
  FailureReason,
  IncomingPayment,
  QuoteTerms,
  TransactionEvent,
  TransferTerms,
} from './events.ts';
import { evolveTransaction, isUnderway, type Payment, refundOf, type Transaction } from './progress.ts';
import { conversion, reversal, settlement } from './settlement.ts';

type At = { readonly at: Date };
/** The agent's action that an execution is for, where it is for one. */
type For = { readonly agentAction?: AgentActionRef | undefined };

export type TransactionCommand =
  | { readonly type: 'CreateQuote'; readonly terms: QuoteTerms }
  | { readonly type: 'CreateTransfer'; readonly terms: TransferTerms }
  | { readonly type: 'CreateIncomingPayment'; readonly terms: IncomingPayment }
  | { readonly type: 'RecordDeposit'; readonly deposit: Deposit }
  | ({ readonly type: 'StartProcessing' } & For & At)
  | ({ readonly type: 'ReceiveFunds'; readonly amount: Money; readonly requestedBy: string } & For & At)
  | ApprovalCommand
  | ({
      readonly type: 'RecordSubmission';
      readonly reference: string;
      readonly underway: boolean;
      readonly checkAt?: Date | undefined;
    } & At)
  | ({ readonly type: 'SettlePayment'; readonly checkAt?: Date | undefined } & At)
  | ({ readonly type: 'CompleteTransaction' } & At)
  | ({
      readonly type: 'FailTransaction';
      readonly reason: FailureReason;
      readonly refundFails?: boolean;
    } & At)
  | ({ readonly type: 'RejectTransaction'; readonly reason: FailureReason } & At)
  | ({ readonly type: 'CancelTransaction' } & At)
  | ({ readonly type: 'ReturnPayment'; readonly reason: FailureReason } & At)
  | ({ readonly type: 'RecordRefund' } & At)
  | ({ readonly type: 'FailRefund' } & At)
  | ({ readonly type: 'ExpireQuote' } & At);

type Opening = Extract<
  TransactionCommand,
  { type: 'CreateQuote' | 'CreateTransfer' | 'CreateIncomingPayment' | 'RecordDeposit' }
>;
type Later = Exclude<TransactionCommand, Opening | ApprovalCommand>;

export const transaction: Decider<Transaction, TransactionCommand, TransactionEvent> = {
  initial: { status: 'NONE' },

  decide(command, state) {
    switch (command.type) {
      case 'CreateQuote':
        return state.status === 'NONE' ? [{ type: 'QuoteCreated', data: command.terms }] : [];
      case 'CreateTransfer':
        return state.status === 'NONE' ? [{ type: 'TransferCreated', data: command.terms }] : [];
      case 'CreateIncomingPayment':
        return state.status === 'NONE' ? announce(command.terms) : [];
      case 'RecordDeposit':
        return state.status === 'NONE' ? [{ type: 'DepositReceived', data: command.deposit }] : [];
      default:
        if (state.status === 'NONE')
          throw new Rejected('TRANSACTION_NOT_FOUND', 'There is no such transaction.');
        return isApprovalCommand(command) ? decideApproval(command, state) : decideLater(command, state);
    }
  },

  evolve: evolveTransaction,
};

function decideLater(command: Later, state: Payment): readonly TransactionEvent[] {
  const { at } = command;
  const { terms } = state;
  const { transactionId } = terms;
  const open = isUnderway(state);
  const taken = refundDue(state);
  switch (command.type) {
    case 'StartProcessing':
      return startProcessing(command, state);
    case 'ReceiveFunds':
      return receiveFunds(command, state);
    case 'RecordSubmission': {
      if (!open || 'submission' in state) return [];
      const { reference, underway, checkAt } = command;
      return [{ type: 'PaymentSubmitted', data: { transactionId, reference, underway, checkAt, at } }];
    }
    case 'SettlePayment':
      return open ? settle(state, command.checkAt, at) : [];
    case 'CompleteTransaction':
      if (state.status !== 'PROCESSING' || !state.creditDue) return [];
      return [{ type: 'TransactionCompleted', data: { transactionId, ...originOf(state), at } }];
    case 'FailTransaction': {
      if (!open) return [];
      const { reason, refundFails } = command;
      const failed = {
        transactionId,
        reason,
        ...taken,
        ...(refundFails && { refundFails }),
        ...originOf(state),
        ...failedAction(state),
        at,
      };
      return [{ type: 'TransactionFailed', data: failed }];
    }
    case 'RejectTransaction': {
      if (!open) return [];
      const { reason } = command;
      return [
        {
          type: 'TransactionRejected',
          data: { transactionId, reason, ...taken, ...originOf(state), ...failedAction(state), at },
        },
      ];
    }
    case 'CancelTransaction':
      if (!open) return [];
      if (taken) return [{ type: 'TransactionCancelled', data: { transactionId, ...taken, at } }];
      return [{ type: 'TransactionRejected', data: { transactionId, ...originOf(state), at } }];
    case 'ReturnPayment': {
      if (state.status !== 'COMPLETED' || terms.type !== 'OUTGOING') return [];
      if (terms.destination.kind === 'INTERNAL') return [];
      const { reason } = command;
      const returned = {
        transactionId,
        reason,
        postings: reversal(terms),
        refund: terms.sending,
        ...refundTo(state),
        at,
      };
      return [{ type: 'PaymentReturned', data: returned }];
    }
    case 'RecordRefund':
    case 'FailRefund':
      return endRefund(command.type, state, at);
    case 'ExpireQuote': {
      const due = terms.kind === 'quote' && state.status === 'PENDING' && at >= terms.quote.expiresAt;
      return due ? [{ type: 'TransactionExpired', data: { transactionId, at } }] : [];
    }
  }
}

/** The source account has been debited. When the quote expired in between, the debit goes back. */
function startProcessing(
  { agentAction, at }: Extract<Later, { type: 'StartProcessing' }>,
  state: Payment,
): readonly TransactionEvent[] {
  const { transactionId, source, sending } = state.terms;
  if (source.kind !== 'INTERNAL') return [];
  if (state.status === 'EXPIRED' && !state.refund) {
    return [
      {
        type: 'ExecutionRefused',
        data: { transactionId, refund: sending, ...refundTo(state), ...(agentAction && { agentAction }), at },
      },
    ];
  }
  if (state.status !== 'PENDING' || state.terms.kind !== 'quote') return [];
  return [{ type: 'TransactionProcessing', data: { transactionId, at } }, ...creditOf(state, at)];
}

/** Money from outside for a quote. What does not match the quote goes back. */
function receiveFunds(
  { amount, requestedBy, agentAction, at }: Extract<Later, { type: 'ReceiveFunds' }>,
  state: Payment,
): readonly TransactionEvent[] {
  const { transactionId, kind, source, sending } = state.terms;
  if (kind !== 'quote' || source.kind === 'INTERNAL') return [];
  if (state.status !== 'PENDING') return agentAction ? decline(agentAction, requestedBy, state, at) : [];
  const postings = [...move('rail', 'in-flight', amount)];
  const received: TransactionEvent = {
    type: 'FundsReceived',
    data: { transactionId, amount, requestedBy, postings, at },
  };
  if (amount.minor === sending.minor) return [received, ...creditOf(state, at)];
  const failed = {
    transactionId,
    reason: 'QUOTE_EXECUTION_FAILED' as const,
    refund: amount,
    ...refundTo(state),
    at,
  };
  return [received, { type: 'TransactionFailed', data: failed }];
}

/** Tells an agent's action that it has lost, once; the action that won is told nothing. */
function decline(
  agentAction: AgentActionRef,
  requestedBy: string,
  { terms: { transactionId }, fundedBy, declined = [] }: Payment,
  at: Date,
): readonly TransactionEvent[] {
  if (fundedBy === requestedBy || declined.includes(agentAction.actionId)) return [];
  return [{ type: 'ExecutionDeclined', data: { transactionId, agentAction, at } }];
}

/** For a payment to an internal account there is no rail: the converted amount goes straight there. */
function creditOf({ terms }: Payment, at: Date): readonly TransactionEvent[] {
  const { transactionId, destination, receiving: amount } = terms;
  if (destination.kind !== 'INTERNAL') return [];
  const { accountId } = destination;
  return [
    {
      type: 'CreditDue',
      data: { transactionId, accountId, amount, from: 'in-flight', postings: conversion(terms), at },
    },
  ];
}

/** The rail reports success. */
function settle(state: Payment, checkAt: Date | undefined, at: Date): readonly TransactionEvent[] {
  const { terms } = state;
  const { transactionId, destination, receiving: amount } = terms;
  if (terms.type === 'INCOMING' && destination.kind === 'INTERNAL') {
    return [
      {
        type: 'CreditDue',
        data: { transactionId, accountId: destination.accountId, amount, from: 'rail', at },
      },
    ];
  }
  const paidOut = terms.type === 'OUTGOING' ? { postings: settlement(terms), checkAt } : {};
  return [{ type: 'TransactionCompleted', data: { transactionId, ...paidOut, ...originOf(state), at } }];
}

function endRefund(
  type: 'RecordRefund' | 'FailRefund',
  state: Payment,
  at: Date,
): readonly TransactionEvent[] {
  const refund = refundOf(state);
  if (refund?.status !== 'PENDING') return [];
  const { transactionId } = state.terms;
  const postings = [...move('in-flight', 'rail', refund.amount)];
  if (type === 'FailRefund') return [{ type: 'RefundFailed', data: { transactionId, postings, at } }];
  const booked = refundTo(state).refundTo !== undefined;
  return [{ type: 'RefundCompleted', data: { transactionId, ...(booked ? {} : { postings }), at } }];
}

/** What a payment that ends now has taken and must give back. */
function refundDue(state: Payment) {
  const { kind, sending } = state.terms;
  const taken = kind === 'transfer-out' || (kind === 'quote' && state.status === 'PROCESSING');
  return taken ? { refund: sending, ...refundTo(state) } : undefined;
}

function refundTo({ terms }: Payment) {
  if (terms.source.kind === 'INTERNAL') return { refundTo: terms.source.accountId };
  return terms.kind === 'quote' && terms.quote.refundTo ? { refundTo: terms.quote.refundTo } : {};
}

const originOf = ({ terms }: Payment) =>
  terms.kind === 'incoming' && terms.incoming.origin ? { origin: terms.incoming.origin } : {};

/** A transfer that the rail never took has failed at once, and with it the action that it is. */
function failedAction(state: Payment): { agentAction?: AgentActionRef } {
  const agentAction = 'transfer' in state.terms ? state.terms.transfer.agentAction : undefined;
  return agentAction && !('submission' in state) ? { agentAction } : {};
}

/** The entries on accounts that belong to a transaction: each is booked once. */
export const debitEntryId = (id: TransactionId) => `${id}:debit`;
export const creditEntryId = (id: TransactionId) => `${id}:credit`;
export const refundEntryId = (id: TransactionId) => `${id}:refund`;
export const depositEntryId = (id: TransactionId) => `${id}:deposit`;
