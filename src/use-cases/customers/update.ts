/** Changes a customer. A new payment address is reserved first; the one given up becomes free by a reaction, once the change is recorded. */

import type { CustomerChanges } from '../../domain/customers/changes.ts';
import { type Customer, type KnownCustomer, requireNotDeleted } from '../../domain/customers/customer.ts';
import type { CustomerType } from '../../domain/customers/events.ts';
import { addressTaken } from '../../domain/customers/names.ts';
import { addressOf, requireKnown, requirePast } from '../../domain/customers/new-customer.ts';
import type { ActivePlatform } from '../../domain/platforms/platform.ts';
import { paymentAddressStream } from '../../domain/reservations/reservation.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { badField, Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../commands.ts';

/** What is asked of an update: what is left out stays as it is. */
type CustomerUpdate = CustomerChanges & {
  readonly customerType?: CustomerType | undefined;
  readonly region?: string | undefined;
};

/** Throws `Rejected` for what cannot be changed, and for what the platform does not support. */
export function changesOf(
  request: CustomerUpdate,
  customer: KnownCustomer,
  platform: ActivePlatform,
  at: Date,
): CustomerChanges {
  const { customerType, region, umaAddress, currencies, businessInfo, ...rest } = request;
  if (region !== undefined && region !== customer.region)
    throw badField('region', `cannot be changed: it is ${customer.region}`);
  if (customerType !== undefined && customerType !== customer.customerType)
    throw badField('customerType', `cannot be changed: it is ${customer.customerType}`);
  if (rest.email !== undefined && rest.phoneNumber !== undefined)
    throw badField('phoneNumber', 'cannot be changed together with email: send two requests');
  const { email, phoneNumber, address, ...person } = rest;
  const isBusiness = customer.customerType === 'BUSINESS';
  if (isBusiness) requirePast('businessInfo.incorporatedOn', businessInfo?.incorporatedOn, at);
  else requirePast('birthDate', person.birthDate, at);
  // An address that the customer has already stays good when the platform's domain has changed since.
  const isNew = umaAddress !== undefined && umaAddress.toLowerCase() !== customer.umaAddress;
  return {
    ...(isNew && { umaAddress: addressOf(umaAddress, platform) }),
    ...(currencies && { currencies: requireKnown(currencies) }),
    ...{ email, phoneNumber, address },
    ...(isBusiness ? { businessInfo } : person),
  };
}

type Attempt = {
  readonly changes: CustomerChanges;
  /** Tells this change's hold on a new name from that of another change of the same customer at the same time. */
  readonly claim: string;
  readonly at: Date;
};

/** Throws `Rejected`, with nothing changed: 409 where a name is taken, 410 where the customer is deleted. */
export async function updateCustomer(
  commands: Commands,
  customer: KnownCustomer,
  { changes, claim, at }: Attempt,
  cause: Cause,
): Promise<KnownCustomer> {
  requireNotDeleted(customer);
  const { customerId: holder } = customer;
  const { umaAddress } = changes;
  const wanted =
    umaAddress === undefined
      ? undefined
      : { uuid: paymentAddressStream(umaAddress), taken: addressTaken(umaAddress) };
  /** Gives the address up when the customer has not got it under this claim: another update may have come first. */
  const settle = async (state: Customer): Promise<KnownCustomer> => {
    invariant(state.status !== 'none', 'updated a customer who is not there');
    const { reservation, claim: held } = state.names.umaAddress;
    const got = held === claim && reservation === wanted?.uuid;
    if (wanted && !got) {
      const release = { type: 'ReleaseName', holder, claim, at } as const;
      await commands.run('reservation', wanted.uuid, release, cause);
    }
    return state;
  };
  try {
    if (wanted) {
      const reserve = { type: 'ReserveName', holder, claim, at, taken: wanted.taken } as const;
      await commands.run('reservation', wanted.uuid, reserve, cause);
    }
    const command = { type: 'UpdateCustomer', changes, claim, at } as const;
    const { state } = await commands.run('customer', uuidOf(holder), command, cause);
    return await settle(state);
  } catch (error) {
    // What became of the change is known after a refusal only; otherwise an unused claim runs out by itself.
    if (error instanceof Rejected) await settle(await commands.load('customer', uuidOf(holder)));
    throw error;
  }
}
