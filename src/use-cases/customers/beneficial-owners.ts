/** Who owns or controls a business, with the check of each. */
import { type KnownCustomer, requireNotDeleted } from '../../domain/customers/customer.ts';
import { requirePast } from '../../domain/values/dates.ts';
import type {
  KnownOwner,
  OwnerChanges,
  OwnerCommand,
  OwnerDetails,
} from '../../domain/verification/owner.ts';
import { isSamePerson } from '../../domain/verification/personal-info.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { idOf, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { merge } from '../../kernel/partial.ts';
import { badField } from '../../kernel/rejected.ts';
import type { Attempt } from '../attempt.ts';
import type { Commands } from '../commands.ts';
import { loadCustomer } from '../find/customer.ts';
import type { ScreeningOf } from './bounded-screening.ts';

type Deps = {
  readonly commands: Commands;
  readonly screeningOf: ScreeningOf;
  readonly now: () => Date;
};

/** Throws `Rejected` unless the customer is a business that is not deleted. */
export async function addOwner(
  { commands, screeningOf, now }: Deps,
  business: KnownCustomer,
  {
    roles,
    ownershipPercentage,
    personalInfo,
  }: Pick<OwnerDetails, 'roles' | 'ownershipPercentage' | 'personalInfo'>,
  { uuidFor, cause }: Attempt,
): Promise<KnownOwner> {
  requireNotDeleted(business);
  if (business.customerType !== 'BUSINESS') throw badField('customerId', 'must name a business');
  const at = now();
  requirePast('personalInfo.birthDate', personalInfo.birthDate, at);
  const screening = await screeningOf(business.platformId);
  const uuid = uuidFor('beneficial-owner');
  const { platformId, customerId } = business;
  const beneficialOwnerId = idOf('BeneficialOwner', uuid);
  const details = {
    platformId,
    beneficialOwnerId,
    customerId,
    kycStatus: await screening.owner({ platformId, customerId, beneficialOwnerId, personalInfo }),
    roles,
    ownershipPercentage,
    personalInfo,
    at,
  };
  return run(commands, uuid, { type: 'CreateBeneficialOwner', details }, cause);
}

/** Who becomes somebody else is checked again. Throws `Rejected` where the business is deleted. */
export async function changeOwner(
  { commands, screeningOf, now }: Deps,
  { platformId, customerId, beneficialOwnerId, personalInfo: known }: KnownOwner,
  asked: Omit<OwnerChanges, 'kycStatus'>,
  cause: Cause,
): Promise<KnownOwner> {
  requireNotDeleted(await loadCustomer(commands, platformId, customerId));
  const at = now();
  requirePast('personalInfo.birthDate', asked.personalInfo?.birthDate, at);
  const screening = await screeningOf(platformId);
  const personalInfo = asked.personalInfo ? merge(known, asked.personalInfo) : known;
  const isRenamed = asked.personalInfo?.lastName !== undefined;
  const owner = { platformId, customerId, beneficialOwnerId, personalInfo };
  const changes = {
    ...asked,
    ...((isRenamed || !isSamePerson(known, personalInfo)) && { kycStatus: await screening.owner(owner) }),
  };
  return run(commands, uuidOf(beneficialOwnerId), { type: 'UpdateBeneficialOwner', changes, at }, cause);
}

async function run(
  commands: Commands,
  uuid: string,
  command: OwnerCommand,
  cause: Cause,
): Promise<KnownOwner> {
  const { state } = await commands.run('beneficialOwner', uuid, command, cause);
  invariant(state.status !== 'none', 'changed an owner who is not there');
  return state;
}
