/** What a new invitation says, before it has a code. */

import { badField, Rejected } from '../../kernel/rejected.ts';
import type { KnownCustomer } from '../customers/customer.ts';
import type { ActivePlatform } from '../platforms/platform.ts';
import type { InvitationDetails } from './invitation.ts';

/** What is asked of a new invitation; `amountToSend` is in minor units of the inviter's first currency. */
export type InvitationRequest = {
  readonly firstName?: string | undefined;
  readonly amountToSend?: bigint | undefined;
  readonly expiresAt?: Date | undefined;
};

type InvitationTerms = Omit<InvitationDetails, 'invitationId' | 'code' | 'url'>;

/** Throws `Rejected` unless the inviter is a customer of the platform and the invitation has time left. */
export function newInvitation(
  { firstName, amountToSend, expiresAt }: InvitationRequest,
  { platformId, umaDomain }: ActivePlatform,
  inviter: KnownCustomer | undefined,
  at: Date,
): InvitationTerms {
  if (!umaDomain)
    throw new Rejected(
      'INVITATIONS_NOT_CONFIGURED',
      'The platform has no domain for invitations: set umaDomain.',
    );
  if (inviter?.platformId !== platformId)
    throw new Rejected(
      'INVALID_UMA_ADDRESS',
      'No customer of this platform has the payment address inviterUma.',
    );
  if (expiresAt && expiresAt <= at) throw badField('expiresAt', 'must be in the future');
  const shownName = firstName ?? firstWord(inviter.fullName);
  const [currency] = inviter.currencies;
  return {
    platformId,
    customerId: inviter.customerId,
    inviterUma: inviter.umaAddress,
    ...(shownName && { firstName: shownName }),
    ...(amountToSend !== undefined && currency && { amountToSend: { minor: amountToSend, currency } }),
    ...(expiresAt && { expiresAt }),
    at,
  };
}

const firstWord = (name: string | undefined) => name?.trim().split(/\s+/)[0];
