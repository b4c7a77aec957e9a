import { customerNotFound, type KnownCustomer } from '../../domain/customers/customer.ts';
import { type CustomerId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../commands.ts';

/** The customer, deleted or not. Throws `Rejected` (404) for one who is not there or not this platform's. */
export async function loadCustomer(
  commands: Commands,
  platformId: PlatformId,
  customerId: CustomerId,
): Promise<KnownCustomer> {
  const customer = await commands.load('customer', uuidOf(customerId));
  if (customer.status === 'none' || customer.platformId !== platformId) throw customerNotFound();
  return customer;
}

/** The same; nobody where it is the platform itself that owns the account or pays. */
export async function loadCustomerIfAny(
  commands: Commands,
  platformId: PlatformId,
  customerId: CustomerId | null,
): Promise<KnownCustomer | undefined> {
  return customerId === null ? undefined : loadCustomer(commands, platformId, customerId);
}
