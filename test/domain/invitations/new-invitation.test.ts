import { describe, expect, it } from 'vitest';
import type { CreateInvitationRequest } from '../../../src/api/invitations/operations.ts';
import type { KnownCustomer } from '../../../src/domain/customers/customer.ts';
import { newInvitation } from '../../../src/domain/invitations/new-invitation.ts';
import { activeCustomer, activePlatform } from '../../support/builders/customers.ts';
import { otherPlatformId } from '../../support/builders/identities.ts';
import { usd } from '../../support/builders/money.ts';
import { thrownBy } from '../../support/builders/spec.ts';
import { msLater, testStart } from '../../support/time/clock.ts';

const platform = activePlatform();
const inviter = (overrides: Partial<KnownCustomer> = {}): KnownCustomer => ({
  ...activeCustomer({ fullName: ' Ada  Lovelace', currencies: ['USD', 'EUR'] }),
  ...overrides,
});
const request = (overrides: Partial<CreateInvitationRequest> = {}): CreateInvitationRequest => ({
  inviterUma: '$ada@pay.example',
  ...overrides,
});
const refused = (...parameters: Parameters<typeof newInvitation>) =>
  thrownBy(() => newInvitation(...parameters));

describe('a new invitation', () => {
  it("has the inviting customer's first currency", () => {
    const terms = newInvitation(request({ amountToSend: 25_00n }), platform, inviter(), testStart);
    expect(terms.amountToSend).toEqual(usd(25_00n));
  });

  it.each([
    ['as given', { firstName: 'Countess' }, ' Ada  Lovelace', 'Countess'],
    ['from the full name', {}, ' Ada  Lovelace', 'Ada'],
    ['not at all', {}, undefined, undefined],
    ['not at all for a blank name', {}, '  ', undefined],
  ])("shows the inviter's first name %s", (_what, given, fullName, shown) => {
    const { fullName: _former, ...nameless } = inviter();
    const named = fullName === undefined ? nameless : { ...nameless, fullName };
    expect(newInvitation(request(given), platform, named, testStart).firstName).toBe(shown);
  });

  it('is refused to a platform without a domain', () => {
    const error = refused(request(), { ...platform, umaDomain: '' }, inviter(), testStart);
    expect(error).toMatchObject({ code: 'INVITATIONS_NOT_CONFIGURED' });
  });

  it.each([
    ['nobody', undefined],
    ["another platform's customer", inviter({ platformId: otherPlatformId })],
  ])('is refused to %s', (_who, who) => {
    expect(refused(request(), platform, who, testStart)).toMatchObject({ code: 'INVALID_UMA_ADDRESS' });
  });

  it('is refused when it would expire at once', () => {
    const error = refused(request({ expiresAt: testStart }), platform, inviter(), testStart);
    expect(error).toMatchObject({ code: 'INVALID_INPUT', details: { errors: [{ field: 'expiresAt' }] } });
    const later = request({ expiresAt: msLater(1) });
    expect(newInvitation(later, platform, inviter(), testStart).expiresAt).toEqual(msLater(1));
  });
});
