import { type Debit, debitCommand } from '../../domain/payments/debit.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';
/**
 * Takes the money for a payment from its source, once. Returns whether it was this request that took it: now, or in an
 * attempt that was cut short, whose consequences are then seen through. Throws `Rejected` on a short balance.
 */
export async function debitSource(commands: Commands, debit: Debit, cause: Cause): Promise<boolean> {
  const uuid = uuidOf(debit.accountId);
  const command = debitCommand(debit);
  const { entryId, requestedBy } = command;
  const { events, state } = await commands.run('account', uuid, command, cause);
  if (events.length > 0) return true;
  if (state.status === 'none' || state.entries.bookedBy(entryId) !== requestedBy) return false;
  await commands.resume('account', uuid, ({ data }) => 'entryId' in data && data.entryId === entryId, cause);
  return true;
}
