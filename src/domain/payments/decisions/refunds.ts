/** What a payment gives back, where to, and how that ends. */
import { move } from '../../books/postings.ts';
import type { TransactionEvent } from '../events.ts';
import { mayMove } from '../life/moves.ts';
import type { Payment } from '../life/progress.ts';
import type { Terms } from '../terms.ts';

/** What a payment that the rail has under way gives back when it ends without success; nothing that it never took. */
export const refundDue = (terms: Terms) =>
  terms.kind === 'transfer-out' || terms.kind === 'quote'
    ? { refund: terms.sending, ...refundTo(terms) }
    : undefined;

/** The account that a refund goes to; empty when it goes back the way the money came. */
export function refundTo(terms: Terms) {
  if (terms.source.kind === 'INTERNAL') return { refundTo: terms.source.accountId };
  return terms.kind === 'quote' && terms.quote.refundTo ? { refundTo: terms.quote.refundTo } : {};
}

export function endRefund(
  command: 'RecordRefund' | 'FailRefund',
  state: Payment,
  at: Date,
): readonly TransactionEvent[] {
  const type = command === 'FailRefund' ? 'RefundFailed' : 'RefundCompleted';
  const { terms, refund } = state;
  const { transactionId } = terms;
  if (!mayMove(state, type) || !refund) return [];
  const postings = [...move('in-flight', 'rail', refund.amount)];
  if (type === 'RefundFailed') return [{ type, data: { transactionId, postings, at } }];
  const booked = refundTo(terms).refundTo !== undefined;
  return [{ type, data: { transactionId, ...(booked ? {} : { postings }), at } }];
}
