/** The outbox: every webhook event with its content, how far its delivery has come, and each attempt. */

import { type Insertable, sql } from 'kysely';
import type { PlatformId, WebhookId } from '../../src/kernel/ids.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import { type CreatedWithin, within } from '../dates.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import type {
  WebhookAttemptRow,
  WebhookEventRow,
  WebhookEventsTable,
  WebhookState,
} from '../tables/webhooks.ts';

export const webhooksChannel = 'daybook_webhooks';

/** Of the advisory lock of an object: one that arrives and one that ends must see each other when deciding which is next. */
export const lockSeed = 7411;

export type NewWebhookEvent = Pick<
  Insertable<WebhookEventsTable>,
  'id' | 'platform_id' | 'type' | 'object_id' | 'position' | 'n' | 'body'
> & { readonly at: Date };

/**
 * Adds events, each once. One is due at once unless an older one of its object is pending. Wakes the workers on commit.
 * The locks are taken in one order, so that two that add at the same moment do not wait for each other for ever.
 */
export async function appendWebhookEvents(events: readonly NewWebhookEvent[], db: WriteDb): Promise<void> {
  const rows = JSON.stringify(
    events.map(({ at, position, ...event }) => ({ ...event, position: position.toString(), at })),
  );
  await sql`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(platform_id || ' ' || object_id, ${lockSeed}::bigint) as key
      from json_to_recordset(${rows}::json) as e (platform_id text, object_id text) order by key
    ) as objects`.execute(db);
  const { numAffectedRows } = await sql`
    insert into webhook_events (
      id, platform_id, type, object_id, position, n, body, state, attempts, retries, retrying_since, next_attempt_at,
      redelivery, created_at, updated_at
    )
    select id, platform_id, type, object_id, position, n, body, 'PENDING', 0, 0, at,
      case when row_number() over (partition by platform_id, object_id order by position, n) = 1 and not exists (
        select from webhook_events w
        where w.platform_id = e.platform_id and w.object_id = e.object_id and w.state = 'PENDING'
      ) then at end,
      false, at, at
    from json_to_recordset(${rows}::json) as e (
      id text, platform_id text, type text, object_id text, position bigint, n int, body text, at timestamptz
    )
    on conflict (id) do nothing`.execute(db);
  if (numAffectedRows) await wakeWebhooks(db);
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

/** Of those created in a period; both bounds are inclusive. */
export type EndedEvents = {
  readonly since: Date;
  readonly until: Date;
  readonly types?: readonly string[] | undefined;
};

/** How many are not pending, tests aside. */
export async function countEndedWebhookEvents(
  db: ReadDb,
  platformId: PlatformId,
  { since, until, types }: EndedEvents,
): Promise<number> {
  const query = db
    .selectFrom('webhook_events')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('platform_id', '=', platformId)
    .where('created_at', '>=', since)
    .where('created_at', '<=', until)
    .where('state', '<>', 'PENDING')
    .where('type', '<>', 'TEST')
    .$if(types !== undefined, (q) =>
      q.where(({ eb, val }) => eb('type', '=', eb.fn.any(val([...(types ?? [])])))),
    );
  return Number((await query.executeTakeFirstOrThrow()).count);
}

export const findWebhookEvent = (db: ReadDb, platformId: PlatformId, id: WebhookId) =>
  db
    .selectFrom('webhook_events')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('id', '=', id)
    .executeTakeFirst();

export const listWebhookAttempts = (db: ReadDb, id: WebhookId): Promise<WebhookAttemptRow[]> =>
  db.selectFrom('webhook_attempts').selectAll().where('event_id', '=', id).orderBy('n').execute();

export type WebhookEventFilters = CreatedWithin & {
  readonly type?: string | undefined;
  readonly objectId?: string | undefined;
  readonly state?: WebhookState | undefined;
};

export function listWebhookEvents(
  db: ReadDb,
  platformId: PlatformId,
  filters: WebhookEventFilters,
  page: PageRequest,
): Promise<Page<WebhookEventRow>> {
  const { type, objectId, state } = filters;
  let query = db
    .selectFrom('webhook_events')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where(within(filters));
  if (type !== undefined) query = query.where('type', '=', type);
  if (objectId !== undefined) query = query.where('object_id', '=', objectId);
  if (state !== undefined) query = query.where('state', '=', state);
  return paginate(query, page, { ...filters, list: 'webhook-events' });
}
