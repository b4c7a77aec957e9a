/** What is recorded for a customer who may be deleted meanwhile. */
import { type Customer, requireNotDeleted } from '../../domain/customers/customer.ts';
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
    requireThere(commands.recall('customer', uuidOf(customerId)));
  },
});

/**
 * The same for who has waited for others, which may take long: the customer is looked at anew, so it may throw at once.
 * The cause as it is where it is the platform itself, and no customer.
 */
export async function stillThere(
  commands: Pick<Commands, 'load' | 'recall'>,
  customerId: CustomerId | null,
  cause: Cause,
): Promise<Cause> {
  if (customerId === null) return cause;
  requireThere(await commands.load('customer', uuidOf(customerId)));
  return whileThere(commands, customerId, cause);
}

/** A way back that has taken the customer away is told by what the cause requires. */
function requireThere(customer: Customer | undefined): void {
  if (customer && customer.status !== 'none') requireNotDeleted(customer);
}
