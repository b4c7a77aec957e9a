import { z } from 'zod';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { dayMs } from '../../../kernel/clock.ts';
import { idSchema } from '../../../kernel/ids.ts';
import { rejectionCodes } from '../../../kernel/rejected.ts';
import { conditionsOf, type Match, targetOf } from '../../../sandbox/faults/rules.ts';
import { duration } from '../../fields/durations.ts';
import { webhookType } from '../../fields/enumerations.ts';
import type { Operation } from '../../operation.ts';
import { faultNotFound, faultSchema } from './render.ts';

const extension = 'An extension of the interface.';
const common = { tag: 'Sandbox', sandboxOnly: true } as const;

/** A request is held up no longer than this. */
export const delayMaxMs = 30_000;
/** Of webhooks and returns, by the platform's clock. */
const laterMaxMs = 366 * dayMs;
export const lifetimeMaxMs = 7 * dayMs;

const within = (maxMs: number, rule: string) => duration.refine((ms) => ms <= maxMs, rule);
const delay = within(delayMaxMs, 'must be at most PT30S');
const later = within(laterMaxMs, 'must be at most P366D');
const when = z.enum(['BEFORE', 'AFTER']);

const effect = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('DUPLICATE_WEBHOOK') }).meta({ id: 'SandboxDuplicateWebhook' }),
    z.object({ kind: z.literal('HOLD_WEBHOOK'), delay: later }).meta({ id: 'SandboxHoldWebhook' }),
    z.object({ kind: z.literal('RETURN_PAYMENT'), delay: later }).meta({ id: 'SandboxReturnPayment' }),
    z.object({ kind: z.literal('REFUSE'), code: z.enum(rejectionCodes) }).meta({ id: 'SandboxRefuse' }),
    z.object({ kind: z.literal('DELAY'), when, delay }).meta({ id: 'SandboxDelay' }),
    z.object({ kind: z.literal('DROP'), when }).meta({ id: 'SandboxDrop' }),
  ])
  .meta({ id: 'SandboxFaultEffect' });

const match = z.object({
  operationId: z.string().min(1).max(100).optional(),
  webhookType: webhookType.optional(),
  accountId: z.string().min(1).max(100).optional(),
  currency: z.string().min(1).max(10).optional(),
  paymentRail: z.string().min(1).max(50).optional(),
  percent: z.int().min(1).max(100).optional(),
});

export const createFault = {
  ...common,
  operationId: 'sandboxCreateFault',
  method: 'post',
  path: '/sandbox/faults',
  summary: 'Have something go wrong',
  description: `${extension} An operation of your platform is refused, delayed or cut off, a webhook is sent twice or late, a payment comes back: as often as \`times\` says, for as long as \`lasts\` says by your platform's clock. Operations of the sandbox are never hit.`,
  permission: ['MANAGE'],
  body: z
    .object({
      match: match.default({}),
      effect,
      times: z.int().min(1).max(10_000).optional(),
      lasts: within(lifetimeMaxMs, 'must be at most P7D').optional(),
    })
    .superRefine(({ match, effect }, context) => {
      const known = conditionsOf[targetOf(effect)];
      for (const field of Object.keys(match) as (keyof Match)[])
        if (!known.includes(field))
          context.addIssue({
            code: 'custom',
            path: ['match', field],
            message: `is no condition of ${effect.kind}`,
          });
    })
    .meta({ id: 'SandboxFaultRequest' }),
  responses: { 201: { description: 'The fault.', schema: faultSchema } },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 409: ['CONFLICT'] }),
} as const satisfies Operation;

export const listFaults = {
  ...common,
  operationId: 'sandboxListFaults',
  method: 'get',
  path: '/sandbox/faults',
  summary: 'List what is to go wrong',
  description: `${extension} Those that may still happen, the oldest first. At most 100.`,
  permission: ['VIEW'],
  responses: {
    200: {
      description: 'The faults.',
      schema: z.object({ data: z.array(faultSchema) }).meta({ id: 'SandboxFaultList' }),
    },
  },
  errors: basicErrors(),
} as const satisfies Operation;

export const deleteFault = {
  ...common,
  operationId: 'sandboxDeleteFault',
  method: 'delete',
  path: '/sandbox/faults/{faultId}',
  summary: 'Have it go wrong no more',
  description: extension,
  permission: ['MANAGE'],
  params: z.object({ faultId: idSchema('Fault') }),
  notFound: faultNotFound,
  responses: { 204: { description: 'It is gone.' } },
  errors: basicErrors({ 404: ['REFERENCE_NOT_FOUND'] }),
} as const satisfies Operation;
