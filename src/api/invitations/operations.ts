import { z } from 'zod';
import { invitationCode } from '../../domain/invitations/events.ts';
import { invitationNotFound } from '../../domain/invitations/invitation.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { int64Max } from '../../kernel/money.ts';
import { dateTime, dateTimeSchema, positiveAmount } from '../fields/fields.ts';
import { name, paymentAddress } from '../fields/texts.ts';
import type { Operation } from '../operation.ts';
import { invitationSchema } from './render.ts';

/** The last moment that ISO 8601 writes with four digits for the year, in UTC. */
const latest = new Date('9999-12-31T23:59:59.999Z');

const createInvitationRequest = z
  .object({
    inviterUma: paymentAddress,
    firstName: name.optional().meta({
      description:
        "The inviter's, shown to the recipient. Taken from the customer's fullName where left out.",
    }),
    amountToSend: positiveAmount(int64Max).optional().meta({
      description: "In the smallest unit of the inviting customer's first currency. Shown, and not sent.",
    }),
    expiresAt: dateTime
      .transform((text) => new Date(text))
      .refine((moment) => moment <= latest, 'must be before the year 10000')
      .meta({ override: dateTimeSchema })
      .optional(),
  })
  .meta({ id: 'InvitationCreateRequest' });
export type CreateInvitationRequest = z.output<typeof createInvitationRequest>;

const claimInvitationRequest = z
  .object({ inviteeUma: paymentAddress })
  .meta({ id: 'InvitationClaimRequest' });

const tag = 'Invitations';
const answer = { description: 'The invitation.', schema: invitationSchema };
const byCode = {
  params: z.object({ invitationCode: z.string().regex(invitationCode) }),
  notFound: invitationNotFound,
  guessed: { refusal: 'INVITATION_NOT_FOUND' },
  responses: { 200: answer },
} as const;

export const createInvitation = {
  operationId: 'createInvitation',
  method: 'post',
  path: '/invitations',
  tag,
  summary: 'Invite somebody to claim a link',
  description:
    'amountToSend is shown to the claiming side and moves no money: the inviting platform sends it after the invitation was claimed.',
  permission: ['MANAGE'],
  body: createInvitationRequest,
  responses: { 201: answer },
  errors: basicErrors({
    400: ['INVALID_INPUT', 'INVALID_UMA_ADDRESS', 'INVALID_AMOUNT', 'INVITATIONS_NOT_CONFIGURED'],
  }),
} as const satisfies Operation;

export const getInvitation = {
  operationId: 'getInvitation',
  method: 'get',
  path: '/invitations/{invitationCode}',
  tag,
  summary: 'Read an invitation',
  description: 'Every platform can read it by its code.',
  permission: ['VIEW'],
  ...byCode,
  errors: basicErrors({ 404: ['INVITATION_NOT_FOUND'] }),
} as const satisfies Operation;

export const claimInvitation = {
  operationId: 'claimInvitation',
  method: 'post',
  path: '/invitations/{invitationCode}/claim',
  tag,
  summary: 'Claim an invitation',
  description:
    'Every platform can claim it by its code. The first claim wins. An invitation that nobody has claimed is cancelled once the inviting customer is deleted.',
  permission: ['MANAGE'],
  ...byCode,
  body: claimInvitationRequest,
  errors: basicErrors({
    400: ['INVALID_INPUT', 'INVALID_UMA_ADDRESS', 'INVITATION_ALREADY_CLAIMED', 'INVITATION_CANCELLED'],
    404: ['INVITATION_NOT_FOUND'],
    409: ['CONFLICT'],
  }),
} as const satisfies Operation;

export const cancelInvitation = {
  operationId: 'cancelInvitation',
  method: 'post',
  path: '/invitations/{invitationCode}/cancel',
  tag,
  summary: 'Cancel an invitation',
  description: 'Only the platform that created it can.',
  permission: ['MANAGE'],
  ...byCode,
  errors: basicErrors({
    400: ['INVALID_INPUT', 'INVITATION_ALREADY_CLAIMED', 'INVITATION_CANCELLED'],
    404: ['INVITATION_NOT_FOUND'],
    409: ['CONFLICT'],
  }),
} as const satisfies Operation;
