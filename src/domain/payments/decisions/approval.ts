/** The platform's say over an incoming payment: of approval, rejection and time running out, the first counts. */
import { Rejected } from '../../../kernel/rejected.ts';
import { missingOf } from '../../lookups/payer-fields.ts';
import type { ApprovalCommand } from '../commands.ts';
import type { PartyInformation } from '../ends.ts';
import type { FailureReason, IncomingPayment, TransactionEvent } from '../events.ts';
import { waitsFor } from '../life/moves.ts';
import type { Payment } from '../life/progress.ts';
import { originOf } from '../terms.ts';

type Of<T extends ApprovalCommand['type']> = Extract<ApprovalCommand, { type: T }>;

/** Opens an incoming payment; where nobody is asked, it is approved at once, unless something mandatory is missing. */
export function announce(terms: IncomingPayment): readonly TransactionEvent[] {
  const { at } = terms;
  const created: TransactionEvent = { type: 'IncomingPaymentCreated', data: terms };
  if (terms.approvalDueAt) return [created];
  return missing(terms).length > 0
    ? [created, failed(terms, missingData, at)]
    : [created, ...approve(terms, at)];
}

/**
 * Throws `Rejected` when the platform decides on what waits for no decision, or not any more, and when it leaves out what
 * it has to say of the receiver.
 */
export function decideApproval(command: ApprovalCommand, state: Payment): readonly TransactionEvent[] {
  const { at } = command;
  const { terms } = state;
  const dueAt = approvalDueAt(state);
  if (terms.kind !== 'incoming' || dueAt === undefined) {
    if (command.type === 'ApprovePayment' || command.type === 'RejectPayment')
      throw notPendingApproval(state);
    return [];
  }
  const { transactionId, incoming } = terms;
  const isOver = at >= dueAt;
  switch (command.type) {
    case 'ApprovePayment':
      if (isOver) throw tooLate(dueAt);
      return approveWith(command, incoming);
    case 'RejectPayment': {
      if (isOver) throw tooLate(dueAt);
      const note = command.note === undefined ? {} : { note: command.note };
      return [{ type: 'TransactionRejected', data: { transactionId, ...note, ...originOf(incoming), at } }];
    }
    case 'DeferApproval':
      // Who is asked again has no more time for it.
      if (isOver || state.approvalDueAt) return [];
      return [{ type: 'ApprovalDeferred', data: { transactionId, approvalDueAt: command.until, at } }];
    case 'FailApproval':
      return [failed(incoming, command.reason, at)];
    case 'EndApproval':
      return isOver ? [failed(incoming, 'PAYMENT_APPROVAL_TIMED_OUT', at)] : [];
  }
}

const missingData = 'MISSING_MANDATORY_PAYEE_DATA';

function approveWith(
  { receiverCustomerInfo, isLastWord, at }: Of<'ApprovePayment'>,
  incoming: IncomingPayment,
): readonly TransactionEvent[] {
  const requiredFields = missing(incoming, receiverCustomerInfo);
  if (requiredFields.length === 0) return approve(incoming, at, receiverCustomerInfo);
  if (isLastWord) return [failed(incoming, missingData, at)];
  const message = `The sender's side needs ${requiredFields.join(', ')}: send it in receiverCustomerInfo.`;
  throw new Rejected('MISSING_MANDATORY_USER_INFO', message, { requiredFields });
}

/** The mandatory fields of the receiver that the service does not hold and that are not said either. */
const missing = (
  { requestedReceiverCustomerInfoFields = [] }: IncomingPayment,
  said: PartyInformation = {},
) => missingOf(requestedReceiverCustomerInfoFields, said);

const failed = (incoming: IncomingPayment, reason: FailureReason, at: Date): TransactionEvent => ({
  type: 'TransactionFailed',
  data: { transactionId: incoming.transactionId, reason, ...originOf(incoming), at },
});

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
  const { transactionId, destination, amount, origin } = terms;
  const info = receiverCustomerInfo && { receiverCustomerInfo };
  const told = { ...terms.heldReceiverInformation, ...receiverCustomerInfo };
  const tells = origin && Object.keys(told).length > 0 ? { told, origin } : {};
  const approved: TransactionEvent = {
    type: 'PaymentApproved',
    data: { transactionId, ...info, ...tells, at },
  };
  if (!origin || destination.kind !== 'INTERNAL') return [approved];
  const { accountId } = destination;
  return [approved, { type: 'CreditDue', data: { transactionId, accountId, amount, from: 'rail', at } }];
}

const tooLate = (dueAt: Date) =>
  new Rejected(
    'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
    `The time to approve or reject the transaction ended at ${dueAt.toISOString()}.`,
    { approvalDueAt: dueAt.toISOString() },
  );

export const notPendingApproval = ({ status }: Pick<Payment, 'status'>) =>
  new Rejected(
    'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
    `The transaction is ${status} and waits for no approval.`,
    { status },
  );
