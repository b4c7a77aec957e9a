import { customerNotFound, type KnownCustomer } from '../../domain/customers/customer.ts';
import { type CustomerId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
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

/** Nobody where it is the platform itself that owns the account or pays. */
export type FindCustomer = (customerId: CustomerId | null) => Promise<KnownCustomer | undefined>;

/** The same for one request, in which a customer may be on both sides: each is read once, however often it is asked for. */
export function customersOnce(commands: Commands, platformId: PlatformId): FindCustomer {
  const found = new Map<CustomerId | null, ReturnType<FindCustomer>>();
  return (customerId) => {
    const begun = found.get(customerId) ?? loadCustomerIfAny(commands, platformId, customerId);
    found.set(customerId, begun);
    return begun;
  };
}

/** The customer who is named by either field, or by both. Throws `Rejected` (400) where they name two. */
export function sameCustomer(
  byId: KnownCustomer | undefined,
  byAddress: KnownCustomer | undefined,
  addressField: string,
): KnownCustomer | undefined {
  if (byId && byAddress && byId.customerId !== byAddress.customerId) {
    const message = 'names another customer than';
    throw new Rejected('INVALID_INPUT', `customerId and ${addressField} name two customers.`, {
      errors: [
        { field: 'customerId', message: `${message} ${addressField}` },
        { field: addressField, message: `${message} customerId` },
      ],
    });
  }
  return byId ?? byAddress;
}
