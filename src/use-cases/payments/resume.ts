/**
 * What a request has begun in an attempt that was cut short: found by the identifiers that follow from its key, and seen
 * through as far as it goes at once.
 */
import type { Payment } from '../../domain/payments/life/progress.ts';
import { debitEntryId } from '../../domain/payments/transaction.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { type InternalAccountId, type TransactionId, uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';

type Begun = {
  readonly transactionId: TransactionId;
  /** The account that its money comes from, where it comes from one. */
  readonly accountId?: InternalAccountId | undefined;
  readonly requestedBy: string;
};

/** Whether this very request has taken the money for the payment from the account. */
export async function resumeDebit(
  commands: Commands,
  { transactionId, accountId, requestedBy }: Begun,
  cause: Cause,
): Promise<boolean> {
  if (accountId === undefined) return false;
  const uuid = uuidOf(accountId);
  const entryId = debitEntryId(transactionId);
  const account = await commands.load('account', uuid, [entryId]);
  if (account.status === 'none' || account.entries.get(entryId) !== requestedBy) return false;
  const isIts = ({ data }: { data: object }) => 'entryId' in data && data.entryId === entryId;
  await commands.resume('account', uuid, isIts, cause, [entryId]);
  return true;
}

/** The payment that the request has begun, if it has: it is begun by its debit where it pays from an account. */
export async function resumePayment(
  commands: Commands,
  begun: Begun,
  cause: Cause,
): Promise<Payment | undefined> {
  await resumeDebit(commands, begun, cause);
  const uuid = uuidOf(begun.transactionId);
  await commands.resume('transaction', uuid, () => true, cause);
  const payment = await commands.load('transaction', uuid);
  return payment.status === 'NONE' ? undefined : payment;
}
