import { sql } from 'kysely';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { CustomerDetails, KnownCustomer } from '../../src/domain/customers/customer.ts';
import type { CustomerType } from '../../src/domain/customers/events.ts';
import type { CustomerId, PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import { handlersOf, type Projection, platformOf } from '../projector/projection.ts';
import type { CustomerProfile, CustomerRow } from '../tables/customers.ts';

type CustomerEvents = Extract<
  DomainEvent,
  { type: 'CustomerCreated' | 'CustomerStatusChanged' | 'CustomerUpdated' | 'CustomerDeleted' }
>;

export const customers: Projection = {
  name: 'customers',
  tables: ['customers'],
  project: handlersOf<CustomerEvents>({
    CustomerCreated: (event, db) =>
      db
        .insertInto('customers')
        .values(toRow(platformOf(event), event.data))
        .execute(),
    CustomerStatusChanged: ({ data }, db) =>
      db
        .updateTable('customers')
        .set({ kyc_status: data.kycStatus, updated_at: data.at })
        .where('id', '=', data.customerId)
        .returning('id')
        .executeTakeFirstOrThrow(),
    CustomerUpdated: ({ data }, db) => {
      const { customerId, umaAddress, currencies, at } = data;
      return db
        .updateTable('customers')
        .set({
          ...(umaAddress !== undefined && { uma_address: umaAddress }),
          ...(currencies && { currencies }),
          details: sql`details || ${JSON.stringify(profileOf(data))}::jsonb`,
          updated_at: at,
        })
        .where('id', '=', customerId)
        .returning('id')
        .executeTakeFirstOrThrow();
    },
    CustomerDeleted: ({ data }, db) =>
      db
        .updateTable('customers')
        .set({ is_deleted: true, updated_at: data.at })
        .where('id', '=', data.customerId)
        .returning('id')
        .executeTakeFirstOrThrow(),
  }),
};

/** The row of a customer that was just created. */
export function toRow(platformId: PlatformId, details: CustomerDetails): CustomerRow {
  return {
    id: details.customerId,
    platform_id: platformId,
    platform_customer_id: details.platformCustomerId,
    customer_type: details.customerType,
    uma_address: details.umaAddress,
    region: details.region,
    currencies: details.currencies,
    kyc_status: details.kycStatus,
    is_deleted: false,
    details: profileOf(details),
    created_at: details.at,
    updated_at: details.at,
  };
}

/** The row of a customer in a state that was just decided. */
export const rowOfCustomer = (state: KnownCustomer): CustomerRow => ({
  ...toRow(state.platformId, state),
  is_deleted: state.status === 'deleted',
  updated_at: state.updatedAt,
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

/** The filters of `GET /customers` (completion 4), all inclusive. */
export type CustomerFilters = {
  readonly platformCustomerId?: string | undefined;
  readonly customerType?: CustomerType | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedAfter?: Date | undefined;
  readonly updatedBefore?: Date | undefined;
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
  const { createdAfter, createdBefore, updatedAfter, updatedBefore } = filters;
  const query = db
    .selectFrom('customers')
    .selectAll()
    .where('platform_id', '=', platformId)
    .$if(!isIncludingDeleted, (q) => q.where('is_deleted', '=', false))
    .$if(platformCustomerId !== undefined, (q) =>
      q.where('platform_customer_id', '=', platformCustomerId ?? ''),
    )
    .$if(customerType !== undefined, (q) => q.where('customer_type', '=', customerType ?? 'INDIVIDUAL'))
    .$if(region !== undefined, (q) => q.where('region', '=', region ?? ''))
    .$if(currency !== undefined, (q) =>
      q.where(({ eb, val, ref }) => eb(val(currency ?? ''), '=', eb.fn.any(ref('currencies')))),
    )
    .$if(umaAddress !== undefined, (q) => q.where('uma_address', '=', (umaAddress ?? '').toLowerCase()));
  const dated = [
    ['created_at', '>=', createdAfter],
    ['created_at', '<=', createdBefore],
    ['updated_at', '>=', updatedAfter],
    ['updated_at', '<=', updatedBefore],
  ] as const;
  const bounded = dated.reduce(
    (q, [column, operator, at]) => (at ? q.where(column, operator, at) : q),
    query,
  );
  return paginate(bounded, page, { ...filters, list: 'customers' });
}
