import type { CustomerDetails, KnownCustomer } from '../../domain/customers/customer.ts';
import { addressTaken, idTaken } from '../../domain/customers/names.ts';
import { type CustomerRequest, newCustomer } from '../../domain/customers/new-customer.ts';
import { paymentAddressStream, platformCustomerStream } from '../../domain/reservations/reservation.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { idOf, type PlatformId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Attempt } from '../attempt.ts';
import type { Commands } from '../commands.ts';
import { loadPlatform } from '../find/platform.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };

/** Creates a customer under names that nobody else has. Throws `Rejected` where one is taken, with nothing recorded. */
export async function createCustomer(
  { commands, now }: Deps,
  platformId: PlatformId,
  request: CustomerRequest,
  { uuidFor, cause }: Attempt,
): Promise<KnownCustomer> {
  const platform = await loadPlatform(commands, platformId);
  const uuid = uuidFor('customer');
  const details = newCustomer(request, platform, {
    customerId: idOf('Customer', uuid),
    platformCustomerId: uuid,
    addressName: uuid.slice(-12),
    at: now(),
  });
  await reserveNames(commands, details, cause);
  const { state } = await commands.run('customer', uuid, { type: 'CreateCustomer', details }, cause);
  invariant(state.status !== 'none', 'created a customer who is not there');
  return state;
}

/** Takes the payment address and the platform's id for the customer, or neither. */
async function reserveNames(
  commands: Commands,
  { platformId, customerId: holder, umaAddress, platformCustomerId, at }: CustomerDetails,
  cause: Cause,
): Promise<void> {
  const address = paymentAddressStream(umaAddress);
  const taken = addressTaken(umaAddress);
  await commands.run('reservation', address, { type: 'ReserveName', holder, at, taken }, cause);
  try {
    const id = platformCustomerStream(platformId, platformCustomerId);
    const idInUse = idTaken(platformCustomerId);
    await commands.run('reservation', id, { type: 'ReserveName', holder, at, taken: idInUse }, cause);
  } catch (error) {
    await commands.run('reservation', address, { type: 'ReleaseName', holder, at }, cause);
    throw error;
  }
}
