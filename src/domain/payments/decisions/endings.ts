/** How a payment ends: what the rail reports of it, the credit to an account here, and the return. */
import type { TransactionId } from '../../../kernel/ids.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import { move } from '../../books/postings.ts';
import type { LaterCommand, RailCommand, Taken } from '../commands.ts';
import type { AgentActionRef, TransactionEvent } from '../events.ts';
import { awaitsSubmission, isNewSubmission, mayMove, waitsFor } from '../life/moves.ts';
import type { Payment } from '../life/progress.ts';
import { reversal, settlement, unconverted } from '../settlement.ts';
import { incomingOf, originOf, type Terms } from '../terms.ts';
import { refundDue, refundTo } from './refunds.ts';

export function reportOfRail(command: RailCommand, state: Payment): readonly TransactionEvent[] {
  if (command.type === 'SettlePayment' && mayMove(state, 'ArrivalConfirmed'))
    return confirmArrival(command, state);
  if (waitsFor(state) !== 'rail') return [];
  const { at } = command;
  const { terms } = state;
  const { transactionId } = terms;
  switch (command.type) {
    case 'RecordSubmission': {
      if (!isNewSubmission(state, command)) return [];
      return [submitted(transactionId, command, at)];
    }
    case 'SettlePayment':
      return settle(state, command.checkAt, at);
    case 'FailTransaction': {
      const { reason, refundFails, cameBack } = command;
      const failed = {
        transactionId,
        reason,
        ...refundDue(terms),
        ...(refundFails && { refundFails }),
        ...(cameBack && { cameBack }),
        ...originOf(incomingOf(terms)),
        ...failedAction(state),
        at,
      };
      return [{ type: 'TransactionFailed', data: failed }];
    }
    case 'RejectTransaction': {
      const { reason } = command;
      const rejected = {
        transactionId,
        reason,
        ...refundDue(terms),
        ...originOf(incomingOf(terms)),
        ...failedAction(state),
        at,
      };
      return [{ type: 'TransactionRejected', data: rejected }];
    }
    case 'CancelTransaction': {
      const taken = refundDue(terms);
      const action = failedAction(state);
      if (taken) return [{ type: 'TransactionCancelled', data: { transactionId, ...taken, ...action, at } }];
      const rejected = { transactionId, ...originOf(incomingOf(terms)), ...action, at };
      return [{ type: 'TransactionRejected', data: rejected }];
    }
  }
}

export const submitted = (
  transactionId: TransactionId,
  { reference, underway, checkAt }: Taken,
  at: Date,
): TransactionEvent => ({
  type: 'PaymentSubmitted',
  data: { transactionId, reference, underway, checkAt, at },
});

/** What comes in is credited to its account first; what went out is settled. */
function settle({ terms }: Payment, checkAt: Date | undefined, at: Date): readonly TransactionEvent[] {
  const { transactionId, destination, receiving: amount } = terms;
  if (terms.type === 'INCOMING' && destination.kind === 'INTERNAL') {
    const { accountId } = destination;
    return [{ type: 'CreditDue', data: { transactionId, accountId, amount, from: 'rail', at } }];
  }
  const paidOut = terms.type === 'OUTGOING' ? { postings: settlement(terms) } : {};
  return [
    {
      type: 'TransactionCompleted',
      data: { transactionId, ...paidOut, checkAt, ...originOf(incomingOf(terms)), at },
    },
  ];
}

/** A rail that always names a soon time would fill the log: from the second time on, the next is as late as this. */
const confirmedAgainMs = 3_600_000;

/**
 * What had arrived has not come back by the time that the rail was to be asked again. Before that it is no news, and with a
 * next time that has come already neither: it is asked again then.
 */
function confirmArrival(
  { checkAt, at }: Extract<RailCommand, { type: 'SettlePayment' }>,
  { terms: { transactionId }, checkAt: dueAt, isConfirmed }: Payment,
): readonly TransactionEvent[] {
  if (!dueAt || at < dueAt || (checkAt && checkAt <= at)) return [];
  const earliest = at.getTime() + (isConfirmed ? confirmedAgainMs : 0);
  const next = checkAt && new Date(Math.max(checkAt.getTime(), earliest));
  return [{ type: 'ArrivalConfirmed', data: { transactionId, ...(next && { checkAt: next }), at } }];
}

