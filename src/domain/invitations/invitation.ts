/**
 * An invitation: a customer asks somebody to claim a link. It is claimed once, by whoever comes first, unless it was
 * cancelled, its time is over or the customer is deleted. It moves no money.
 */
import type { Decider } from '../../kernel/decider.ts';
import { type CustomerId, derivedUuid, type PlatformId } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { InvitationEvent } from './events.ts';

export type InvitationDetails = Extract<InvitationEvent, { type: 'InvitationCreated' }>['data'];

export type InvitationCommand =
  | { readonly type: 'CreateInvitation'; readonly details: InvitationDetails }
  | {
      readonly type: 'ClaimInvitation';
      readonly inviteeUma: string;
      /** Who holds the address; absent where it is no customer of this installation. */
      readonly inviteeId?: CustomerId | undefined;
      readonly claimedBy: PlatformId;
      readonly at: Date;
    }
  | { readonly type: 'CancelInvitation'; readonly cancelledBy: PlatformId; readonly at: Date }
  | {
      readonly type: 'ExpireInvitation';
      /** It was cancelled by that, before its time was over. */
      readonly inviterIsDeleted?: boolean;
      readonly at: Date;
    };

type Unclaimed = { readonly status: 'PENDING' | 'CANCELLED' | 'EXPIRED' };
type Claimed = { readonly status: 'CLAIMED'; readonly inviteeUma: string; readonly claimedAt: Date };
export type IssuedInvitation = { readonly details: InvitationDetails } & (Unclaimed | Claimed);
export type Invitation = { readonly status: 'NONE' } | IssuedInvitation;

export const invitation: Decider<Invitation, InvitationCommand, InvitationEvent> = {
  initial: { status: 'NONE' },

  decide(command, state) {
    if (command.type === 'CreateInvitation')
      return state.status === 'NONE' ? [{ type: 'InvitationCreated', data: command.details }] : [];
    if (state.status === 'NONE') throw invitationNotFound();
    const { at } = command;
    const { invitationId, platformId } = state.details;
    switch (command.type) {
      case 'ClaimInvitation': {
        requirePending(state, at);
        const { inviteeUma, claimedBy } = command;
        if (isInviter(command, state.details))
          throw new Rejected('INVALID_UMA_ADDRESS', 'The inviter cannot claim the invitation.');
        return [{ type: 'InvitationClaimed', data: { invitationId, inviteeUma, claimedBy, at } }];
      }
      case 'CancelInvitation':
        if (command.cancelledBy !== platformId)
          throw new Rejected('FORBIDDEN', 'Only the platform that created the invitation can cancel it.');
        requirePending(state, at);
        return [{ type: 'InvitationCancelled', data: { invitationId, at } }];
      case 'ExpireInvitation': {
        const due = state.status === 'PENDING' && statusAt(state, at) === 'EXPIRED';
        const type = command.inviterIsDeleted ? 'InvitationCancelled' : 'InvitationExpired';
        return due ? [{ type, data: { invitationId, at } }] : [];
      }
    }
  },

  evolve(state, event) {
    if (event.type === 'InvitationCreated') return { status: 'PENDING', details: event.data };
    invariant(state.status === 'PENDING', `${event.type} of an invitation that is ${state.status}`);
    const { details } = state;
    switch (event.type) {
      case 'InvitationClaimed': {
        const { inviteeUma, at: claimedAt } = event.data;
        return { status: 'CLAIMED', details, inviteeUma, claimedAt };
      }
      case 'InvitationCancelled':
        return { status: 'CANCELLED', details };
      case 'InvitationExpired':
        return { status: 'EXPIRED', details };
    }
  },
};

/** Whose the address is counts: the inviter may have another one by now, and somebody else the one of the invitation. */
const isInviter = (
  { inviteeUma, inviteeId }: Extract<InvitationCommand, { type: 'ClaimInvitation' }>,
  { inviterUma, customerId }: InvitationDetails,
): boolean => (inviteeId === undefined ? inviteeUma === inviterUma : inviteeId === customerId);

/** The status as callers see it: an invitation is over when its time is, whether or not the timer has run. */
export function statusAt({ status, details }: IssuedInvitation, at: Date): IssuedInvitation['status'] {
  const isOver = details.expiresAt !== undefined && details.expiresAt <= at;
  return status === 'PENDING' && isOver ? 'EXPIRED' : status;
}

/** The invitation once the inviter is deleted: nobody would send what it promises, so it is claimed no more. */
export const withoutInviter = (issued: IssuedInvitation): IssuedInvitation =>
  issued.status === 'PENDING' ? { status: 'CANCELLED', details: issued.details } : issued;

function requirePending(state: IssuedInvitation, at: Date): void {
  switch (statusAt(state, at)) {
    case 'PENDING':
      return;
    case 'CLAIMED':
      throw new Rejected('INVITATION_ALREADY_CLAIMED', 'The invitation has been claimed.');
    case 'CANCELLED':
      throw new Rejected('INVITATION_CANCELLED', 'The invitation has been cancelled.');
    case 'EXPIRED':
      throw new Rejected('INVALID_INPUT', 'The invitation has expired.', { status: 'EXPIRED' });
  }
}

export const invitationNotFound = () =>
  new Rejected('INVITATION_NOT_FOUND', 'There is no such invitation.', { resource: 'Invitation' });

/** The stream of a code: the same for every platform of an environment, so that any of them finds the invitation. */
export const invitationStream = (environment: 'sandbox' | 'production', code: string) =>
  derivedUuid('invitation', environment, code);
