/** The platform's say over an incoming payment: of approval, rejection and time running out, the first counts. */
import { Rejected } from '../../../kernel/rejected.ts';
import type { ApprovalCommand } from '../commands.ts';
import type { IncomingPayment, TransactionEvent } from '../events.ts';
import { waitsFor } from '../life/moves.ts';
import type { Payment } from '../life/progress.ts';
import { originOf } from '../terms.ts';

/** Opens an incoming payment; where nobody is asked, it is approved at once. */
export function announce(terms: IncomingPayment): readonly TransactionEvent[] {
  const created: TransactionEvent = { type: 'IncomingPaymentCreated', data: terms };
  return terms.approvalDueAt ? [created] : [created, ...approve(terms, terms.at)];
}

/** Throws `Rejected` when the platform decides on what waits for no decision, or not any more. */
export function decideApproval(command: ApprovalCommand, state: Payment): readonly TransactionEvent[] {
  const { at } = command;
  const { terms } = state;
  const { transactionId } = terms;
  const dueAt = approvalDueAt(state);
  const waits = terms.kind === 'incoming' && dueAt !== undefined;
  const origin = originOf(terms);
  switch (command.type) {
    case 'ApprovePayment':
      if (!waits) throw notPendingApproval(state);
      return approve(terms.incoming, at, command.receiverCustomerInfo);
    case 'RejectPayment': {
      if (!waits) throw notPendingApproval(state);
      const note = command.note === undefined ? {} : { note: command.note };
      return [{ type: 'TransactionRejected', data: { transactionId, ...note, ...origin, at } }];
    }
    case 'DeferApproval':
      if (!waits || at >= dueAt) return [];
      return [{ type: 'ApprovalDeferred', data: { transactionId, approvalDueAt: command.until, at } }];
    case 'FailApproval': {
      const { reason } = command;
      return waits ? [{ type: 'TransactionFailed', data: { transactionId, reason, ...origin, at } }] : [];
    }
    case 'EndApproval': {
      if (!waits || at < dueAt) return [];
      const reason = 'PAYMENT_APPROVAL_TIMED_OUT';
      return [{ type: 'TransactionFailed', data: { transactionId, reason, ...origin, at } }];
    }
  }
}

/** Until when the platform may decide; `undefined` when it is not asked, or not any more. */
function approvalDueAt(state: Payment): Date | undefined {
  if (waitsFor(state) !== 'platform' || state.terms.kind !== 'incoming') return undefined;
  return state.approvalDueAt ?? state.terms.incoming.approvalDueAt;
}

/** A payment from a customer here is credited at once; one from elsewhere waits for the rail. */
function approve(
  terms: IncomingPayment,
  at: Date,
  receiverCustomerInfo?: Record<string, string>,
): readonly TransactionEvent[] {
  const { transactionId, destination, amount } = terms;
  const info = receiverCustomerInfo && { receiverCustomerInfo };
  const approved: TransactionEvent = { type: 'PaymentApproved', data: { transactionId, ...info, at } };
  if (!terms.origin || destination.kind !== 'INTERNAL') return [approved];
  const { accountId } = destination;
  return [approved, { type: 'CreditDue', data: { transactionId, accountId, amount, from: 'rail', at } }];
}

export const notPendingApproval = ({ status }: Pick<Payment, 'status'>) =>
  new Rejected(
    'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
    `The transaction is ${status} and waits for no approval.`,
    { status },
  );
