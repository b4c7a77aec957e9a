/** What a verification has come to is the customer's status, and the documents that it looked at are part of it. */

import { uuidOf } from '../../kernel/ids.ts';
import type { Instruction, Reaction } from '../aggregates.ts';
import type { VerificationStatus } from '../verification/events.ts';

const kycStatusOf = {
  RESOLVE_ERRORS: undefined,
  READY_FOR_VERIFICATION: undefined,
  IN_PROGRESS: 'PENDING',
  PENDING_MANUAL_REVIEW: 'PENDING',
  APPROVED: 'APPROVED',
  REJECTED: 'REJECTED',
} as const satisfies Record<VerificationStatus, unknown>;

export const verificationReaction: Reaction = (event) => {
  if (event.type !== 'VerificationAssessed') return [];
  const { customerId, verificationStatus, documents = [], at } = event.data;
  const submissions = documents.map(
    (id): Instruction => ({
      to: 'document',
      uuid: uuidOf(id),
      command: { type: 'SubmitDocument', at },
    }),
  );
  const kycStatus = kycStatusOf[verificationStatus];
  if (!kycStatus) return [];
  const command = { type: 'ChangeCustomerStatus', kycStatus, at } as const;
  return [...submissions, { to: 'customer', uuid: uuidOf(customerId), command }];
};
