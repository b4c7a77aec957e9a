import { lockSeed } from '../../../projections/kept/webhook-events.ts';
/** The state of every delivery, in Postgres: what is due, who is at it, and how it ended. */

import type { Pool } from '../../infrastructure/postgres/pool.ts';
import type { PlatformId, WebhookId } from '../../kernel/ids.ts';
import type { Outcome } from './send.ts';

/** A worker that claims an event has it to itself for this long: longer than a call can take. */
const leaseMs = 15_000;
/** Due events that are handed out at once. */
const dueMax = 1_000;

/** An event whose turn it is. `attempts` tells one turn of an event from the next. */
export type Due = { readonly id: WebhookId; readonly platformId: PlatformId; readonly attempts: number };

export type Claimed = Due & {
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

export type Range = {
  readonly since: Date;
  readonly until?: Date | undefined;
  readonly types?: readonly string[] | undefined;
};

export type DeliveryStore = {
  /** What may be attempted now, at most so many of one platform, those that are being attempted included. */
  readonly due: (now: Date, perPlatformMax: number) => Promise<readonly Due[]>;
  /** Takes the event for one attempt; `undefined` when it is not its turn or another worker has it. */
  readonly claim: (id: WebhookId, now: Date) => Promise<Claimed | undefined>;
  /** Records an attempt and what follows. Returns the next event of the object when it has become its turn. */
  readonly finish: (
    claimed: Claimed,
    attempt: Outcome & { readonly url: string; readonly at: Date },
    ending: Ending,
    now: Date,
  ) => Promise<Due | undefined>;
  /** Lets every object's oldest pending event have its turn, where a race has left none with it. */
  readonly heal: (now: Date) => Promise<void>;
  /** Sends ended events again. Returns how many there are. */
  readonly redeliver: (platformId: PlatformId, which: WebhookId | Range, now: Date) => Promise<number>;
};

const lockObject = `select pg_advisory_xact_lock(hashtextextended($1, ${lockSeed}))`;

const dueQuery = `
  with due as (
    select id, platform_id, attempts, next_attempt_at,
      row_number() over (partition by platform_id order by next_attempt_at, position, n) as place
    from webhook_events
    where state = 'PENDING' and next_attempt_at <= $1 and (locked_until is null or locked_until <= $1)
  ), busy as (
    select platform_id, count(*) as calls from webhook_events
    where state = 'PENDING' and next_attempt_at is not null and locked_until > $1 group by platform_id
  )
  select id, platform_id as "platformId", attempts from due left join busy using (platform_id)
  where place + coalesce(calls, 0) <= $2 order by next_attempt_at limit ${dueMax}`;

const claimQuery = `
  update webhook_events e set locked_until = $2, attempts = attempts + 1, updated_at = $3
  where id = $1 and state = 'PENDING' and next_attempt_at <= $3 and (locked_until is null or locked_until <= $3)
    and not exists (
      select from webhook_events older
      where older.platform_id = e.platform_id and older.object_id = e.object_id and older.state = 'PENDING'
        and (older.position, older.n) < (e.position, e.n))
  returning id, platform_id as "platformId", object_id as "objectId", type, body, attempts, retries,
    retrying_since as "retryingSince", redelivery`;

/** Not when it was cancelled meanwhile, or when the lease ran out and another worker took it: that one decides. */
const endQuery = `
  update webhook_events set state = $3, next_attempt_at = $4, locked_until = null, retries = retries + $5,
    updated_at = $6, delivered_at = case when $3 = 'DELIVERED' then $6 else delivered_at end
  where id = $1 and state = 'PENDING' and (attempts = $2 or $3 = 'DELIVERED')`;

const promoteQuery = `
  update webhook_events set next_attempt_at = $3
  where next_attempt_at is null and id = (
    select id from webhook_events where platform_id = $1 and object_id = $2 and state = 'PENDING'
    order by position, n limit 1)
  returning id, platform_id as "platformId", attempts`;

const healQuery = `
  update webhook_events set next_attempt_at = $1
  where next_attempt_at is null and state = 'PENDING' and id in (
    select distinct on (platform_id, object_id) id from webhook_events where state = 'PENDING'
    order by platform_id, object_id, position, n)`;

const redeliverQuery = `
  update webhook_events set state = 'PENDING', redelivery = true, retries = 0, retrying_since = $2,
    next_attempt_at = null, locked_until = null, updated_at = $2
  where platform_id = $1 and state <> 'PENDING'`;

/** An event that is sent again goes before the younger ones of its object. */
const yieldQuery = `
  update webhook_events e set next_attempt_at = null
  where platform_id = $1 and state = 'PENDING' and next_attempt_at is not null and locked_until is null
    and exists (
      select from webhook_events older
      where older.platform_id = e.platform_id and older.object_id = e.object_id and older.state = 'PENDING'
        and (older.position, older.n) < (e.position, e.n))`;

export function createDeliveryStore(pool: Pool): DeliveryStore {
  const heal = async (now: Date) => {
    await pool.query(healQuery, [now]);
  };

  return {
    heal,
    async due(now, perPlatformMax) {
      return (await pool.query<Due>(dueQuery, [now, perPlatformMax])).rows;
    },
    async claim(id, now) {
      const until = new Date(now.getTime() + leaseMs);
      return (await pool.query<Claimed>(claimQuery, [id, until, now])).rows[0];
    },
    async finish({ id, platformId, objectId, attempts }, attempt, ending, now) {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await client.query(lockObject, [`${platformId} ${objectId}`]);
        await client.query(
          `insert into webhook_attempts (event_id, n, at, url, status, latency_ms, excerpt, error)
           values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
          [
            ...[id, attempts, attempt.at, attempt.url, attempt.status ?? null],
            ...[attempt.latencyMs, attempt.excerpt ?? null, attempt.error ?? null],
          ],
        );
        const again = ending.state === 'PENDING';
        const next = again ? ending.nextAttemptAt : null;
        await client.query(endQuery, [id, attempts, ending.state, next, again ? 1 : 0, now]);
        const promoted = again
          ? undefined
          : (await client.query<Due>(promoteQuery, [platformId, objectId, now])).rows[0];
        await client.query('commit');
        client.release();
        return promoted;
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
    async redeliver(platformId, which, now) {
      const one = typeof which === 'string';
      const chosen = one
        ? 'and id = $3'
        : "and type <> 'TEST' and created_at >= $3 and created_at <= $4 and ($5::text[] is null or type = any($5))";
      const values = one ? [which] : [which.since, which.until ?? now, which.types ?? null];
      const { rowCount } = await pool.query(`${redeliverQuery} ${chosen}`, [platformId, now, ...values]);
      await pool.query(yieldQuery, [platformId]);
      await heal(now);
      return rowCount ?? 0;
    },
  };
}
