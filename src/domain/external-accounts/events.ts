import { z } from 'zod';
import { type EventOf, instant, personal } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';
import type { AccountInfo } from './definitions.ts';

export const externalAccountStatuses = ['PENDING', 'ACTIVE', 'UNDER_REVIEW', 'INACTIVE'] as const;
export type ExternalAccountStatus = (typeof externalAccountStatuses)[number];

export const verificationStatuses = [
  'MATCHED',
  'PARTIAL_MATCH',
  'NOT_MATCHED',
  'UNSUPPORTED',
  'CHECKED_BY_RECEIVING_FI',
  'PENDING',
] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];

/** Checked when the account was registered; later changes of the rules do not make a stored account unreadable. */
const storedAccountInfo = z
  .custom<AccountInfo>((value) => typeof value === 'object' && value !== null && 'accountType' in value)
  .meta({ type: 'object', description: 'The account, discriminated by accountType.' });

const externalAccountId = idField('ExternalAccount');

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const externalAccountEvents = {
  ExternalAccountCreated: z.object({
    platformId: idField('Platform'),
    externalAccountId,
    /** Null when the account belongs to the platform. */
    customerId: idField('Customer').nullable(),
    platformAccountId: z.string().optional(),
    currency: z.string().min(1),
    accountInfo: personal(storedAccountInfo),
    ownershipType: z.string().optional(),
    defaultUmaDepositAccount: z.boolean(),
    /** The reservation that keeps a second account with the same number from being registered. */
    reservation: z.uuid(),
    status: z.enum(externalAccountStatuses),
    /** How the account matched its beneficiary's name; absent for wallets, which are not checked. */
    verification: z
      .object({ status: z.enum(verificationStatuses), fullName: personal(z.string()).optional() })
      .optional(),
    at: instant,
  }),
  ExternalAccountStatusChanged: z.object({
    externalAccountId,
    status: z.enum(externalAccountStatuses),
    /** Who changed it is the actor of the event. */
    reason: personal(z.string()),
    at: instant,
  }),
  /** The number that was reserved for it goes to somebody else: the account was not registered, and never will be. */
  ExternalAccountClaimEnded: z.object({ externalAccountId, at: instant }),
  ExternalAccountDeleted: z.object({ externalAccountId, reservation: z.uuid(), at: instant }),
};
export type ExternalAccountEvent = EventOf<typeof externalAccountEvents>;