/** A transfer that the rail never took has failed at once, and with it the action that it is. */
function failedAction(state: Payment): { agentAction?: AgentActionRef } {
  const agentAction = 'transfer' in state.terms ? state.terms.transfer.agentAction : undefined;
  return agentAction && awaitsSubmission(state) ? { agentAction } : {};
}

/** The receiving account holds what it must not take yet. It is told once. */
export function delay(
  state: Payment,
  { pendingReason, at }: Extract<LaterCommand, { type: 'DelaySettlement' }>,
): readonly TransactionEvent[] {
  if (!mayMove(state, 'SettlementDelayed') || state.pendingReason) return [];
  const { transactionId } = state.terms;
  return [{ type: 'SettlementDelayed', data: { transactionId, pendingReason, at } }];
}

/** The receiving account has been credited. */
export function complete(state: Payment, at: Date): readonly TransactionEvent[] {
  const { terms } = state;
  if (waitsFor(state) !== 'account') return [];
  const { transactionId } = terms;
  return [{ type: 'TransactionCompleted', data: { transactionId, ...originOf(incomingOf(terms)), at } }];
}

/**
 * The receiving account is closed and takes nothing. What was due to it goes back: by the sender's payment where that is
 * one here, else to where the money came from.
 */
export function refuseCredit(state: Payment, at: Date): readonly TransactionEvent[] {
  const { terms } = state;
  if (waitsFor(state) !== 'account') return [];
  const { transactionId } = terms;
  const incoming = incomingOf(terms);
  const reason = incoming ? 'PAY_REQUEST_FAILED' : 'QUOTE_EXECUTION_FAILED';
  const owed = incoming?.origin ? { origin: incoming.origin } : takenBack(terms);
  return [{ type: 'TransactionFailed', data: { transactionId, reason, ...owed, at } }];
}

/** What was converted for the account, or lies at the rail for it, is in flight again, and a refund of it due. */
const takenBack = (terms: Terms) => ({
  postings: terms.kind === 'quote' ? unconverted(terms) : [...move('rail', 'in-flight', terms.receiving)],
  refund: terms.sending,
  ...refundTo(terms),
});

/** The first confirmation counts. Throws `Rejected` for a payment that has not arrived. */
export function confirmReceipt(
  state: Payment,
  { confirmedAt, at }: Extract<LaterCommand, { type: 'ConfirmReceipt' }>,
): readonly TransactionEvent[] {
  if (state.receiptConfirmedAt) return [];
  if (!mayMove(state, 'ReceiptDeliveryConfirmed')) throw withoutReceipt(state);
  const { transactionId } = state.terms;
  return [{ type: 'ReceiptDeliveryConfirmed', data: { transactionId, confirmedAt, at } }];
}

export const withoutReceipt = ({ status }: Pick<Payment, 'status'>) =>
  new Rejected('CONFLICT', `The transaction is ${status}; only a COMPLETED one of the payer has a receipt.`, {
    status,
  });

/** What was paid out comes back from outside, or is lost there, be it before it was known to have arrived. */
export function giveBack(
  state: Payment,
  { reason, refundFails, at }: Extract<LaterCommand, { type: 'ReturnPayment' }>,
): readonly TransactionEvent[] {
  const { terms } = state;
  const { transactionId, type, destination, sending: refund } = terms;
  if (destination.kind === 'INTERNAL') return [];
  if (!mayMove(state, 'PaymentReturned'))
    return reportOfRail({ type: 'FailTransaction', reason, refundFails, cameBack: true, at }, state);
  const returned = { transactionId, reason, ...(refundFails && { refundFails }), at };
  if (type === 'INCOMING')
    return [{ type: 'PaymentReturned', data: { ...returned, ...originOf(incomingOf(terms)) } }];
  const postings = reversal(terms);
  return [{ type: 'PaymentReturned', data: { ...returned, postings, refund, ...refundTo(terms) } }];
}
