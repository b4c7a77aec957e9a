import type { InvitationEvent } from '../../../src/domain/invitations/events.ts';
import type { InvitationDetails } from '../../../src/domain/invitations/invitation.ts';
import { testStart } from '../time/clock.ts';
import type { DataOf } from './events.ts';
import { customerId, invitationId, otherPlatformId, platformId } from './identities.ts';

const at = testStart;

/** Without an expiry unless told otherwise. */
export const invitationDetails = (overrides: Partial<InvitationDetails> = {}): InvitationDetails => ({
  invitationId,
  code: '0a1b2c3d',
  platformId,
  customerId,
  inviterUma: '$ada@pay.example',
  url: 'https://pay.example/invitations/0a1b2c3d',
  at,
  ...overrides,
});

export const invitationCreated = (overrides: Partial<InvitationDetails> = {}) =>
  ({ type: 'InvitationCreated', data: invitationDetails(overrides) }) as const;

type Claim = DataOf<InvitationEvent, 'InvitationClaimed'>;
export const invitationClaimed = (overrides: Partial<Claim> = {}) =>
  ({
    type: 'InvitationClaimed',
    data: { invitationId, inviteeUma: '$bob@other.example', claimedBy: otherPlatformId, at, ...overrides },
  }) as const;

export const invitationCancelled = (when = at) =>
  ({ type: 'InvitationCancelled', data: { invitationId, at: when } }) as const;

export const invitationExpired = (when = at) =>
  ({ type: 'InvitationExpired', data: { invitationId, at: when } }) as const;
