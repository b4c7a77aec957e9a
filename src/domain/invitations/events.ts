import { z } from 'zod';
import { type EventOf, instant, moneyCodec, personal } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';

/** What an invitation is known by. */
export const invitationCode = /^[0-9a-f]{8}$/;

const invitationId = idField('Invitation');
const paymentAddress = personal(z.string().min(1));

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const invitationEvents = {
  InvitationCreated: z.object({
    invitationId,
    code: z.string().regex(invitationCode),
    platformId: idField('Platform'),
    /** The customer who invites. */
    customerId: idField('Customer'),
    inviterUma: paymentAddress,
    firstName: personal(z.string().min(1)).optional(),
    /** What the claiming side is shown. No money is held or moved for it. */
    amountToSend: moneyCodec.optional(),
    url: z.string().min(1),
    expiresAt: instant.optional(),
    at: instant,
  }),
  InvitationClaimed: z.object({
    invitationId,
    inviteeUma: paymentAddress,
    /** Whose token claimed it; the event itself belongs to the platform that created the invitation. */
    claimedBy: idField('Platform'),
    at: instant,
  }),
  InvitationCancelled: z.object({ invitationId, at: instant }),
  InvitationExpired: z.object({ invitationId, at: instant }),
};
export type InvitationEvent = EventOf<typeof invitationEvents>;
