import { z } from 'zod';
import { type IssuedInvitation, statusAt } from '../../domain/invitations/invitation.ts';
import { currencyAmountSchema, renderAmount } from '../fields/amounts.ts';
import { present, timestamp } from '../fields/fields.ts';

export const invitationSchema = z
  .object({
    code: z.string(),
    createdAt: timestamp,
    url: z.string(),
    inviterUma: z.string(),
    status: z.enum(['PENDING', 'CLAIMED', 'EXPIRED', 'CANCELLED']),
    claimedAt: timestamp.optional(),
    expiresAt: timestamp.optional(),
    inviteeUma: z.string().optional(),
    firstName: z.string().optional(),
    amountToSend: currencyAmountSchema.optional(),
  })
  .meta({ id: 'Invitation' });

/** The invitation as it stands at a moment: its expiry shows in time, whether or not the timer has run. */
export function renderInvitation(invitation: IssuedInvitation, at: Date): z.input<typeof invitationSchema> {
  const { code, url, inviterUma, firstName, amountToSend, expiresAt, at: createdAt } = invitation.details;
  return present({
    code,
    createdAt: createdAt.toISOString(),
    url,
    inviterUma,
    status: statusAt(invitation, at),
    ...(invitation.status === 'CLAIMED' && {
      claimedAt: invitation.claimedAt.toISOString(),
      inviteeUma: invitation.inviteeUma,
    }),
    expiresAt: expiresAt?.toISOString(),
    firstName,
    amountToSend: amountToSend && renderAmount(amountToSend),
  });
}
