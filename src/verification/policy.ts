/** What a verification has come to is the customer's status. */
import type { Policy } from '../aggregates.ts';
import { uuidOf } from '../infrastructure/ids.ts';
import type { VerificationStatus } from './events.ts';

const kycStatusOf = {
  RESOLVE_ERRORS: undefined,
  READY_FOR_VERIFICATION: undefined,
  IN_PROGRESS: 'PENDING',
  PENDING_MANUAL_REVIEW: 'PENDING',
  APPROVED: 'APPROVED',
  REJECTED: 'REJECTED',
} as const satisfies Record<VerificationStatus, unknown>;

export const verificationPolicy: Policy = (event) => {
  if (event.type !== 'VerificationAssessed') return [];
  const { customerId, verificationStatus, at } = event.data;
  const kycStatus = kycStatusOf[verificationStatus];
  if (!kycStatus) return [];
  const command = { type: 'ChangeCustomerStatus', kycStatus, at } as const;
  return [{ to: 'customer', uuid: uuidOf(customerId), command }];
};
