import { describe, expect, it } from 'vitest';
import {
  type IssuedInvitation,
  invitation,
  invitationStream,
  statusAt,
  withoutInviter,
} from '../../../src/domain/invitations/invitation.ts';
import { type CustomerId, idOf } from '../../../src/kernel/ids.ts';
import { customerId, otherPlatformId, platformId } from '../../support/builders/identities.ts';
import {
  invitationCancelled,
  invitationClaimed,
  invitationCreated,
  invitationDetails,
  invitationExpired,
} from '../../support/builders/invitations.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const given = specFor(invitation);
const at = testStart;
const expiresAt = msLater(60_000);
const otherCustomerId = idOf('Customer', '00000000-0000-4000-8000-0000000000ff');

const create = (overrides = {}) =>
  ({ type: 'CreateInvitation', details: invitationDetails(overrides) }) as const;
const claim = (when = at, inviteeUma = '$bob@other.example', inviteeId?: CustomerId) =>
  ({ type: 'ClaimInvitation', inviteeUma, inviteeId, claimedBy: otherPlatformId, at: when }) as const;
const cancel = (cancelledBy = platformId, when = at) =>
  ({ type: 'CancelInvitation', cancelledBy, at: when }) as const;
const expire = (when = expiresAt) => ({ type: 'ExpireInvitation', at: when }) as const;

const created = invitationCreated({ expiresAt });
const ended = {
  CLAIMED: [created, invitationClaimed()],
  CANCELLED: [created, invitationCancelled()],
  EXPIRED: [created, invitationExpired(expiresAt)],
};
const refusals = [
  ['CLAIMED', 'INVITATION_ALREADY_CLAIMED'],
  ['CANCELLED', 'INVITATION_CANCELLED'],
  ['EXPIRED', 'INVALID_INPUT'],
] as const;

describe('an invitation that nobody made', () => {
  it('is created', () => given().when(create()).then(invitationCreated()));

  it.each([claim(), cancel(), expire()])('refuses $type', (command) =>
    given().when(command).thenRejected('INVITATION_NOT_FOUND'),
  );
});

describe('a pending invitation', () => {
  it('leaves its code to nobody else', () =>
    given(created)
      .when(create({ inviterUma: '$eve@pay.example' }))
      .thenNothing());

  it('is claimed', () => given(created).when(claim()).then(invitationClaimed()));

  it('keeps who claimed it and when', () => {
    const claimed = { status: 'CLAIMED', inviteeUma: '$bob@other.example', claimedAt: at };
    expect(stateOf(invitation, ...ended.CLAIMED)).toEqual({ ...claimed, details: created.data });
  });

  it('is not claimed by the inviter itself', () =>
    given(created).when(claim(at, '$ada@pay.example')).thenRejected('INVALID_UMA_ADDRESS'));

  it('is not claimed by the inviter under another address either', () =>
    given(created)
      .when(claim(at, '$countess@pay.example', customerId))
      .thenRejected('INVALID_UMA_ADDRESS'));

  it('is claimed by somebody else who has the former address of the inviter', () => {
    const inviteeUma = '$ada@pay.example';
    given(created)
      .when(claim(at, inviteeUma, otherCustomerId))
      .then(invitationClaimed({ inviteeUma }));
  });

  it('is cancelled by the platform that created it', () =>
    given(created).when(cancel()).then(invitationCancelled()));

  it('is not cancelled by another platform', () =>
    given(created).when(cancel(otherPlatformId)).thenRejected('FORBIDDEN'));

  it('expires at its time', () => given(created).when(expire()).then(invitationExpired(expiresAt)));

  it('does not expire before its time', () =>
    given(created)
      .when(expire(msLater(59_999)))
      .thenNothing());

  it('never expires without an expiry', () =>
    given(invitationCreated())
      .when(expire(msLater(10 ** 12)))
      .thenNothing());
});

describe('a pending invitation whose time is over', () => {
  it.each([claim(expiresAt), cancel(platformId, expiresAt)])('refuses $type before its timer', (command) =>
    given(created).when(command).thenRejected('INVALID_INPUT', { status: 'EXPIRED' }),
  );

  it('can be claimed until then', () =>
    given(created)
      .when(claim(msLater(59_999)))
      .then(invitationClaimed({ at: msLater(59_999) })));

  it('shows as expired before its timer', () => {
    const state = { status: 'PENDING', details: created.data } as const;
    expect(statusAt(state, msLater(59_999))).toBe('PENDING');
    expect(statusAt(state, expiresAt)).toBe('EXPIRED');
  });
});

describe.each(refusals)('a %s invitation', (status, code) => {
  const history = ended[status];
  it.each([claim(), cancel()])('refuses $type', (command) =>
    given(...history)
      .when(command)
      .thenRejected(code),
  );

  it('refuses another platform first of all for being another', () =>
    given(...history)
      .when(cancel(otherPlatformId))
      .thenRejected('FORBIDDEN'));

  it.each([create(), expire()])('passes over $type', (command) =>
    given(...history)
      .when(command)
      .thenNothing(),
  );

  it('stays what it is after its time', () => {
    const state = stateOf(invitation, ...history);
    expect(state.status !== 'NONE' && statusAt(state, msLater(10 ** 9))).toBe(status);
  });

  it.each([invitationClaimed(), invitationCancelled(), invitationExpired()])(
    'cannot become anything else: $type',
    (event) => expect(() => stateOf(invitation, ...history, event)).toThrow(status),
  );
});

describe('the stream of a code', () => {
  it('follows from the code and the environment', () => {
    const stream = invitationStream('sandbox', '0a1b2c3d');
    expect(invitationStream('sandbox', '0a1b2c3d')).toBe(stream);
    expect(invitationStream('production', '0a1b2c3d')).not.toBe(stream);
    expect(invitationStream('sandbox', '0a1b2c3e')).not.toBe(stream);
  });
});

describe('an invitation whose inviter is deleted', () => {
  it('is recorded as cancelled when its time comes', () => {
    const command = { ...expire(), inviterIsDeleted: true };
    given(created).when(command).then(invitationCancelled(expiresAt));
    given(created)
      .when({ ...command, at: msLater(59_999) })
      .thenNothing();
  });

  it.each([
    [[created], 'CANCELLED'],
    [ended.CLAIMED, 'CLAIMED'],
    [ended.CANCELLED, 'CANCELLED'],
    [ended.EXPIRED, 'EXPIRED'],
  ] as const)('is as it has ended, and cancelled where it has not', (events, status) => {
    const stands = withoutInviter(stateOf(invitation, ...events) as IssuedInvitation);
    expect(statusAt(stands, msLater(120_000))).toBe(status);
    expect(stands.details).toEqual(created.data);
  });
});
