/** What is recorded for a customer who may be deleted meanwhile. */
import { requireNotDeleted } from '../../domain/customers/customer.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { type CustomerId, uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';

/**
 * The cause of a command that rests on a customer who is there: nothing is recorded, and it throws `Rejected` (410), where
 * this process knows by then that the customer is deleted. Nothing is read for it: who has waited for others looks anew.
 */
export const whileThere = (
  commands: Pick<Commands, 'recall'>,
  customerId: CustomerId,
  cause: Cause,
): Cause => ({
  ...cause,
  requireSame() {
    cause.requireSame?.();
    const last = commands.recall('customer', uuidOf(customerId));
    if (last && last.status !== 'none') requireNotDeleted(last);
  },
});
