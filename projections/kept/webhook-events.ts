/** The outbox: every webhook event with its content, how far its delivery has come, and each attempt. */

import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { PlatformId, WebhookId } from '../../src/kernel/ids.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import { type CreatedWithin, within } from '../dates.ts';
import { atOneMoment } from '../one-moment.ts';
import { type Page, type PageRequest, paginate } from '../pagination.ts';
import type {
  WebhookAttemptRow,
  WebhookCutoff,
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
 * Adds events, each once. One is due at once unless an older one of its object is pending, and cancelled where the
 * endpoint was switched off after it. Wakes the workers on commit.
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
    with told as (
      select e.*, c.at as cancelled_at from json_to_recordset(${rows}::json) as e (
        id text, platform_id text, type text, object_id text, position bigint, n int, body text, at timestamptz
      ) left join webhook_cutoffs c on c.platform_id = e.platform_id and c.position > e.position
    )
    insert into webhook_events (
      id, platform_id, type, object_id, position, n, body, state, attempts, retries, retrying_since, next_attempt_at,
      redelivery, created_at, updated_at
    )
    select id, platform_id, type, object_id, position, n, body,
      case when cancelled_at is null then 'PENDING' else 'CANCELLED' end, 0, 0, at,
      case when cancelled_at is null and not exists (
        select from webhook_events w
        where w.platform_id = e.platform_id and w.object_id = e.object_id and w.state = 'PENDING'
      ) and row_number() over (
        partition by platform_id, object_id, cancelled_at is null order by position, n
      ) = 1 then at end,
      false, at, coalesce(cancelled_at, at)
    from told e
    on conflict (id) do nothing`.execute(db);
  if (numAffectedRows) await wakeWebhooks(db, [...new Set(events.map((one) => one.platform_id))]);
}

/** More would not fit into a notice. */
const namedMax = 100;

/** Tells workers that something may be due, and who waits, for which platforms there is something new. */
export const wakeWebhooks = (db: ReadDb | WriteDb, platforms: readonly string[] = []) => {
  const told = platforms.length > namedMax ? everyPlatform : platforms.join(' ');
  return sql`select pg_notify(${webhooksChannel}, ${told})`.execute(db);
};

const everyPlatform = '*';

/** Whether a notice names platforms with new events: those were cancelled, where they had to be, when they were added. */
export const isOfNew = (told: string | undefined): boolean => told !== undefined && told !== '';

/** Whether a notice says, or may mean, that there is something new for the platform. A new connection has missed some. */
export const hasNews = (told: string | undefined, platformId: PlatformId): boolean =>
  told === undefined || told === everyPlatform || told.split(' ').includes(platformId);

/** Whether an event, if it is pending, was begun before its platform's endpoint was switched off at a position. */
export const isBeforeCutoff = (event: string, cutoff: string): string =>
  `coalesce(${event}.asked_position, ${event}.position) < ${cutoff}`;

/** Of what is done to cancel what was pending at a cutoff `c`. */
export const isCancelled = `
  exists (select from webhook_cancellations w where w.platform_id = c.platform_id and w.cutoff = c.position and w.is_done)`;

/** `undefined` but for the time in which a worker cancels what was pending when the endpoint was switched off. */
const findOpenCutoff = (db: ReadDb, platformId: PlatformId): Promise<WebhookCutoff | undefined> =>
  db
    .selectFrom('webhook_cutoffs as c')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`not ${sql.raw(isCancelled)}`)
    .executeTakeFirst();

/** Reads events, at one moment with what is about to be cancelled of them. */
const withCutoff = <Result>(
  db: ReadDb,
  platformId: PlatformId,
  read: (one: ReadDb, cutoff: WebhookCutoff | undefined) => Promise<Result>,
): Promise<Result> =>
  atOneMoment(db, ['webhook_cutoffs'], async (one) => read(one, await findOpenCutoff(one, platformId)));

/** What is about to be cancelled counts as cancelled. */
function inState(state: WebhookState, cutoff: WebhookCutoff | undefined): RawBuilder<boolean> {
  if (!cutoff || (state !== 'PENDING' && state !== 'CANCELLED')) return sql<boolean>`state = ${state}`;
  const isBefore = sql<boolean>`coalesce(asked_position, position) < ${cutoff.position}`;
  if (state === 'PENDING') return sql<boolean>`state = 'PENDING' and not (${isBefore})`;
  return sql<boolean>`(state = 'CANCELLED' or (state = 'PENDING' and ${isBefore}))`;
}

const shown = <Row extends Deliverable>(row: Row, cutoff: WebhookCutoff | undefined): Row =>
  cutoff && row.state === 'PENDING' && (row.asked_position ?? row.position) < cutoff.position
    ? { ...row, state: 'CANCELLED', next_attempt_at: null, updated_at: cutoff.at }
    : row;

type Deliverable = Pick<
  WebhookEventRow,
  'state' | 'position' | 'asked_position' | 'next_attempt_at' | 'updated_at'
>;

/** Of those created in a period; both bounds are inclusive. */
export type EndedEvents = {
  readonly since: Date;
  readonly until: Date;
  readonly types?: readonly string[] | undefined;
};

/** How many are not pending, tests aside. */
export const countEndedWebhookEvents = (
  db: ReadDb,
  platformId: PlatformId,
  { since, until, types }: EndedEvents,
): Promise<number> =>
  withCutoff(db, platformId, async (one, cutoff) => {
    const { count } = await one
      .selectFrom('webhook_events')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where('platform_id', '=', platformId)
      .where('created_at', '>=', since)
      .where('created_at', '<=', until)
      .where(sql<boolean>`not (${inState('PENDING', cutoff)})`)
      .where('type', '<>', 'TEST')
      .$if(types !== undefined, (q) =>
        q.where(({ eb, val }) => eb('type', '=', eb.fn.any(val([...(types ?? [])])))),
      )
      .executeTakeFirstOrThrow();
    return Number(count);
  });

export const findWebhookEvent = (
  db: ReadDb,
  platformId: PlatformId,
  id: WebhookId,
): Promise<WebhookEventRow | undefined> =>
  withCutoff(db, platformId, (one, cutoff) => shownEvent(one, platformId, id, cutoff));

/** An event with its attempts. One that is under way is counted, and is not among them yet. */
export type AttemptedEvent = {
  readonly event: WebhookEventRow;
  readonly attempts: readonly WebhookAttemptRow[];
};

export const findAttemptedEvent = (
  db: ReadDb,
  platformId: PlatformId,
  id: WebhookId,
): Promise<AttemptedEvent | undefined> =>
  withCutoff(db, platformId, async (one, cutoff) => {
    const event = await shownEvent(one, platformId, id, cutoff);
    if (!event) return undefined;
    const attempts = await one
      .selectFrom('webhook_attempts')
      .selectAll()
      .where('event_id', '=', id)
      .orderBy('n')
      .execute();
    return { event, attempts };
  });

async function shownEvent(
  db: ReadDb,
  platformId: PlatformId,
  id: WebhookId,
  cutoff: WebhookCutoff | undefined,
): Promise<WebhookEventRow | undefined> {
  const row = await db
    .selectFrom('webhook_events')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && shown(row, cutoff);
}

export type WebhookEventFilters = CreatedWithin & {
  readonly type?: string | undefined;
  readonly objectId?: string | undefined;
  readonly state?: WebhookState | undefined;
};

/** All but the content, of which a page can have 100 and shows none. */
const listed = [
  'id',
  'type',
  'object_id',
  'position',
  'asked_position',
  'state',
  'attempts',
  'next_attempt_at',
  'created_at',
  'updated_at',
  'delivered_at',
] as const satisfies readonly (keyof WebhookEventRow)[];

export type ListedWebhookEvent = Pick<WebhookEventRow, (typeof listed)[number]>;

export const listWebhookEvents = (
  db: ReadDb,
  platformId: PlatformId,
  filters: WebhookEventFilters,
  page: PageRequest,
): Promise<Page<ListedWebhookEvent>> =>
  withCutoff(db, platformId, async (one, cutoff) => {
    const { type, objectId, state } = filters;
    let query = one
      .selectFrom('webhook_events')
      .select(listed)
      .where('platform_id', '=', platformId)
      .where(within(filters));
    if (type !== undefined) query = query.where('type', '=', type);
    if (objectId !== undefined) query = query.where('object_id', '=', objectId);
    if (state !== undefined) query = query.where(inState(state, cutoff));
    const found = await paginate(query, page, { ...filters, list: 'webhook-events' });
    return { ...found, rows: found.rows.map((row) => shown(row, cutoff)) };
  });

/** When an attempt is due next of what a platform is told; `undefined` where none is. */
export async function nextWebhookAt(db: ReadDb, platformId: PlatformId): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(greatest(e.next_attempt_at, l.closed_until)) as at
    from webhook_events e
    join webhook_endpoints w on w.platform_id = e.platform_id and w.url is not null
    left join webhook_lanes l on l.platform_id = e.platform_id and l.url = w.url
    left join webhook_cutoffs c on c.platform_id = e.platform_id
    where e.platform_id = ${platformId} and e.state = 'PENDING' and e.next_attempt_at is not null
      and not coalesce(${sql.raw(isBeforeCutoff('e', 'c.position'))}, false)`.execute(db);
  return rows[0]?.at ?? undefined;
}

export type ToldFilters = {
  readonly type?: string | undefined;
  readonly objectId?: string | undefined;
  /** The place of an event. */
  readonly after?: Pick<WebhookEventRow, 'position' | 'n'> | undefined;
};

/**
 * What a platform is told, whatever came of it: the oldest first. Those that a former version has given one place come
 * together, which can be one more than the limit.
 */
export const listToldAfter = (
  db: ReadDb,
  platformId: PlatformId,
  { type, objectId, after }: ToldFilters,
  limit: number,
): Promise<readonly WebhookEventRow[]> =>
  withCutoff(db, platformId, async (one, cutoff) => {
    let query = one.selectFrom('webhook_events').selectAll().where('platform_id', '=', platformId);
    if (type !== undefined) query = query.where('type', '=', type);
    if (objectId !== undefined) query = query.where('object_id', '=', objectId);
    if (after) query = query.where(sql<boolean>`(position, n) > (${after.position}, ${after.n})`);
    const rows = await query.orderBy('position').orderBy('n').fetch(limit, 'with ties').execute();
    return rows.map((row) => shown(row, cutoff));
  });
