/** The state of every delivery, in Postgres: what is due, who is at it, and how it ended. */
import { lockSeed } from '../../../projections/kept/webhook-events.ts';
import type { WebhookEndpoint } from '../../../projections/models/webhook-endpoints.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import type { PlatformId, WebhookId } from '../../kernel/ids.ts';
import { perPlatformMax, type Room } from './lines.ts';
import type { Outcome } from './send.ts';

/** A worker that claims an event has it to itself for this long: longer than a call can take. */
const leaseMs = 15_000;
/** Claims of all processes on events of one platform: calls under way, and as many whose end is being written down. */
const claimsPerPlatformMax = 2 * perPlatformMax;

/** An event that this process attempts, and where it goes. `attempts` tells one claim of an event from the next. */
export type Claimed = Pick<WebhookEndpoint, 'url' | 'environment'> & {
  readonly id: WebhookId;
  readonly platformId: PlatformId;
  readonly attempts: number;
  readonly objectId: string;
  readonly type: string;
  readonly body: string;
  readonly retries: number;
  readonly retryingSince: Date;
  readonly redelivery: boolean;
};

export type Ending =
  | { readonly state: 'DELIVERED' | 'FAILED' }
  /** It is tried again. */
  | { readonly state: 'PENDING'; readonly nextAttemptAt: Date };

export type Attempt = {
  readonly claimed: Claimed;
  readonly at: Date;
  readonly outcome: Outcome;
  readonly ending: Ending;
  /** The object's next event gets its turn. */
  readonly passesTurn: boolean;
};

export type DeliveryStore = {
  /** Takes what is due for one attempt each, for as much as there is room, evenly among platforms. */
  readonly claim: (now: Date, room: Room) => Promise<readonly Claimed[]>;
  /** Records attempts and what follows from them: the next events of the objects are due when it is their turn. */
  readonly finish: (attempts: readonly Attempt[], now: Date) => Promise<void>;
};

/**
 * The oldest of each platform stand first; those that are claimed keep their places. Events are locked by their ids
 * alone: the planner, which thinks that few are pending, would rather go through all that are.
 */
const claimQuery = `
  with recursive platforms as (
    (select platform_id from webhook_events where state = 'PENDING' and next_attempt_at is not null
     order by platform_id limit 1)
    union all
    select (
      select e.platform_id from webhook_events e
      where e.state = 'PENDING' and e.next_attempt_at is not null and e.platform_id > p.platform_id
      order by e.platform_id limit 1)
    from platforms p where p.platform_id is not null
  ), rooms as (
    select p.platform_id, coalesce(r.room, ${perPlatformMax}) as room
    from platforms p left join unnest($3::text[], $4::int[]) as r (platform_id, room) using (platform_id)
  ), chosen as (
    select head.id from rooms cross join lateral (
      select id, row_number() over (order by next_attempt_at, position, n) as place from (
        select id, next_attempt_at, position, n, locked_until from webhook_events
        where platform_id = rooms.platform_id and state = 'PENDING' and next_attempt_at <= $1
        order by platform_id, next_attempt_at, position, n limit ${claimsPerPlatformMax}
      ) as heads where locked_until is null or locked_until <= $1
    ) as head
    where room > 0 and place <= room order by place - room limit $5
  ), held as (
    select id, platform_id, object_id, state, next_attempt_at, locked_until from webhook_events
    where id = any (array(select id from chosen)) for update skip locked
  ), free as (
    select held.id, url, environment from held join webhook_endpoints using (platform_id)
    where url is not null
      and state = 'PENDING' and next_attempt_at <= $1 and (locked_until is null or locked_until <= $1)
      and held.id = (
        select oldest.id from webhook_events oldest
        where oldest.platform_id = held.platform_id and oldest.object_id = held.object_id
          and oldest.state = 'PENDING'
        order by oldest.position, oldest.n limit 1)
  )
  update webhook_events e set locked_until = $2, attempts = attempts + 1, updated_at = $1 from free
  where e.id = free.id
  returning e.id, platform_id as "platformId", object_id as "objectId", type, body, attempts, retries,
    retrying_since as "retryingSince", redelivery, url, environment`;

