/** What becomes of an invitation, by its code. Every platform of the environment may ask. */
import {
  type InvitationCommand,
  type IssuedInvitation,
  invitation as invitationDecider,
  invitationNotFound,
  invitationStream,
  withoutInviter,
} from '../../domain/invitations/invitation.ts';
import { parsePaymentAddress } from '../../domain/values/payment-address.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { Principal } from '../caller.ts';
import type { Commands } from '../commands.ts';
import { holderOf } from '../find/receivers.ts';

type Deps = { readonly commands: Commands; readonly now: () => Date };
type By = { readonly platformId: PlatformId; readonly cause: Cause };

/** The invitation as it stands: its stream does not say that the inviter is deleted. */
async function asItStands(commands: Commands, issued: IssuedInvitation): Promise<IssuedInvitation> {
  if (issued.status !== 'PENDING') return issued;
  const inviter = await commands.load('customer', uuidOf(issued.details.customerId));
  return inviter.status === 'deleted' ? withoutInviter(issued) : issued;
}

/** As it stands. Throws `Rejected` (404) where no invitation has the code. */
export async function loadInvitation(
  commands: Commands,
  environment: Principal['environment'],
  code: string,
): Promise<IssuedInvitation> {
  const found = await commands.load('invitation', invitationStream(environment, code));
  if (found.status === 'NONE') throw invitationNotFound();
  return asItStands(commands, found);
}

/**
 * Who claims is whoever holds the address now. An address on its way to the inviter, or away, is the inviter's: its next
 * holder has it once it is free.
 */
export async function claimInvitation(
  { commands, now }: Deps,
  invitation: IssuedInvitation,
  claimedFor: string,
  { platformId: claimedBy, cause }: By,
): Promise<IssuedInvitation> {
  const inviteeUma = parsePaymentAddress(claimedFor);
  const inviteeId = await holderOf(commands, inviteeUma);
  const command = { type: 'ClaimInvitation', inviteeUma, inviteeId, claimedBy } as const;
  return decide(commands, invitation, { ...command, at: now() }, cause);
}

export function cancelInvitation(
  { commands, now }: Deps,
  invitation: IssuedInvitation,
  { platformId: cancelledBy, cause }: By,
): Promise<IssuedInvitation> {
  return decide(commands, invitation, { type: 'CancelInvitation', cancelledBy, at: now() }, cause);
}

/** Its time has come. Safe to repeat. */
export async function endInvitation({ commands, now }: Deps, uuid: string, cause: Cause): Promise<void> {
  const found = await commands.load('invitation', uuid);
  if (found.status !== 'PENDING') return;
  const { status } = await asItStands(commands, found);
  const inviterIsDeleted = status === 'CANCELLED';
  await commands.run('invitation', uuid, { type: 'ExpireInvitation', inviterIsDeleted, at: now() }, cause);
}

/**
 * Whoever asks, what happens to an invitation happens to the platform that created it. What is refused for the invitation
 * as it stands is not asked of its stream.
 */
async function decide(
  commands: Commands,
  issued: IssuedInvitation,
  command: InvitationCommand,
  cause: Cause,
): Promise<IssuedInvitation> {
  invitationDecider.decide(command, issued);
  const { invitationId, platformId } = issued.details;
  const uuid = uuidOf(invitationId);
  const { state } = await commands.run('invitation', uuid, command, { ...cause, platformId });
  invariant(state.status !== 'NONE', 'decided on an invitation that is not there');
  return state;
}
