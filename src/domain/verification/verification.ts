/**
 * The verification of a customer: one each, which is assessed again whenever the platform asks, until it is APPROVED or
 * REJECTED. Nothing is recorded where an assessment comes to what is known, and there is no new document to look at.
 */
import type { Decider } from '../../kernel/decider.ts';
import {
  type BeneficialOwnerId,
  type CustomerId,
  type DocumentId,
  derivedUuid,
  idOf,
  type PlatformId,
  type VerificationId,
} from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Finding, Verdict } from '../ports/screening.ts';
import type { VerificationError, VerificationEvent, VerificationStatus } from './events.ts';

type Assess = {
  readonly type: 'AssessVerification';
  readonly platformId: PlatformId;
  readonly customerId: CustomerId;
  /** What the check has come to; absent while it goes on. */
  readonly finding: Finding | undefined;
  /** What is missing for the check to begin. */
  readonly errors: readonly VerificationError[];
  /** What there is to look at. */
  readonly documents: readonly DocumentId[];
  readonly at: Date;
};

/** One of an owner's checks, counted from 1. */
export type OwnerCheck = { readonly beneficialOwnerId: BeneficialOwnerId; readonly check: number };

type Decide = {
  readonly type: 'DecideVerification';
  readonly verdict: Verdict;
  /** Those of the business who wait for their check: it is decided with the verification. */
  readonly owners: readonly OwnerCheck[];
  readonly note?: string | undefined;
  readonly by: string;
  readonly at: Date;
};

export type VerificationCommand = Assess | Decide;

export type AssessedVerification = {
  readonly status: 'assessed';
  readonly verificationId: VerificationId;
  readonly platformId: PlatformId;
  readonly customerId: CustomerId;
  readonly verificationStatus: VerificationStatus;
  readonly errors: readonly VerificationError[];
  /** Those that are part of it. */
  readonly documents: readonly DocumentId[];
  /** Those whose checks were decided with it. */
  readonly owners: readonly OwnerCheck[];
  /** Whether its last event has changed what it shows; new documents alone do not. */
  readonly isNews: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};
export type Verification = { readonly status: 'none' } | AssessedVerification;

export const verification: Decider<Verification, VerificationCommand, VerificationEvent> = {
  initial: { status: 'none' },

  decide(command, state) {
    return command.type === 'AssessVerification' ? assess(command, state) : end(command, state);
  },

  evolve(state, { data: { at, documents = [], owners = [], decidedBy: _by, note: _note, ...assessed } }) {
    if (state.status === 'none')
      return {
        status: 'assessed',
        ...assessed,
        documents,
        owners,
        isNews: true,
        createdAt: at,
        updatedAt: at,
      };
    const isNews = !isKnown(assessed, state);
    const all = [...state.documents, ...documents];
    return {
      ...state,
      ...assessed,
      documents: all,
      owners,
      isNews,
      updatedAt: isNews ? at : state.updatedAt,
    };
  },
};

type Shown = Pick<AssessedVerification, 'verificationStatus' | 'errors'>;

const isKnown = ({ verificationStatus, errors }: Shown, known: Shown): boolean =>
  verificationStatus === known.verificationStatus && JSON.stringify(errors) === JSON.stringify(known.errors);

function assess(
  { platformId, customerId, finding, errors: missing, documents, at }: Assess,
  state: Verification,
): readonly VerificationEvent[] {
  const current = state.status === 'none' ? undefined : state.verificationStatus;
  if (current === 'APPROVED' || current === 'REJECTED') throw alreadyVerified(current);
  // A check that has begun goes on with what it was given.
  const errors = finding || current === 'IN_PROGRESS' ? [] : [...missing];
  const verificationStatus: VerificationStatus = finding
    ? statusOf[finding]
    : errors.length > 0
      ? 'RESOLVE_ERRORS'
      : 'IN_PROGRESS';
  const before = state.status === 'none' ? [] : state.documents;
  const added = errors.length > 0 ? [] : documents.filter((id) => !before.includes(id));
  if (added.length === 0 && state.status !== 'none' && isKnown({ verificationStatus, errors }, state))
    return [];
  const verificationId = verificationIdOf(customerId);
  const about = { platformId, verificationId, customerId };
  const submitted = added.length === 0 ? {} : { documents: added };
  const data = { ...about, verificationStatus, errors, ...submitted, at };
  return [{ type: 'VerificationAssessed', data }];
}

/** Whatever is missing: whoever decides has seen enough. */
function end({ verdict, owners, note, by, at }: Decide, state: Verification): readonly VerificationEvent[] {
  if (state.status === 'none') throw verificationNotFound();
  const { platformId, verificationId, customerId, verificationStatus } = state;
  if (verificationStatus === verdict) return [];
  if (verificationStatus === 'APPROVED' || verificationStatus === 'REJECTED')
    throw new Rejected('CONFLICT', `The verification has ended as ${verificationStatus}.`);
  const about = { platformId, verificationId, customerId };
  const decided = {
    ...(owners.length > 0 && { owners: [...owners] }),
    decidedBy: by,
    ...(note !== undefined && { note }),
  };
  const data = { ...about, verificationStatus: verdict, errors: [], ...decided, at };
  return [{ type: 'VerificationAssessed', data }];
}

const statusOf = {
  PENDING: 'PENDING_MANUAL_REVIEW',
  APPROVED: 'APPROVED',
  REJECTED: 'REJECTED',
} as const satisfies Record<Finding, VerificationStatus>;

/** A customer has one verification, so that requests at once meet in one stream. */
export const verificationIdOf = (customerId: CustomerId): VerificationId =>
  idOf('Verification', derivedUuid('verification', customerId));

/** Throws `Rejected` (400) for a customer whose verification has ended. */
export const alreadyVerified = (status: string) =>
  new Rejected('INVALID_INPUT', `The customer is ${status} already.`, {
    errors: [{ field: 'customerId', message: `names a customer who is ${status} already` }],
  });

/** Each is submitted by a command of its own, for which whatever else follows from the log waits. */
export const documentsMax = 200;

/** Throws `Rejected` (409) for more than a verification takes, of the customer and of its owners. */
export function requireFewDocuments(many: number): void {
  if (many > documentsMax)
    throw new Rejected(
      'CONFLICT',
      `A verification takes ${documentsMax} documents at most, and there are ${many}. Delete those that it does not need.`,
    );
}

export const verificationNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such verification.', { resource: 'Verification' });
