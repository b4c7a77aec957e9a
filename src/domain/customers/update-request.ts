/** Which changes an update may ask for. */

import { badField, badFields } from '../../kernel/rejected.ts';
import { requireSupported } from '../platforms/limits.ts';
import type { ActivePlatform } from '../platforms/platform.ts';
import { requirePast } from '../values/dates.ts';
import type { CustomerChanges } from './changes.ts';
import type { KnownCustomer } from './customer.ts';
import type { CustomerType } from './events.ts';
import { addressOf } from './names.ts';

/** What is left out stays as it is. */
export type CustomerUpdate = CustomerChanges & {
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
  requireSameKind(request, customer);
  if (platform.strictFields) requireRead(request, customer);
  const { umaAddress, currencies, businessInfo, email, phoneNumber, address } = request;
  if (email !== undefined && phoneNumber !== undefined)
    throw badField('phoneNumber', 'cannot be changed together with email: send two requests');
  const isBusiness = customer.customerType === 'BUSINESS';
  if (isBusiness) requirePast('businessInfo.incorporatedOn', businessInfo?.incorporatedOn, at);
  else requirePast('birthDate', request.birthDate, at);
  // An address that the customer has already stays good when the platform's domain has changed since.
  const isNew = umaAddress !== undefined && umaAddress.toLowerCase() !== customer.umaAddress;
  const newAddress = isNew ? addressOf(umaAddress, platform) : undefined;
  // One that the customer has already stays when the platform's list has changed since.
  const added = currencies?.filter((code) => !customer.currencies.includes(code)) ?? [];
  requireSupported(platform, added);
  return {
    ...(newAddress !== undefined && { umaAddress: newAddress }),
    ...(currencies && { currencies: [...new Set(currencies)] }),
    email,
    phoneNumber,
    address,
    ...(isBusiness ? { businessInfo } : personOf(request)),
  };
}

function requireSameKind({ region, customerType }: CustomerUpdate, customer: KnownCustomer): void {
  if (region !== undefined && region !== customer.region)
    throw badField('region', `cannot be changed: it is ${customer.region}`);
  if (customerType !== undefined && customerType !== customer.customerType)
    throw badField('customerType', `cannot be changed: it is ${customer.customerType}`);
}

/** The fields of the request that are not read, since customers of the other type have them alone. */
export function unreadOf(request: CustomerUpdate, { customerType }: KnownCustomer): readonly string[] {
  const { businessInfo } = request;
  const others = customerType === 'BUSINESS' ? personOf(request) : { businessInfo };
  return Object.entries(others).flatMap(([field, value]) => (value === undefined ? [] : [field]));
}

function requireRead(request: CustomerUpdate, customer: KnownCustomer): void {
  const message = `is not read of a customer who is ${customer.customerType}`;
  const errors = unreadOf(request, customer).map((field) => ({ field, message }));
  if (errors.length > 0) throw badFields(errors);
}

function personOf(request: CustomerUpdate): CustomerChanges {
  const { fullName, birthDate, nationality, idType, identifier, countryOfIssuance } = request;
  return { fullName, birthDate, nationality, idType, identifier, countryOfIssuance };
}
