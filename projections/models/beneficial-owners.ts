import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { CustomerType } from '../../src/domain/customers/events.ts';
import type { KnownOwner, OwnerDetails } from '../../src/domain/verification/owner.ts';
import type { BeneficialOwnerId, CustomerId, PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import { handlersOf, type Projection, platformOf } from '../projector/projection.ts';
import type { BeneficialOwnerRow } from '../tables/customers.ts';

type OwnerEvents = Extract<DomainEvent, { type: 'BeneficialOwnerCreated' | 'BeneficialOwnerUpdated' }>;

export const beneficialOwners: Projection = {
  name: 'beneficial-owners',
  tables: ['beneficial_owners'],
  project: handlersOf<OwnerEvents>({
    BeneficialOwnerCreated: (event, db) =>
      db
        .insertInto('beneficial_owners')
        .values(toRow(platformOf(event), event.data))
        .execute(),
    BeneficialOwnerUpdated: ({ data }, db) => {
      const { roles, ownershipPercentage, personalInfo, kycStatus, at } = data;
      return db
        .updateTable('beneficial_owners')
        .set({
          ...(roles && { roles }),
          ...(ownershipPercentage !== undefined && { ownership_percentage: ownershipPercentage }),
          ...(personalInfo && { personal_info: personalInfo }),
          ...(kycStatus && { kyc_status: kycStatus }),
          updated_at: at,
        })
        .where('id', '=', data.beneficialOwnerId)
        .returning('id')
        .executeTakeFirstOrThrow();
    },
  }),
};

const toRow = (platformId: PlatformId, details: OwnerDetails): BeneficialOwnerRow => ({
  id: details.beneficialOwnerId,
  platform_id: platformId,
  customer_id: details.customerId,
  roles: details.roles,
  ownership_percentage: details.ownershipPercentage,
  personal_info: details.personalInfo,
  kyc_status: details.kycStatus,
  created_at: details.at,
  updated_at: details.at,
});

/** The row of an owner in a state that was just decided. */
export const rowOfOwner = (state: KnownOwner): BeneficialOwnerRow => ({
  ...toRow(state.platformId, state),
  updated_at: state.updatedAt,
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
