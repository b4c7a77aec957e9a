import type { Selectable } from 'kysely';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { PlatformId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { handlersOf, type Projection } from '../projector/projection.ts';
import type { WebhookEndpointsTable } from '../tables/webhooks.ts';

export type WebhookEndpoint = Selectable<WebhookEndpointsTable> & { readonly url: string };

type PlatformEvents = Extract<
  DomainEvent,
  { type: 'PlatformCreated' | 'PlatformConfigChanged' | 'WebhookEndpointDisabled' }
>;

export const webhookEndpoints: Projection = {
  name: 'webhook-endpoints',
  tables: ['webhook_endpoints'],
  project: handlersOf<PlatformEvents>({
    PlatformCreated: ({ data: { platformId, environment } }, db) =>
      db
        .insertInto('webhook_endpoints')
        .values({ platform_id: platformId, environment, url: null })
        .execute(),
    PlatformConfigChanged: async ({ data: { platformId, webhookEndpoint: url } }, db) => {
      if (url === undefined) return;
      await db.updateTable('webhook_endpoints').set({ url }).where('platform_id', '=', platformId).execute();
    },
    WebhookEndpointDisabled: ({ data: { platformId } }, db) =>
      db.updateTable('webhook_endpoints').set({ url: null }).where('platform_id', '=', platformId).execute(),
  }),
};

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
