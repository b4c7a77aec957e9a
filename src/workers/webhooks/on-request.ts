/** Webhooks that a platform asks for: events sent again, and a test of its endpoint. */

import type { ReadDb } from '../../../projections/database.ts';
import {
  countEndedWebhookEvents,
  type EndedEvents,
  wakeWebhooks,
} from '../../../projections/kept/webhook-events.ts';
import { findWebhookEndpoint, type WebhookEndpoint } from '../../../projections/models/webhook-endpoints.ts';
import { endpointNotSet } from '../../domain/webhooks/refusals.ts';
import { uncounted } from '../../infrastructure/deadlines/deadline.ts';
import { idOf, type PlatformId, type WebhookId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { signedCall } from './envelope.ts';
import type { WebhookKeys } from './keys.ts';
import type { Sender } from './send.ts';
import type { Turns } from './turns.ts';

export const testTimeoutMs = 10_000;

type RedeliveryDeps = {
  readonly readDb: ReadDb;
  readonly webhookTurns: Turns;
  readonly now: () => Date;
};
type PeriodDeps = {
  readonly readDb: ReadDb;
  readonly listDb: ReadDb;
  /** Writes down what a worker is to send again. */
  readonly askForRedelivery: (platformId: PlatformId, which: EndedEvents, now: Date) => Promise<void>;
  readonly now: () => Date;
};
type Period = Omit<EndedEvents, 'until'> & { readonly until?: Date | undefined };
type TestDeps = {
  readonly readDb: ReadDb;
  readonly webhookKeys: WebhookKeys;
  readonly webhookSender: Sender;
  readonly now: () => Date;
  readonly installationNow: () => Date;
};
type Tested = { readonly url: string; readonly status: number; readonly excerpt: string };

/** Throws `Rejected` where there is no endpoint. */
export async function redeliver(
  { readDb, webhookTurns, now }: RedeliveryDeps,
  platformId: PlatformId,
  id: WebhookId,
): Promise<void> {
  await requireEndpoint(readDb, platformId);
  await webhookTurns.redeliver(platformId, id, now());
  await wakeWebhooks(readDb);
}

/** Returns how many events will be sent again. Throws `Rejected` where there is no endpoint. */
export async function redeliverPeriod(
  { readDb, listDb, askForRedelivery, now }: PeriodDeps,
  platformId: PlatformId,
  period: Period,
): Promise<number> {
  await requireEndpoint(readDb, platformId);
  const at = now();
  const until = period.until && period.until < at ? period.until : at;
  const which = { ...period, until };
  const count = await countEndedWebhookEvents(listDb, platformId, which);
  if (count > 0) await askForRedelivery(platformId, which, at);
  return count;
}

/** At once and never repeated; it is not kept among the events. Throws `Rejected` where no answer came. */
export async function sendTest(
  { readDb, webhookKeys, webhookSender, now, installationNow }: TestDeps,
  platformId: PlatformId,
  uuid: string,
): Promise<Tested> {
  const { url } = await requireEndpoint(readDb, platformId);
  const message = { id: idOf('Webhook', uuid), type: 'TEST', body: '{}' };
  const keys = await webhookKeys.current(platformId);
  const call = signedCall(message, keys, now(), installationNow());
  const how = { timeoutMs: testTimeoutMs, allowHttp: true, once: true };
  // Its receiver may take as long as a request may.
  const outcome = await uncounted(() => webhookSender.send({ ...call, url, ...how }));
  const { status, excerpt = '', error } = outcome;
  if (status !== undefined) return { url, status, excerpt };
  throw new Rejected('WEBHOOK_DELIVERY_ERROR', `The endpoint could not be called: ${error}.`, { url });
}

async function requireEndpoint(readDb: ReadDb, platformId: PlatformId): Promise<WebhookEndpoint> {
  const endpoint = await findWebhookEndpoint(readDb, platformId);
  if (!endpoint) throw endpointNotSet();
  return endpoint;
}
