import type { OpenedPayment } from '../accounts/events.ts';
import type { Commands } from '../aggregates.ts';
import type { Cause } from '../infrastructure/commands/dispatch.ts';
import { type InternalAccountId, type TransactionId, uuidOf } from '../infrastructure/ids.ts';
import type { Money } from '../infrastructure/money.ts';
import { debitEntryId } from './transaction.ts';

type Debit = {
  readonly accountId: InternalAccountId;
  readonly transactionId: TransactionId;
  readonly amount: Money;
  readonly purpose: 'payout' | 'transfer';
  /** The payment that the debit begins, where it has no stream yet. */
  readonly opens?: OpenedPayment;
  readonly requestedBy: string;
  readonly at: Date;
};

/**
 * Takes the money for a payment from its source, once. Returns whether it was this request that took it: now, or in an
 * attempt that was cut short, whose consequences are then seen through. Throws `Rejected` on a short balance.
 */
export async function debitSource(commands: Commands, debit: Debit, cause: Cause): Promise<boolean> {
  const { accountId, transactionId, requestedBy } = debit;
  const { amount, purpose, opens, at } = debit;
  const uuid = uuidOf(accountId);
  const entryId = debitEntryId(transactionId);
  const entry = { entryId, transactionId, requestedBy, amount, at, ...(opens && { opens }) };
  const command = { type: 'DebitAccount', purpose, to: 'in-flight', ...entry } as const;
  const { events, state } = await commands.run('account', uuid, command, cause);
  if (events.length > 0) return true;
  if (state.status === 'none' || state.entries.bookedBy(entryId) !== requestedBy) return false;
  await commands.resume('account', uuid, ({ data }) => 'entryId' in data && data.entryId === entryId, cause);
  return true;
}
