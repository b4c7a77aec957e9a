/** What an update changes: only what is not so already, with addresses and businessInfo merged field by field. */

import { differences, merge, type PartOf } from '../../kernel/partial.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { CustomerEvent } from './events.ts';

type Created = Extract<CustomerEvent, { type: 'CustomerCreated' }>['data'];
type Simple = Pick<
  Created,
  | 'email'
  | 'phoneNumber'
  | 'fullName'
  | 'birthDate'
  | 'nationality'
  | 'idType'
  | 'identifier'
  | 'countryOfIssuance'
>;
type Merged = {
  address: NonNullable<Created['address']>;
  businessInfo: NonNullable<Created['businessInfo']>;
};

/** What is left out stays as it is. */
export type CustomerChanges = PartOf<Simple> & {
  readonly umaAddress?: string | undefined;
  /** Replaces the list. */
  readonly currencies?: string[] | undefined;
  readonly address?: PartOf<Merged['address']> | undefined;
  readonly businessInfo?: PartOf<Merged['businessInfo']> | undefined;
};

type Fields = Partial<Pick<Created, 'umaAddress' | 'currencies'>> & Simple & Partial<Merged>;

/** Throws `Rejected` where parts of an address are given to a customer who has none, and others are missing. */
export function changedFields(
  customer: Created,
  { address, businessInfo, ...rest }: CustomerChanges,
): Fields {
  const info = businessInfo && customer.businessInfo && merge(customer.businessInfo, businessInfo);
  const wanted = { ...rest, address: address && completeAddress(customer, address), businessInfo: info };
  return differences<Fields>(customer, wanted);
}

function completeAddress({ address: current }: Created, part: PartOf<Merged['address']>): Merged['address'] {
  if (current) return merge(current, part);
  const { line1, postalCode, country } = part;
  if (line1 !== undefined && postalCode !== undefined && country !== undefined)
    return merge({ line1, postalCode, country }, part);
  const missing = Object.entries({ line1, postalCode, country }).filter(([, value]) => value === undefined);
  const message = 'is required where the customer has no address yet';
  const errors = missing.map(([field]) => ({ field: `address.${field}`, message }));
  throw new Rejected('INVALID_INPUT', `The address ${message} in full.`, { errors });
}
