import type { KycStatus } from './events.ts';

/** What a customer's account is when it is opened: who is not approved has it already, and cannot use it yet. */
export const statusOfNewAccount = (kycStatus: KycStatus): 'ACTIVE' | 'PENDING' =>
  kycStatus === 'APPROVED' ? 'ACTIVE' : 'PENDING';
