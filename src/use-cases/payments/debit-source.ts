import { type Debit, debitCommand } from '../../domain/payments/debit.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';
import { resumeDebit } from './resume.ts';

/**
 * Takes the money for a payment from its source, once. Returns whether it was this request that took it: now, or in an
 * attempt that was cut short, whose consequences are then seen through. Throws `Rejected` on a short balance.
 */
export async function debitSource(commands: Commands, debit: Debit, cause: Cause): Promise<boolean> {
  const { events } = await commands.run('account', uuidOf(debit.accountId), debitCommand(debit), cause);
  return events.length > 0 || resumeDebit(commands, debit, cause);
}
