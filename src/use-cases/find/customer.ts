import { customerNotFound, type KnownCustomer } from '../../domain/customers/customer.ts';
import { type CustomerId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';

/** The customer, deleted or not. Throws `Rejected` (404) for one who is not there or not this platform's. */
export async function requireCustomer(
  commands: Commands,
  { platformId }: { readonly platformId: PlatformId },
  customerId: CustomerId,
): Promise<KnownCustomer> {
  const customer = await commands.load('customer', uuidOf(customerId));
  if (customer.status === 'none' || customer.platformId !== platformId) throw customerNotFound();
  return customer;
}
