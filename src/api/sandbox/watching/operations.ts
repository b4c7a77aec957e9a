import { z } from 'zod';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { webhookState, webhookType } from '../../fields/enumerations.ts';
import { pageQuery, timestamp } from '../../fields/fields.ts';
import { streamSeconds } from '../../fields/streams.ts';
import type { Operation } from '../../operation.ts';

const extension = 'An extension of the interface.';
const reads = { tag: 'Sandbox', method: 'get', permission: ['VIEW'], sandboxOnly: true } as const;

/** A request waits no longer than this. */
export const waitMaxSeconds = 30;
const waitRule = `must be an integer from 0 to ${waitMaxSeconds}`;

/** Of an event in the log. */
export const position = z
  .string()
  .regex(/^\d{1,18}$/, 'must be the id of an event: an integer')
  .transform(BigInt)
  .meta({ override: { type: 'string', pattern: '^\\d{1,18}$' } });

/** Of a webhook event among those of its platform. */
const place = z
  .string()
  .regex(/^\d{1,18}\.\d{1,6}$/, 'must be the place of a webhook event')
  .transform((text) => {
    const [position = '', n = ''] = text.split('.');
    return { position: BigInt(position), n: Number(n) };
  })
  .meta({ override: { type: 'string', pattern: '^\\d{1,18}\\.\\d{1,6}$' } });

const toldWebhook = z
  .object({
    id: z.string(),
    place: z.string().meta({ description: 'For `after`.' }),
    type: z.string(),
    objectId: z.string(),
    state: webhookState,
    attempts: z.int().min(0),
    createdAt: timestamp,
    data: z.record(z.string(), z.unknown()).meta({ description: 'The `data` of the envelope.' }),
  })
  .meta({ id: 'SandboxWebhook' });

export const listSandboxWebhooks = {
  ...reads,
  operationId: 'sandboxListWebhooks',
  path: '/sandbox/webhooks',
  summary: 'List what your platform is told, or wait for it',
  description: `${extension} Webhook events, oldest first, whatever came of their delivery. Without a receiver of your own, set the webhookEndpoint to the inbox of the sandbox, inboxUrl of GET /sandbox/outcomes: a platform without an endpoint is told nothing. With \`waitSeconds\` the answer comes when one matches, or the time is up.`,
  isList: true,
  query: z.object({
    type: webhookType.optional(),
    objectId: z.string().min(1).max(100).optional(),
    after: place.optional().meta({ description: 'The place of the last one that you have seen.' }),
    waitSeconds: z
      .string()
      .regex(/^\d{1,2}$/, waitRule)
      .transform(Number)
      .refine((seconds) => seconds <= waitMaxSeconds, waitRule)
      .default(0)
      .meta({ override: { type: 'integer', minimum: 0, maximum: waitMaxSeconds, default: 0 } }),
    limit: pageQuery.limit,
  }),
  responses: {
    200: {
      description: 'The first of those that match; none when the time was up.',
      schema: z.object({ data: z.array(toldWebhook) }).meta({ id: 'SandboxWebhookList' }),
    },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

export const streamEvents = {
  ...reads,
  operationId: 'sandboxStreamEvents',
  path: '/sandbox/events',
  summary: "Follow your platform's events",
  description: `${extension} Server-sent events: what the log records of your platform, each when the read models have it, or after 2 seconds. The id of an event is its place in the log; a client that comes back with Last-Event-ID, or \`after\`, misses nothing. An id without an event says how far the log was read: what lay before it was none of your platform's. Without either it begins now. A comment is sent every 15 seconds.`,
  query: z.object({
    after: position.optional().meta({ description: 'Begins after the event with this id; 0 for all.' }),
    seconds: streamSeconds(60),
  }),
  headers: z.object({
    'Last-Event-ID': z
      .string()
      .max(20)
      .optional()
      .meta({ description: 'What a client sends that comes back; it goes before after.' }),
  }),
  responses: {
    200: {
      description:
        'The events. Their data is JSON: `id`, `type`, `stream`, `metadata` and `data` of an event, as docs/reference/events.md has them. It is without `revision`, with its position as the id of what is sent. `metadata` is without `platformId`, `key`, `personal`, `hash` and `previousHash`, has `operator` as `actor` whoever of the operator it was, and has `correlationId` and `causationId` where a token or an agent of yours is the `actor`. What is of another platform is left out of `data`.',
      contentType: 'text/event-stream',
      schema: z.string(),
    },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'] }),
} as const satisfies Operation;

export const listOutcomes = {
  ...reads,
  operationId: 'sandboxListOutcomes',
  path: '/sandbox/outcomes',
  summary: 'List the values that steer the sandbox',
  description: `${extension} Every suffix and payment address, and what it does: the table that the sandbox itself reads.`,
  responses: {
    200: {
      description: 'All of them.',
      schema: z
        .object({
          inboxUrl: z.string().meta({ description: 'A webhookEndpoint that takes everything.' }),
          data: z.array(
            z
              .object({
                chosenBy: z.enum([
                  'EXTERNAL_ACCOUNT_SUFFIX',
                  'PAYMENT_ADDRESS',
                  'REGISTRATION_NUMBER_SUFFIX',
                  'LAST_NAME_SUFFIX',
                ]),
                applies: z.enum(['TRANSFER', 'QUOTE', 'NAME_CHECK', 'ACCOUNT_STATUS', 'VERIFICATION']),
                value: z.string(),
                meaning: z.string(),
                steps: z.array(
                  z.object({ afterMs: z.int().min(0), status: z.string(), reason: z.string().optional() }),
                ),
              })
              .meta({ id: 'SandboxOutcome' }),
          ),
        })
        .meta({ id: 'SandboxOutcomes' }),
    },
  },
  errors: basicErrors(),
} as const satisfies Operation;
