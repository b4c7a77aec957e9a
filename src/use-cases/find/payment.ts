import type { Payment } from '../../domain/payments/life/progress.ts';
import { transactionNotFound } from '../../domain/payments/not-found.ts';
import { type PlatformId, type QuoteId, type TransactionId, uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';

/** Throws `Rejected` (404) for what is not there or not this platform's. */
export async function loadPayment(
  commands: Commands,
  platformId: PlatformId,
  id: TransactionId,
): Promise<Payment> {
  const state = await commands.load('transaction', uuidOf(id));
  if (state.status === 'NONE' || state.terms.platformId !== platformId) throw transactionNotFound();
  return state;
}

/** As this process has last seen it, where it has. `id` is that of the payment, or of its quote. */
export function knownPayment(
  commands: Commands,
  platformId: PlatformId,
  id: TransactionId | QuoteId,
): Payment | undefined {
  const last = commands.recall('transaction', uuidOf(id));
  return last && last.status !== 'NONE' && last.terms.platformId === platformId ? last : undefined;
}

/**
 * The same, or else as it is: for a flow that has just made the payment. What is decided on it is decided anew. Throws as
 * `loadPayment` does.
 */
export async function recallPayment(
  commands: Commands,
  platformId: PlatformId,
  id: TransactionId,
): Promise<Payment> {
  return knownPayment(commands, platformId, id) ?? loadPayment(commands, platformId, id);
}
