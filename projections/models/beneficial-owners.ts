import type { CustomerType } from '../../src/domain/customers/events.ts';
import type { KnownOwner } from '../../src/domain/verification/owner.ts';
import type { BeneficialOwnerId, CustomerId, PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import type { Projection } from '../projector/projection.ts';
import type { BeneficialOwnerRow } from '../tables/customers.ts';

export const beneficialOwners: Projection = {
  name: 'beneficial-owners',
  tables: ['beneficial_owners'],
  project(event, rows) {
    if (event.of === 'beneficialOwner' && event.state.status === 'known')
      rows.put('beneficial_owners', rowOfOwner(event.state));
  },
};

/** The row of an owner in a state. */
export const rowOfOwner = (owner: KnownOwner): BeneficialOwnerRow => ({
  id: owner.beneficialOwnerId,
  platform_id: owner.platformId,
  customer_id: owner.customerId,
  roles: owner.roles,
  ownership_percentage: owner.ownershipPercentage,
  personal_info: owner.personalInfo,
  kyc_status: owner.kycStatus,
  created_at: owner.at,
  updated_at: owner.updatedAt,
});

export const findBeneficialOwner = (db: ReadDb, platformId: PlatformId, id: BeneficialOwnerId) =>
  db
    .selectFrom('beneficial_owners')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('id', '=', id)
    .executeTakeFirst();

export const listBeneficialOwners = (
  db: ReadDb,
  platformId: PlatformId,
  customerId: CustomerId,
  page: PageRequest,
): Promise<Page<BeneficialOwnerRow>> =>
  paginate(
    db
      .selectFrom('beneficial_owners')
      .selectAll()
      .where('platform_id', '=', platformId)
      .where('customer_id', '=', customerId),
    page,
    { customerId, list: 'beneficial-owners' },
  );

export async function countOwnersOf(db: ReadDb, customerId: CustomerId): Promise<number> {
  const { count } = await db
    .selectFrom('beneficial_owners')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

type Owned = { readonly id: CustomerId; readonly customer_type: CustomerType };

/** The owners of those of the customers that are businesses, oldest first. */
export async function ownersOf(db: ReadDb, customers: readonly Owned[]): Promise<BeneficialOwnerRow[]> {
  const businesses = customers.filter(({ customer_type }) => customer_type === 'BUSINESS');
  if (businesses.length === 0) return [];
  return db
    .selectFrom('beneficial_owners')
    .selectAll()
    .where(
      'customer_id',
      'in',
      businesses.map(({ id }) => id),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}
