/** Erasing a customer, who is deleted by that: nothing can be owed to somebody whom nobody knows. */
import type { KnownCustomer } from '../../domain/customers/customer.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';

type Deps = {
  readonly commands: Commands;
  /** Throws `Rejected` where the customer has money, or payments under way. */
  readonly remove: (customer: KnownCustomer, cause: Cause) => Promise<KnownCustomer>;
  readonly now: () => Date;
};

/** Somebody else has deleted the customer meanwhile. */
function unlessDeleted(error: unknown): void {
  if (!(error instanceof Rejected) || error.code !== 'CUSTOMER_DELETED') throw error;
}

/** Throws what deleting the customer throws. Safe to repeat. */
export async function eraseCustomer(
  { commands, remove, now }: Deps,
  customer: KnownCustomer,
  cause: Cause,
): Promise<KnownCustomer> {
  if (customer.status !== 'deleted') await remove(customer, cause).catch(unlessDeleted);
  const command = { type: 'EraseCustomer', at: now() } as const;
  const { state } = await commands.run('customer', uuidOf(customer.customerId), command, cause);
  invariant(state.status !== 'none', 'erased a customer who is not there');
  return state;
}
