/**
 * A person who owns or controls a business. The person's own check starts with the creation, and again when it becomes
 * somebody else.
 */
import type { Decider } from '../../kernel/decider.ts';
import { invariant } from '../../kernel/invariant.ts';
import { differences, merge, type PartOf } from '../../kernel/partial.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Finding, Verdict } from '../ports/screening.ts';
import type { OwnerEvent } from './events.ts';
import { isSamePerson, type PersonalInfo } from './personal-info.ts';

export type OwnerDetails = Extract<OwnerEvent, { type: 'BeneficialOwnerCreated' }>['data'];

/** What is left out stays as it is. */
export type OwnerChanges = {
  readonly roles?: OwnerDetails['roles'] | undefined;
  readonly ownershipPercentage?: number | undefined;
  /** Merged field by field; an address replaces the one before. */
  readonly personalInfo?: PartOf<PersonalInfo> | undefined;
};

/** What a check has come to, and who was checked. */
export type PersonCheck = { readonly of: PersonalInfo; readonly finding: Finding };

export type OwnerCommand =
  | { readonly type: 'CreateBeneficialOwner'; readonly details: OwnerDetails }
  | {
      readonly type: 'UpdateBeneficialOwner';
      readonly changes: OwnerChanges;
      /** Of who it is by the changes; left out where that is who it was. */
      readonly check?: PersonCheck | undefined;
      readonly at: Date;
    }
  /** Somebody's decision, for an owner who waits for one. */
  | {
      readonly type: 'DecideBeneficialOwner';
      readonly verdict: Verdict;
      /** The check that it is on, where it is the verification's: a later one has another owner to look at. */
      readonly check?: number | undefined;
      readonly note?: string | undefined;
      readonly at: Date;
    };

export type KnownOwner = OwnerDetails & {
  readonly status: 'known';
  /** How often there was somebody else to check, or another result. */
  readonly checks: number;
  readonly updatedAt: Date;
};
export type Owner = { readonly status: 'none' } | KnownOwner;

export const beneficialOwner: Decider<Owner, OwnerCommand, OwnerEvent> = {
  initial: { status: 'none' },

  decide(command, state) {
    if (command.type === 'CreateBeneficialOwner')
      return state.status === 'none' ? [{ type: 'BeneficialOwnerCreated', data: command.details }] : [];
    if (state.status === 'none') throw ownerNotFound();
    const { beneficialOwnerId } = state;
    const wanted =
      command.type === 'UpdateBeneficialOwner' ? wantedBy(command, state) : decidedBy(command, state);
    const changed = differences<OwnerDetails>(state, wanted);
    if (Object.keys(changed).length === 0) return [];
    const note = command.type === 'DecideBeneficialOwner' ? command.note : undefined;
    const data = { beneficialOwnerId, ...changed, ...(note !== undefined && { note }), at: command.at };
    return [{ type: 'BeneficialOwnerUpdated', data }];
  },

  evolve(state, event) {
    if (event.type === 'BeneficialOwnerCreated')
      return { ...event.data, status: 'known', checks: 1, updatedAt: event.data.at };
    invariant(state.status === 'known', 'an owner updated before there was one');
    const { roles, ownershipPercentage, personalInfo, kycStatus, at } = event.data;
    return {
      ...state,
      ...(roles && { roles }),
      ...(ownershipPercentage !== undefined && { ownershipPercentage }),
      ...(personalInfo && { personalInfo }),
      ...(kycStatus && { kycStatus }),
      checks: state.checks + (personalInfo || kycStatus ? 1 : 0),
      updatedAt: at,
    };
  },
};

/** Who an owner is by changes of who it was. */
export const personBy = ({ personalInfo }: OwnerChanges, known: PersonalInfo): PersonalInfo =>
  personalInfo ? merge(known, personalInfo) : known;

type Update = Extract<OwnerCommand, { type: 'UpdateBeneficialOwner' }>;
type Decide = Extract<OwnerCommand, { type: 'DecideBeneficialOwner' }>;

function wantedBy({ changes, check }: Update, { personalInfo: known }: KnownOwner): PartOf<OwnerDetails> {
  const { roles, ownershipPercentage } = changes;
  const personalInfo = personBy(changes, known);
  // Of changes at the same time each is checked by itself: together they may make somebody whom nobody has looked at.
  if (!isSamePerson(check ? check.of : known, personalInfo)) throw new AnotherWasChecked();
  return { roles, ownershipPercentage, personalInfo, kycStatus: check?.finding };
}

function decidedBy({ verdict, check }: Decide, { kycStatus, checks }: KnownOwner): PartOf<OwnerDetails> {
  if (check !== undefined && check !== checks) return {};
  if (kycStatus === 'PENDING') return { kycStatus: verdict };
  if (check === undefined && kycStatus !== verdict)
    throw new Rejected('CONFLICT', `The check of the beneficial owner has ended as ${kycStatus}.`);
  return {};
}

/** All of them are shown with their business, and looked at in its verification. */
export const ownersMax = 100;

/** Throws `Rejected` (409) where a business has so many owners that it takes no other. */
export function requireRoomForOwner(many: number): void {
  if (many >= ownersMax)
    throw new Rejected('CONFLICT', `A business has ${ownersMax} beneficial owners at most.`);
}

/** Who the owner would be by a change is not who was checked. */
export class AnotherWasChecked extends Rejected {
  constructor() {
    super('CONFLICT', 'The beneficial owner was changed at the same time. Send the request again.');
  }
}

export const ownerNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such beneficial owner.', { resource: 'BeneficialOwner' });
