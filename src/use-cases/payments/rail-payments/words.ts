/** A payment in the words of the rail, and the rail's answers in the words of the payment. */
import type { Taken, TransactionCommand } from '../../../domain/payments/commands.ts';
import { awaitsSubmission, mayMove, waitsFor } from '../../../domain/payments/life/moves.ts';
import type { Payment } from '../../../domain/payments/life/progress.ts';
import { incomingOf, wordsOfQuote } from '../../../domain/payments/terms.ts';
import type { Accepted, Counterparty, Ending, RailPayment } from '../../../domain/ports/payment-rail.ts';

/** The rail knows of it, or is about to, and may have news. */
export const isWithRail = (payment: Payment): boolean =>
  mayMove(payment, 'PaymentReturned') || waitsFor(payment) === 'rail';

/**
 * Whether the payment has ended, its money has come in, or nobody has paid for it yet, and the rail says otherwise: money is
 * not where the books have it. What came back had arrived before, and a rail may say that again; not that it cannot give
 * back what is refunded.
 */
export function isContradicted(payment: Payment, ending: Ending): boolean {
  switch (waitsFor(payment)) {
    case 'rail':
      return false;
    case 'account':
      return ending.status !== 'settled';
    case 'payer':
    case 'platform':
      return ending.status === 'settled' || ending.status === 'returned';
    case 'nobody':
      break;
  }
  if (ending.status === 'failed' && ending.refundFails && isRefunded(payment)) return true;
  if (payment.cameBack) return false;
  return (ending.status === 'settled') !== (payment.status === 'COMPLETED');
}

/**
 * Whether what was paid for it has been given back, or is about to be: of the receiving side, by the sender's payment. The
 * account that a refund goes to was told to credit it, and does so whatever the rail says since.
 */
function isRefunded({ terms, refund, refundFails }: Payment): boolean {
  if (refundFails) return false;
  return refund ? refund.status !== 'FAILED' : incomingOf(terms)?.origin !== undefined;
}

export function toRailPayment(payment: Payment, counterparty: Counterparty): RailPayment {
  const { terms, updatedAt } = payment;
  const { destination } = terms;
  const paymentRail = destination.kind === 'EXTERNAL' ? destination.paymentRail : undefined;
  const remittanceInformation = wordsOf(payment);
  return {
    paymentId: terms.transactionId,
    platformId: terms.platformId,
    kind: kindOf(terms),
    amount: terms.receiving,
    counterparty,
    reference: terms.reference,
    ...(paymentRail !== undefined && { paymentRail }),
    ...(remittanceInformation !== undefined && { remittanceInformation }),
    ...payerOf(terms),
    startedAt: updatedAt,
    recorded: recordedOf(payment),
  };
}

/** What a payment of another customer here has brought goes on to an account outside: it is pushed, and pulled from nobody. */
const kindOf = (terms: Payment['terms']): RailPayment['kind'] =>
  terms.kind === 'incoming' && terms.incoming.origin && terms.destination.kind === 'EXTERNAL'
    ? 'quote'
    : terms.kind;

/** What the rail is to know of the payer besides. */
function payerOf(terms: Payment['terms']): Pick<RailPayment, 'senderUmaAddress' | 'payerInformation'> {
  if (terms.kind === 'quote' && terms.quote.payerInformation)
    return { payerInformation: terms.quote.payerInformation };
  const comesFromOutside = terms.kind === 'incoming' && !terms.incoming.origin;
  return comesFromOutside ? { senderUmaAddress: terms.incoming.senderUmaAddress } : {};
}

function wordsOf({ terms }: Payment): string | undefined {
  if (terms.kind === 'quote') return wordsOfQuote(terms.quote);
  if (terms.kind === 'incoming') return terms.incoming.remittanceInformation;
  return 'transfer' in terms ? terms.transfer.remittanceInformation : undefined;
}

function recordedOf(payment: Payment): RailPayment['recorded'] {
  if (hasArrived(payment)) return 'settled';
  return awaitsSubmission(payment) ? 'begun' : 'submitted';
}

export const takenAs = ({ reference, underway, checkAt }: Accepted): Taken => ({
  reference,
  underway,
  checkAt,
});

/** It is recorded that it arrived, and it may come back. */
export const hasArrived = (payment: Payment): boolean => mayMove(payment, 'PaymentReturned');

/** What to record of a payment that ended. What came back has failed where nobody knew that it had arrived. */
export function commandOf(ending: Ending, payment: Payment, at: Date): TransactionCommand {
  switch (ending.status) {
    case 'settled':
      return { type: 'SettlePayment', checkAt: ending.checkAt, at };
    case 'failed': {
      const { reason, refundFails } = ending;
      return hasArrived(payment)
        ? { type: 'ReturnPayment', reason, refundFails, at }
        : { type: 'FailTransaction', reason, refundFails, at };
    }
    case 'rejected':
      return { type: 'RejectTransaction', reason: ending.reason, at };
    case 'cancelled':
      return { type: 'CancelTransaction', at };
    case 'returned':
      // Of what went outside, the payment itself knows whether it had arrived by then.
      return hasArrived(payment) || payment.terms.destination.kind !== 'INTERNAL'
        ? { type: 'ReturnPayment', reason: ending.reason, at }
        : { type: 'FailTransaction', reason: ending.reason, at };
  }
}
