import { z } from 'zod';
import { type EventOf, instant, personal } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';
import { kycStatuses } from '../customers/events.ts';
import type { PersonalInfo } from './personal-info.ts';

export const ownerRoles = [
  'UBO',
  'DIRECTOR',
  'COMPANY_OFFICER',
  'CONTROL_PERSON',
  'TRUSTEE',
  'GENERAL_PARTNER',
] as const;

const roles = z.array(z.enum(ownerRoles)).min(1);
const kycStatus = z.enum(kycStatuses);
const beneficialOwnerId = idField('BeneficialOwner');
const customerId = idField('Customer');

/** Checked when it was given; later changes of the rules do not make a stored one unreadable. */
const personalInfo = personal(
  z
    .custom<PersonalInfo>((value) => typeof value === 'object' && value !== null && 'lastName' in value)
    .meta({ type: 'object', description: 'Who the owner is; firstName and lastName are always there.' }),
);

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const ownerEvents = {
  BeneficialOwnerCreated: z.object({
    platformId: idField('Platform'),
    beneficialOwnerId,
    /** The business that is owned. */
    customerId,
    roles,
    ownershipPercentage: z.number(),
    personalInfo,
    kycStatus,
    at: instant,
  }),
  /** Each field that is there has the value that holds from then on. */
  BeneficialOwnerUpdated: z.object({
    beneficialOwnerId,
    roles: roles.optional(),
    ownershipPercentage: z.number().optional(),
    personalInfo: personalInfo.optional(),
    kycStatus: kycStatus.optional(),
    /** Why somebody has decided on the owner alone, in the operator's words. */
    note: personal(z.string()).optional(),
    at: instant,
  }),
};
export type OwnerEvent = EventOf<typeof ownerEvents>;

export const verificationStatuses = [
  'RESOLVE_ERRORS',
  'IN_PROGRESS',
  'PENDING_MANUAL_REVIEW',
  'APPROVED',
  'REJECTED',
  'READY_FOR_VERIFICATION',
] as const;
export type VerificationStatus = (typeof verificationStatuses)[number];

export const verificationErrorTypes = [
  'MISSING_FIELD',
  'INVALID_FIELD',
  'MISSING_LEGAL_PRESENCE_DOCUMENT',
  'MISSING_CONTROL_STRUCTURE_DOCUMENT',
  'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
  'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
  'MISSING_IDENTITY_DOCUMENT',
  'INVALID_DOCUMENT',
  'EXPIRED_DOCUMENT',
  'POOR_QUALITY_DOCUMENT',
  'SUSPECTED_FRAUD_DOCUMENT',
  'WRONG_DOCUMENT_TYPE',
  'INCOMPLETE_DOCUMENT',
  'UNREADABLE_DOCUMENT',
  'DOCUMENT_VERIFICATION_FAILED',
  'APPLICANT_SANCTIONED',
  'APPLICANT_FRAUD',
  'APPLICANT_CRIMINAL_RECORD',
  'APPLICANT_REJECTED',
  'MISSING_BENEFICIAL_OWNER',
] as const;

export const verificationError = z.object({
  resourceId: z.string().min(1),
  type: z.enum(verificationErrorTypes),
  reason: z.string().min(1),
  /** Dotted, of the resource. */
  field: z.string().optional(),
  acceptedDocumentTypes: z.array(z.string()).optional(),
});
export type VerificationError = z.output<typeof verificationError>;

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const verificationEvents = {
  /** What is known of the customer was looked at, and came to something new, or there were new documents. */
  VerificationAssessed: z.object({
    platformId: idField('Platform'),
    verificationId: idField('Verification'),
    customerId,
    verificationStatus: z.enum(verificationStatuses),
    /** What keeps the verification from going on. */
    errors: z.array(verificationError),
    /** The documents that are part of it from now on; none while something is missing. */
    documents: z.array(idField('Document')).optional(),
    /** Where somebody has decided: the owners who waited, and which check of each it is on, counted from 1. */
    owners: z.array(z.object({ beneficialOwnerId, check: z.int().min(1) })).optional(),
    /** Where somebody has decided: the operator, or the screening after a while. */
    decidedBy: z.string().min(1).optional(),
    /** Why, in the operator's words. */
    note: personal(z.string()).optional(),
    at: instant,
  }),
};
export type VerificationEvent = EventOf<typeof verificationEvents>;
