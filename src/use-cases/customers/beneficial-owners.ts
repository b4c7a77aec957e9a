/** Who owns or controls a business, with the check of each. */
import type { ReadDb } from '../../../projections/database.ts';
import { countOwnersOf } from '../../../projections/models/beneficial-owners.ts';
import { type KnownCustomer, requireNotDeleted } from '../../domain/customers/customer.ts';
import { requirePast } from '../../domain/values/dates.ts';
import {
  AnotherWasChecked,
  type KnownOwner,
  type OwnerChanges,
  type OwnerCommand,
  type OwnerDetails,
  type PersonCheck,
  personBy,
  requireRoomForOwner,
} from '../../domain/verification/owner.ts';
import { isSamePerson } from '../../domain/verification/personal-info.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { idOf, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { badField } from '../../kernel/rejected.ts';
import type { Attempt } from '../attempt.ts';
import type { Commands } from '../commands.ts';
import { loadBeneficialOwner } from '../find/beneficial-owner.ts';
import { loadCustomer } from '../find/customer.ts';
import type { BoundedScreening, ScreeningOf } from './bounded-screening.ts';
import { stillThere, whileThere } from './while-there.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly screeningOf: ScreeningOf;
  readonly now: () => Date;
};

/**
 * Throws `Rejected` unless the customer is a business that is not deleted, and has room for another. Those that are added
 * at the same moment do not count.
 */
export async function addOwner(
  { commands, readDb, screeningOf, now }: Deps,
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
  requireRoomForOwner(await countOwnersOf(readDb, business.customerId));
  const screening = await screeningOf(business.platformId);
  const uuid = uuidFor('beneficial-owner');
  const { platformId, customerId } = business;
  const beneficialOwnerId = idOf('BeneficialOwner', uuid);
  const kycStatus = await screening.owner({ platformId, customerId, beneficialOwnerId, personalInfo });
  const ofBusiness = await stillThere(commands, customerId, cause);
  const details = {
    platformId,
    beneficialOwnerId,
    customerId,
    kycStatus,
    roles,
    ownershipPercentage,
    personalInfo,
    at,
  };
  const command = { type: 'CreateBeneficialOwner', details } as const;
  return run(commands, uuid, command, ofBusiness);
}

/** How often somebody is checked who was changed meanwhile. */
const checksMax = 3;

/** Who becomes somebody else is checked again. Throws `Rejected` where the business is deleted. */
export async function changeOwner(
  { commands, screeningOf, now }: Deps,
  known: KnownOwner,
  changes: OwnerChanges,
  cause: Cause,
): Promise<KnownOwner> {
  const { platformId, customerId, beneficialOwnerId } = known;
  requireNotDeleted(await loadCustomer(commands, platformId, customerId));
  const at = now();
  requirePast('personalInfo.birthDate', changes.personalInfo?.birthDate, at);
  const screening = await screeningOf(platformId);
  const change = async (owner: KnownOwner): Promise<KnownOwner> => {
    const check = await checkOf(owner, changes, screening);
    const ofBusiness = await (check ? stillThere : whileThere)(commands, customerId, cause);
    const command = { type: 'UpdateBeneficialOwner', changes, check, at } as const;
    return run(commands, uuidOf(beneficialOwnerId), command, ofBusiness);
  };
  for (let owner = known, checks = 1; ; checks++) {
    try {
      return await change(owner);
    } catch (error) {
      if (!(error instanceof AnotherWasChecked) || checks >= checksMax) throw error;
      owner = await loadBeneficialOwner(commands, platformId, beneficialOwnerId);
    }
  }
}

/** Of who the owner is by the changes; `undefined` where that is who it was. */
async function checkOf(
  { platformId, customerId, beneficialOwnerId, personalInfo: known }: KnownOwner,
  changes: OwnerChanges,
  screening: BoundedScreening,
): Promise<PersonCheck | undefined> {
  const of = personBy(changes, known);
  if (changes.personalInfo?.lastName === undefined && isSamePerson(known, of)) return undefined;
  const owner = { platformId, customerId, beneficialOwnerId, personalInfo: of };
  return { of, finding: await screening.owner(owner) };
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
