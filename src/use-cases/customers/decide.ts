/** Ends a verification by somebody's decision: an operator's, or that of the screening after a while. */
import type { ReadDb } from '../../../projections/database.ts';
import { ownersOf } from '../../../projections/models/beneficial-owners.ts';
import type { Verdict } from '../../domain/ports/screening.ts';
import { type AssessedVerification, verificationNotFound } from '../../domain/verification/verification.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import type { UntilAllShown } from '../../infrastructure/event-store/all-shown.ts';
import { isId, uuidOf } from '../../kernel/ids.ts';
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
 * Safe to repeat. Owners of the business who wait for their check are decided with it. Throws `Rejected`: 404 where there
 * is no such verification, 409 where it has ended otherwise, and whatever `untilAllShown` does, with nothing decided.
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
  const cause: Cause = {
    platformId,
    correlationId: verificationId,
    causationId: `decision:${verificationId}`,
    actor: by,
    ...(seen && { seen }),
  };
  const command = { type: 'DecideVerification', verdict, note, by, at: now() } as const;
  const { state, events } = await commands.run('verification', uuid, command, cause);
  invariant(state.status !== 'none', 'decided a verification that is not there');
  for (const { id } of await ownersOf(readDb, [{ id: customerId, customer_type: 'BUSINESS' }])) {
    const decision = { type: 'DecideBeneficialOwner', verdict, at: now() } as const;
    await commands.run('beneficialOwner', uuidOf(id), decision, cause);
  }
  return { verification: state, isNew: events.length > 0 };
}
