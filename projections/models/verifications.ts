import type { VerificationStatus } from '../../src/domain/verification/events.ts';
import type { AssessedVerification } from '../../src/domain/verification/verification.ts';
import type { CustomerId, PlatformId, VerificationId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { type Page, type PageRequest, paginate, paginateUncounted } from '../pagination.ts';
import type { Projection } from '../projector/projection.ts';
import type { VerificationRow } from '../tables/customers.ts';

export const verifications: Projection = {
  name: 'verifications',
  tables: ['verifications'],
  project(event, rows) {
    if (event.of === 'verification' && event.state.status !== 'none')
      rows.put('verifications', rowOfVerification(event.state));
  },
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

/**
 * Those of all platforms that wait for somebody's decision, the oldest first; of a deleted customer none does. Throws
 * `Rejected` for a cursor that is not ours.
 */
export function openVerifications(
  db: ReadDb,
  page: PageRequest,
): Promise<Pick<Page<VerificationRow>, 'rows' | 'nextCursor'>> {
  const query = db
    .selectFrom('verifications')
    .selectAll()
    .where('status', 'in', ['IN_PROGRESS', 'PENDING_MANUAL_REVIEW'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('customers')
          .select('customers.id')
          .whereRef('customers.id', '=', 'verifications.customer_id')
          .where('is_deleted', '=', false),
      ),
    );
  return paginateUncounted(query, page, { list: 'open-verifications' }, 'asc');
}
