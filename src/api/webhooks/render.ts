import { z } from 'zod';
import type { AttemptedEvent, ListedWebhookEvent } from '../../../projections/kept/webhook-events.ts';
import type { WebhookAttemptRow } from '../../../projections/tables/webhooks.ts';
import { idField } from '../../kernel/ids.ts';
import { parseExactly } from '../../kernel/json.ts';
import type { CurrentKeys, WebhookKey } from '../../workers/webhooks/keys.ts';
import { webhookState } from '../fields/enumerations.ts';
import { present, timestamp } from '../fields/fields.ts';

const eventFields = {
  id: idField('Webhook'),
  type: z.string(),
  objectId: z.string().meta({ description: 'What the event is about.' }),
  state: webhookState,
  attempts: z
    .int()
    .min(0)
    .meta({ description: 'How many have begun. One that is under way is not in `attemptLog` yet.' }),
  nextAttemptAt: timestamp.optional(),
  deliveredAt: timestamp.optional(),
  createdAt: timestamp,
  updatedAt: timestamp,
};

export const eventSchema = z.object(eventFields).meta({ id: 'WebhookEvent' });

const attemptSchema = z
  .object({
    at: timestamp,
    url: z.string(),
    status: z.int().optional(),
    latencyMs: z.int().min(0),
    responseBody: z.string().optional().meta({ description: 'The first 2 KiB of the answer.' }),
    error: z.string().optional().meta({ description: 'Why no answer came.' }),
  })
  .meta({ id: 'WebhookAttempt' });

export const eventWithAttemptsSchema = z
  .object({
    ...eventFields,
    data: z.record(z.string(), z.unknown()).meta({ description: 'The `data` of the envelope.' }),
    attemptLog: z.array(attemptSchema),
  })
  .meta({ id: 'WebhookEventWithAttempts' });

export const renderEvent = (row: ListedWebhookEvent): z.input<typeof eventSchema> =>
  present({
    id: row.id,
    type: row.type,
    objectId: row.object_id,
    state: row.state,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at?.toISOString(),
    deliveredAt: row.delivered_at?.toISOString(),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  });

const renderAttempt = (row: WebhookAttemptRow): z.input<typeof attemptSchema> =>
  present({
    at: row.at.toISOString(),
    url: row.url,
    status: row.status ?? undefined,
    latencyMs: row.latency_ms,
    responseBody: row.excerpt ?? undefined,
    error: row.error ?? undefined,
  });

export const renderEventWithAttempts = ({ event, attempts }: AttemptedEvent) => ({
  ...renderEvent(event),
  data: parseExactly(event.body),
  attemptLog: attempts.map(renderAttempt),
});

const keySchema = z
  .object({
    id: idField('WebhookKey'),
    publicKey: z.string().meta({ description: 'SPKI in PEM, P-256.' }),
    secret: z
      .string()
      .optional()
      .meta({ description: 'For tokens with MANAGE: the secret of webhook-signature.' }),
    signs: z.array(z.enum(['X-Service-Signature', 'X-Service-Signature-Next', 'webhook-signature'])),
    createdAt: timestamp,
    retiresAt: timestamp
      .optional()
      .meta({ description: 'After a rotation: when the older key stops signing.' }),
  })
  .meta({ id: 'WebhookKey' });

export const keysSchema = z.object({ data: z.array(keySchema) }).meta({ id: 'WebhookKeyList' });

export function renderKeys({ signing, next }: CurrentKeys, withSecrets: boolean): z.input<typeof keysSchema> {
  const render = (
    key: WebhookKey,
    header: 'X-Service-Signature' | 'X-Service-Signature-Next',
    until?: Date,
  ) =>
    present({
      id: key.id,
      publicKey: key.publicKey,
      secret: withSecrets ? key.secret : undefined,
      signs: [header, 'webhook-signature' as const],
      createdAt: key.createdAt.toISOString(),
      retiresAt: until?.toISOString(),
    });
  const first = render(signing, 'X-Service-Signature', next?.until);
  return { data: next ? [first, render(next.key, 'X-Service-Signature-Next')] : [first] };
}
