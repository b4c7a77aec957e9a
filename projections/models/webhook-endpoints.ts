import type { Selectable } from 'kysely';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import { platformTimeOf } from '../../src/kernel/aggregate.ts';
import type { PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import type { Projection } from '../projector/projection.ts';
import type { WebhookEndpointsTable } from '../tables/webhooks.ts';

export type WebhookEndpoint = Selectable<WebhookEndpointsTable> & { readonly url: string };

export const webhookEndpoints: Projection = {
  name: 'webhook-endpoints',
  tables: ['webhook_endpoints', 'webhook_cutoffs'],
  project(event, rows) {
    if (event.of !== 'platform' || event.state.status === 'none') return;
    const { platformId, environment, webhookEndpoint } = event.state;
    rows.put('webhook_endpoints', { platform_id: platformId, environment, url: webhookEndpoint ?? null });
    if (!endsDelivery(event)) return;
    const { position, metadata } = event;
    rows.put('webhook_cutoffs', { platform_id: platformId, position, at: platformTimeOf(metadata) });
  },
};

/** Without an endpoint there is nobody to tell: what is pending then is cancelled. */
export const endsDelivery = (event: DomainEvent): boolean =>
  event.type === 'WebhookEndpointDisabled' ||
  (event.type === 'PlatformConfigChanged' && event.data.webhookEndpoint === null);

/** `undefined` when the platform takes no webhooks. */
export async function findWebhookEndpoint(
  db: ReadDb,
  platformId: PlatformId,
): Promise<WebhookEndpoint | undefined> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('platform_id', '=', platformId)
    .executeTakeFirst();
  return row && row.url !== null ? { ...row, url: row.url } : undefined;
}
