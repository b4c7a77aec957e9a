import { sql } from 'kysely';
import type { KnownCustomer } from '../../src/domain/customers/customer.ts';
import type { CustomerType } from '../../src/domain/customers/events.ts';
import type { CustomerId, PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type ChangedWithin, within } from '../dates.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import type { Projection } from '../projector/projection.ts';
import type { CustomerProfile, CustomerRow } from '../tables/customers.ts';

export const customers: Projection = {
  name: 'customers',
  tables: ['customers'],
  project(event, rows) {
    if (event.of === 'customer' && event.state.status !== 'none')
      rows.put('customers', rowOfCustomer(event.state));
  },
};

/** The row of a customer in a state. */
export const rowOfCustomer = (customer: KnownCustomer): CustomerRow => ({
  id: customer.customerId,
  platform_id: customer.platformId,
  platform_customer_id: customer.platformCustomerId,
  customer_type: customer.customerType,
  uma_address: customer.umaAddress,
  region: customer.region,
  currencies: customer.currencies,
  kyc_status: customer.kycStatus,
  is_deleted: customer.status === 'deleted',
  details: profileOf(customer),
  created_at: customer.at,
  updated_at: customer.updatedAt,
});

function profileOf(of: CustomerProfile): CustomerProfile {
  const { email, phoneNumber, fullName, birthDate, nationality, address } = of;
  const { idType, countryOfIssuance, businessInfo } = of;
  const individual = { fullName, birthDate, nationality, idType, countryOfIssuance };
  return { email, phoneNumber, address, ...individual, businessInfo };
}

export const findCustomer = (
  db: ReadDb,
  platformId: PlatformId,
  id: CustomerId,
): Promise<CustomerRow | undefined> =>
  db
    .selectFrom('customers')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Whether a customer of any other platform has a payment address at the domain, and is not deleted. */
export async function hasAddressOfOthers(
  db: ReadDb,
  platformId: PlatformId,
  domain: string,
): Promise<boolean> {
  // On each side of the platform's own, which an index passes over where it does not by `<>`.
  const beside = (side: '<' | '>') =>
    db
      .selectFrom('customers')
      .select('id')
      .where(sql<string>`split_part(uma_address, '@', 2)`, '=', domain)
      .where('platform_id', side, platformId)
      .where('is_deleted', '=', false)
      .limit(1)
      .executeTakeFirst();
  return ((await beside('<')) ?? (await beside('>'))) !== undefined;
}

/** The filters of `GET /customers`, all inclusive. */
export type CustomerFilters = ChangedWithin & {
  readonly platformCustomerId?: string | undefined;
  readonly customerType?: CustomerType | undefined;
  readonly region?: string | undefined;
  readonly currency?: string | undefined;
  readonly umaAddress?: string | undefined;
  readonly isIncludingDeleted?: boolean | undefined;
};

export function listCustomers(
  db: ReadDb,
  platformId: PlatformId,
  filters: CustomerFilters,
  page: PageRequest,
): Promise<Page<CustomerRow>> {
  const { platformCustomerId, customerType, region, currency, umaAddress, isIncludingDeleted } = filters;
  const query = db
    .selectFrom('customers')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where(within(filters))
    .$if(!isIncludingDeleted, (q) => q.where('is_deleted', '=', false))
    .$if(platformCustomerId !== undefined, (q) =>
      q.where('platform_customer_id', '=', platformCustomerId ?? ''),
    )
    .$if(customerType !== undefined, (q) => q.where('customer_type', '=', customerType ?? 'INDIVIDUAL'))
    .$if(region !== undefined, (q) => q.where('region', '=', region ?? ''))
    .$if(currency !== undefined, (q) => q.where(sql<boolean>`currencies @> array[${currency ?? ''}]::text[]`))
    .$if(umaAddress !== undefined, (q) => q.where('uma_address', '=', (umaAddress ?? '').toLowerCase()));
  return paginate(query, page, { ...filters, list: 'customers' });
}