const lockObjects = `
  select pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(object, ${lockSeed}) as key from unnest($1::text[]) as object order by key
  ) as objects`;

/**
 * An event does not end when it was cancelled meanwhile, or when the lease ran out and another worker took it: that one
 * decides. To record an attempt twice changes nothing.
 */
const finishQuery = `
  with made as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::timestamptz[], $6::text[], $7::int[],
      $8::int[], $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::boolean[])
    as m (id, platform_id, object_id, attempts, at, url, status, latency_ms, excerpt, error, state, next_attempt_at,
      passes_turn)
  ), logged as (
    insert into webhook_attempts (event_id, n, at, url, status, latency_ms, excerpt, error)
    select id, attempts, at, url, status, latency_ms, excerpt, error from made on conflict do nothing
  ), ended as (
    update webhook_events e set state = m.state, next_attempt_at = m.next_attempt_at, locked_until = null,
      retries = retries + case when m.state = 'PENDING' then 1 else 0 end, updated_at = $14,
      delivered_at = case when m.state = 'DELIVERED' then $14 else delivered_at end
    from made m
    where e.id = m.id
      and case when e.state <> 'PENDING' then false when m.state = 'DELIVERED' then true
        else e.attempts = m.attempts and e.locked_until is not null end
    returning e.id, e.state
  )
  update webhook_events set next_attempt_at = $14
  where id = any (array(
    select next.id from (select distinct platform_id, object_id from made where passes_turn) as object
    cross join lateral (
      select id, next_attempt_at from webhook_events e
      where e.platform_id = object.platform_id and e.object_id = object.object_id and e.state = 'PENDING'
        and id not in (select id from ended where state <> 'PENDING')
      order by position, n limit 1
    ) as next where next.next_attempt_at is null
  ))`;

/** The commits of `pool` need not wait for the disk: what a crash of Postgres takes back is sent again. */
export const createDeliveryStore = (pool: Pool): DeliveryStore => ({
  async claim(now, { calls, platforms }) {
    const until = new Date(now.getTime() + leaseMs);
    const values = [now, until, [...platforms.keys()], [...platforms.values()], calls];
    return (await pool.query<Claimed>({ name: 'claim-webhooks', text: claimQuery, values })).rows;
  },
  async finish(attempts, now) {
    const objects = attempts.map(({ claimed }) => `${claimed.platformId} ${claimed.objectId}`);
    const client = await pool.connect();
    try {
      await client.query('begin');
      // What is added to one of the objects meanwhile is seen below, or sees what has ended.
      await client.query({ name: 'lock-webhook-objects', text: lockObjects, values: [objects] });
      await client.query({
        name: 'finish-webhooks',
        text: finishQuery,
        values: [...columnsOf(attempts), now],
      });
      await client.query('commit');
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  },
});

function columnsOf(attempts: readonly Attempt[]): readonly unknown[][] {
  const column = (value: (attempt: Attempt) => unknown) => attempts.map((one) => value(one) ?? null);
  return [
    column(({ claimed }) => claimed.id),
    column(({ claimed }) => claimed.platformId),
    column(({ claimed }) => claimed.objectId),
    column(({ claimed }) => claimed.attempts),
    column(({ at }) => at),
    column(({ claimed }) => claimed.url),
    column(({ outcome }) => outcome.status),
    column(({ outcome }) => outcome.latencyMs),
    column(({ outcome }) => outcome.excerpt),
    column(({ outcome }) => outcome.error),
    column(({ ending }) => ending.state),
    column(({ ending }) => (ending.state === 'PENDING' ? ending.nextAttemptAt : null)),
    column(({ passesTurn }) => passesTurn),
  ];
}
