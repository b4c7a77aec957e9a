/**
 * A quote into an account here has two sides: its own, which the payer sees, and the receiving side, an incoming payment
 * that whoever owns the account sees (docs/explanation/life-of-a-payment.md). Both are the same stream and the same
 * entries: the receiving side is shown, and books nothing.
 */
import { derivedUuid, type InternalAccountId, idOf, type TransactionId } from '../../kernel/ids.ts';
import type { Recipient } from './events.ts';
import type { Payment } from './life/progress.ts';

export type ReceivingSide = {
  /** Its own id, which follows from that of the payment. */
  readonly transactionId: TransactionId;
  readonly accountId: InternalAccountId;
  /** Unknown of a quote from before quotes named whom they pay. */
  readonly recipient: Recipient | undefined;
  /** When the money was on its way. */
  readonly since: Date;
};

/** From when the amount is due to the account: what is only quoted, or did not match its quote, never shows. */
export function receivingSideOf({ terms, creditDueAt: since }: Payment): ReceivingSide | undefined {
  if (!since || terms.kind !== 'quote' || terms.destination.kind !== 'INTERNAL') return undefined;
  const transactionId = receivingSideId(terms.transactionId);
  return { transactionId, accountId: terms.destination.accountId, recipient: terms.quote.recipient, since };
}

/** The id of the receiving side of a payment, whether it has one or not. */
export const receivingSideId = (id: TransactionId): TransactionId =>
  idOf('Transaction', derivedUuid('receiving-side', id));
