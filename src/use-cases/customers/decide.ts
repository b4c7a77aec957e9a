/** Somebody's decision: an operator's, or that of the screening after a while. */
import type { ReadDb } from '../../../projections/database.ts';
import { ownersOf } from '../../../projections/models/beneficial-owners.ts';
import type { Verdict } from '../../domain/ports/screening.ts';
import { type KnownOwner, ownerNotFound } from '../../domain/verification/owner.ts';
import {
  type AssessedVerification,
  type OwnerCheck,
  verificationNotFound,
} from '../../domain/verification/verification.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import type { UntilAllShown } from '../../infrastructure/event-store/all-shown.ts';
import { type CustomerId, isId, type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Commands } from '../commands.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly untilAllShown: UntilAllShown;
  readonly now: () => Date;
};

export type Decision = {
  readonly verdict: Verdict;
  /** Why, for those who read the log. */
  readonly note?: string | undefined;
  readonly by: 'operator' | 'screening';
};

export type Decided = { readonly verification: AssessedVerification; readonly isNew: boolean };

/**
 * Ends a verification. Safe to repeat: owners of the business who wait for their check are decided with it, and again those
 * alone, as long as they are who they were. Throws `Rejected`: 404 where there is no such verification, 409 where it has
 * ended otherwise, and whatever `untilAllShown` does, with nothing decided.
 */
export async function decide(
  { commands, readDb, untilAllShown, now }: Deps,
  verificationId: string,
  { verdict, note, by }: Decision,
  seen?: Cause['seen'],
): Promise<Decided> {
  if (!isId('Verification', verificationId)) throw verificationNotFound();
  const uuid = uuidOf(verificationId);
  const found = await commands.load('verification', uuid);
  if (found.status === 'none') throw verificationNotFound();
  const { platformId, customerId } = found;
  // An owner whom the rows do not show yet waits for the decision as well.
  await untilAllShown();
  const cause = causeOf(platformId, verificationId, by, seen);
  const owners = await waitingOwnersOf({ commands, readDb }, customerId);
  const command = { type: 'DecideVerification', verdict, owners, note, by, at: now() } as const;
  const { state, events } = await commands.run('verification', uuid, command, cause);
  invariant(state.status !== 'none', 'decided a verification that is not there');
  for (const { beneficialOwnerId, check } of state.owners) {
    const decision = { type: 'DecideBeneficialOwner', verdict, check, at: now() } as const;
    await commands.run('beneficialOwner', uuidOf(beneficialOwnerId), decision, cause);
  }
  return { verification: state, isNew: events.length > 0 };
}

/**
 * Ends the check of one owner, whatever became of the verification. Throws `Rejected`: 404 where there is no such owner, 409
 * where the check has ended otherwise.
 */
export async function decideOwner(
  { commands, now }: Pick<Deps, 'commands' | 'now'>,
  beneficialOwnerId: string,
  { verdict, note, by }: Decision,
  seen?: Cause['seen'],
): Promise<KnownOwner> {
  if (!isId('BeneficialOwner', beneficialOwnerId)) throw ownerNotFound();
  const uuid = uuidOf(beneficialOwnerId);
  const found = await commands.load('beneficialOwner', uuid);
  if (found.status === 'none') throw ownerNotFound();
  const cause = causeOf(found.platformId, beneficialOwnerId, by, seen);
  const command = { type: 'DecideBeneficialOwner', verdict, note, at: now() } as const;
  const { state } = await commands.run('beneficialOwner', uuid, command, cause);
  invariant(state.status !== 'none', 'decided on an owner who is not there');
  return state;
}

const causeOf = (
  platformId: PlatformId,
  id: string,
  actor: Decision['by'],
  seen: Cause['seen'] | undefined,
): Cause => ({
  platformId,
  correlationId: id,
  causationId: `decision:${id}`,
  actor,
  ...(seen && { seen }),
});

async function waitingOwnersOf(
  { commands, readDb }: Pick<Deps, 'commands' | 'readDb'>,
  customerId: CustomerId,
): Promise<readonly OwnerCheck[]> {
  const rows = await ownersOf(readDb, [{ id: customerId, customer_type: 'BUSINESS' }]);
  const waiting: OwnerCheck[] = [];
  for (const { id } of rows.filter(({ kyc_status }) => kyc_status === 'PENDING')) {
    const owner = await commands.load('beneficialOwner', uuidOf(id));
    if (owner.status === 'known' && owner.kycStatus === 'PENDING')
      waiting.push({ beneficialOwnerId: id, check: owner.checks });
  }
  return waiting;
}
