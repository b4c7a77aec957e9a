/**
 * A person who owns or controls a business. The person's own check starts with the creation, and again when it becomes
 * somebody else.
 */
import type { Decider } from '../../kernel/decider.ts';
import { invariant } from '../../kernel/invariant.ts';
import { differences, merge, type PartOf } from '../../kernel/partial.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { OwnerEvent } from './events.ts';
import type { PersonalInfo } from './personal-info.ts';

export type OwnerDetails = Extract<OwnerEvent, { type: 'BeneficialOwnerCreated' }>['data'];

/** What is left out stays as it is. */
export type OwnerChanges = {
  readonly roles?: OwnerDetails['roles'] | undefined;
  readonly ownershipPercentage?: number | undefined;
  /** Merged field by field; an address replaces the one before. */
  readonly personalInfo?: PartOf<PersonalInfo> | undefined;
  /** What the check of who it is now has come to. */
  readonly kycStatus?: OwnerDetails['kycStatus'] | undefined;
};

export type OwnerCommand =
  | { readonly type: 'CreateBeneficialOwner'; readonly details: OwnerDetails }
  | { readonly type: 'UpdateBeneficialOwner'; readonly changes: OwnerChanges; readonly at: Date };

export type KnownOwner = OwnerDetails & { readonly status: 'known'; readonly updatedAt: Date };
export type Owner = { readonly status: 'none' } | KnownOwner;

export const beneficialOwner: Decider<Owner, OwnerCommand, OwnerEvent> = {
  initial: { status: 'none' },

  decide(command, state) {
    if (command.type === 'CreateBeneficialOwner')
      return state.status === 'none' ? [{ type: 'BeneficialOwnerCreated', data: command.details }] : [];
    if (state.status === 'none') throw ownerNotFound();
    const { roles, ownershipPercentage, personalInfo, kycStatus } = command.changes;
    const merged = personalInfo && merge(state.personalInfo, personalInfo);
    const wanted = { roles, ownershipPercentage, personalInfo: merged, kycStatus };
    const changed = differences<OwnerDetails>(state, wanted);
    if (Object.keys(changed).length === 0) return [];
    const { beneficialOwnerId } = state;
    const data = { beneficialOwnerId, ...changed, at: command.at };
    return [{ type: 'BeneficialOwnerUpdated', data }];
  },

  evolve(state, event) {
    if (event.type === 'BeneficialOwnerCreated')
      return { ...event.data, status: 'known', updatedAt: event.data.at };
    invariant(state.status === 'known', 'an owner updated before there was one');
    const { roles, ownershipPercentage, personalInfo, kycStatus, at } = event.data;
    return {
      ...state,
      ...(roles && { roles }),
      ...(ownershipPercentage !== undefined && { ownershipPercentage }),
      ...(personalInfo && { personalInfo }),
      ...(kycStatus && { kycStatus }),
      updatedAt: at,
    };
  },
};

export const ownerNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such beneficial owner.', { resource: 'BeneficialOwner' });
