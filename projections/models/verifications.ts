import { sql } from 'kysely';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { VerificationError, VerificationStatus } from '../../src/domain/verification/events.ts';
import type { AssessedVerification } from '../../src/domain/verification/verification.ts';
import type { CustomerId, PlatformId, VerificationId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import { handlersOf, type Projection, platformOf } from '../projector/projection.ts';
import type { VerificationRow } from '../tables/customers.ts';

export const verifications: Projection = {
  name: 'verifications',
  tables: ['verifications'],
  project: handlersOf<Extract<DomainEvent, { type: 'VerificationAssessed' }>>({
    VerificationAssessed: (event, db) => {
      const { verificationId, customerId, verificationStatus: status, at } = event.data;
      const errors = sql<VerificationError[]>`${JSON.stringify(event.data.errors)}::jsonb`;
      return db
        .insertInto('verifications')
        .values({
          ...{ id: verificationId, platform_id: platformOf(event), customer_id: customerId },
          ...{ status, errors, created_at: at, updated_at: at },
        })
        .onConflict((known) => known.column('id').doUpdateSet({ status, errors, updated_at: at }))
        .execute();
    },
  }),
};

/** The row of a verification in a state that was just decided. */
export const rowOfVerification = (state: AssessedVerification): VerificationRow => ({
  id: state.verificationId,
  platform_id: state.platformId,
  customer_id: state.customerId,
  status: state.verificationStatus,
  errors: [...state.errors],
  created_at: state.createdAt,
  updated_at: state.updatedAt,
});

export const findVerification = (db: ReadDb, platformId: PlatformId, id: VerificationId) =>
  db
    .selectFrom('verifications')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('id', '=', id)
    .executeTakeFirst();

export type VerificationFilters = {
  readonly customerId?: CustomerId | undefined;
  readonly verificationStatus?: VerificationStatus | undefined;
};

export function listVerifications(
  db: ReadDb,
  platformId: PlatformId,
  filters: VerificationFilters,
  page: PageRequest,
): Promise<Page<VerificationRow>> {
  const { customerId, verificationStatus } = filters;
  let query = db.selectFrom('verifications').selectAll().where('platform_id', '=', platformId);
  if (customerId !== undefined) query = query.where('customer_id', '=', customerId);
  if (verificationStatus !== undefined) query = query.where('status', '=', verificationStatus);
  return paginate(query, page, { ...filters, list: 'verifications' });
}
