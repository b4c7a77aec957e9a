/** The outbox: every webhook event with its content, how far its delivery has come, and each attempt. */

import { type Insertable, sql } from 'kysely';
import type { PlatformId, WebhookId } from '../../src/kernel/ids.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import type {
  WebhookAttemptRow,
  WebhookEventRow,
  WebhookEventsTable,
  WebhookState,
} from '../tables/webhooks.ts';

export const webhooksChannel = 'daybook_webhooks';

/** Held while deciding which event of an object is next: one that arrives and one that ends must see each other. */
export const lockObject = (platformId: string, objectId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`${platformId} ${objectId}`}, 7411))`;

export type NewWebhookEvent = Pick<
  Insertable<WebhookEventsTable>,
  'id' | 'platform_id' | 'type' | 'object_id' | 'position' | 'n' | 'body'
> & { readonly at: Date };

/** Adds an event, once; it is due at once unless an older one of its object is pending. Wakes the workers on commit. */
export async function appendWebhookEvent(db: WriteDb, { at, ...event }: NewWebhookEvent): Promise<void> {
  await lockObject(event.platform_id, event.object_id).execute(db);
  const older = await db
    .selectFrom('webhook_events')
    .select('id')
    .where('platform_id', '=', event.platform_id)
    .where('object_id', '=', event.object_id)
    .where('state', '=', 'PENDING')
    .limit(1)
    .executeTakeFirst();
  await db
    .insertInto('webhook_events')
    .values({
      ...event,
      state: 'PENDING',
      attempts: 0,
      retries: 0,
      retrying_since: at,
      next_attempt_at: older ? null : at,
      redelivery: false,
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  if (!older) await wakeWebhooks(db);
}

export const wakeWebhooks = (db: ReadDb | WriteDb) =>
  sql`select pg_notify(${webhooksChannel}, '')`.execute(db);

/** Nothing that is pending will be sent any more. */
export const cancelWebhookEvents = (db: WriteDb, platformId: PlatformId, at: Date) =>
  db
    .updateTable('webhook_events')
    .set({ state: 'CANCELLED', next_attempt_at: null, updated_at: at })
    .where('platform_id', '=', platformId)
    .where('state', '=', 'PENDING')
    .execute();

export const findWebhookEvent = (db: ReadDb, platformId: PlatformId, id: WebhookId) =>
  db
    .selectFrom('webhook_events')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('id', '=', id)
    .executeTakeFirst();

export const listWebhookAttempts = (db: ReadDb, id: WebhookId): Promise<WebhookAttemptRow[]> =>
  db.selectFrom('webhook_attempts').selectAll().where('event_id', '=', id).orderBy('n').execute();

export type WebhookEventFilters = {
  readonly type?: string | undefined;
  readonly objectId?: string | undefined;
  readonly state?: WebhookState | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
};

export function listWebhookEvents(
  db: ReadDb,
  platformId: PlatformId,
  filters: WebhookEventFilters,
  page: PageRequest,
): Promise<Page<WebhookEventRow>> {
  const { type, objectId, state, createdAfter, createdBefore } = filters;
  let query = db.selectFrom('webhook_events').selectAll().where('platform_id', '=', platformId);
  if (type !== undefined) query = query.where('type', '=', type);
  if (objectId !== undefined) query = query.where('object_id', '=', objectId);
  if (state !== undefined) query = query.where('state', '=', state);
  if (createdAfter) query = query.where('created_at', '>=', createdAfter);
  if (createdBefore) query = query.where('created_at', '<=', createdBefore);
  return paginate(query, page, { ...filters, list: 'webhook-events' });
}
