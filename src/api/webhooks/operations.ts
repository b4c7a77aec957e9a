import { z } from 'zod';
import { webhookEventNotFound } from '../../domain/webhooks/refusals.ts';
import { webhookTypes } from '../../domain/webhooks/types.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { webhookState, webhookType } from '../fields/enumerations.ts';
import { lastMoment, moment } from '../fields/fields.ts';
import { createdWithin, listOf } from '../fields/lists.ts';
import type { Operation } from '../operation.ts';
import { eventSchema, eventWithAttemptsSchema, keysSchema } from './render.ts';

const tag = 'Webhooks';
const extension = 'An extension of the interface.';

const byId = { params: z.object({ webhookEventId: idSchema('Webhook') }), notFound: webhookEventNotFound };

export const listWebhookEventsOperation = {
  operationId: 'listWebhookEvents',
  path: '/webhooks/events',
  tag,
  summary: 'List webhook events',
  description: `${extension} What was sent, is being sent, or could not be sent, newest first.`,
  ...listOf(eventSchema, 'A page of events, newest first.', {
    type: webhookType.optional(),
    objectId: z.string().min(1).max(100).optional(),
    state: webhookState.optional(),
    ...createdWithin,
  }),
} as const satisfies Operation;

export const getWebhookEvent = {
  operationId: 'getWebhookEvent',
  method: 'get',
  path: '/webhooks/events/{webhookEventId}',
  tag,
  summary: 'Read a webhook event with its attempts',
  description: extension,
  permission: ['VIEW'],
  ...byId,
  responses: { 200: { description: 'The event.', schema: eventWithAttemptsSchema } },
  errors: basicErrors({ 404: ['REFERENCE_NOT_FOUND'] }),
} as const satisfies Operation;

export const redeliverWebhookEvent = {
  operationId: 'redeliverWebhookEvent',
  method: 'post',
  path: '/webhooks/events/{webhookEventId}/redeliver',
  tag,
  summary: 'Send a webhook event again',
  description: `${extension} The event keeps its id and content; the header webhook-redelivery says that it was asked for. One that is pending is left as it is.`,
  permission: ['MANAGE'],
  ...byId,
  responses: { 202: { description: 'The event, which is pending now.', schema: eventSchema } },
  errors: basicErrors({ 400: ['WEBHOOK_ENDPOINT_NOT_SET'], 404: ['REFERENCE_NOT_FOUND'] }),
} as const satisfies Operation;

export const redeliverWebhookEvents = {
  operationId: 'redeliverWebhookEvents',
  method: 'post',
  path: '/webhooks/redeliver',
  tag,
  summary: 'Send the webhook events of a period again',
  description: `${extension} Events created from since until until (default: now) that are not pending, except TEST.`,
  permission: ['MANAGE'],
  body: z
    .object({
      since: moment,
      until: lastMoment.optional(),
      types: z.array(webhookType).min(1).max(webhookTypes.length).optional(),
    })
    .meta({ id: 'RedeliverWebhooksRequest' }),
  responses: {
    202: {
      description: 'How many are sent again.',
      schema: z.object({ count: z.int().min(0) }).meta({ id: 'WebhooksRedelivered' }),
    },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT', 'WEBHOOK_ENDPOINT_NOT_SET'] }),
} as const satisfies Operation;

export const getWebhookKeys = {
  operationId: 'getWebhookKeys',
  method: 'get',
  path: '/webhooks/keys',
  tag,
  summary: 'Read the keys that verify webhooks',
  description: `${extension} Two while a rotation is under way. The secret is shown to tokens with MANAGE only.`,
  permission: ['VIEW'],
  responses: { 200: { description: 'The keys.', schema: keysSchema } },
  errors: basicErrors(),
} as const satisfies Operation;

export const rotateWebhookKeys = {
  operationId: 'rotateWebhookKeys',
  method: 'post',
  path: '/webhooks/keys/rotate',
  tag,
  summary: 'Replace the keys that verify webhooks',
  description: `${extension} Both generations hold for 24 hours, or what the operator has set; then the older one is gone. Another rotation has to wait for that.`,
  permission: ['MANAGE'],
  responses: { 200: { description: 'Both generations.', schema: keysSchema } },
  errors: basicErrors({ 409: ['CONFLICT'] }),
} as const satisfies Operation;

export const sendTestWebhook = {
  operationId: 'sendTestWebhook',
  method: 'post',
  path: '/sandbox/webhooks/test',
  tag: 'Sandbox',
  summary: 'Call the webhook endpoint with a TEST event',
  permission: ['MANAGE'],
  sandboxOnly: true,
  responses: {
    200: {
      description: 'What the endpoint answered, whatever its status.',
      schema: z
        .object({ url: z.string(), response_status: z.int(), response_body: z.string() })
        .meta({ id: 'WebhookTestResult' }),
    },
  },
  errors: basicErrors({ 400: ['WEBHOOK_ENDPOINT_NOT_SET', 'WEBHOOK_DELIVERY_ERROR'] }),
} as const satisfies Operation;
