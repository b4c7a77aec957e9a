/** Whose turn it is: the events of an object are sent one after the other, the oldest that is pending first. */
import { projectionsCheckpoint } from '../../../projections/kept/checkpoints.ts';
import { isBeforeCutoff, lockSeed } from '../../../projections/kept/webhook-events.ts';
import type { Moved } from '../../infrastructure/clock/platform-times.ts';
import { timeOf, timesIn } from '../../infrastructure/clock/times-in-sql.ts';
import type { Pool, PoolClient } from '../../infrastructure/postgres/pool.ts';
import { inTransaction } from '../../infrastructure/postgres/transaction.ts';
import { inSteps } from '../../infrastructure/scheduling/steps.ts';
import type { PlatformId, WebhookId } from '../../kernel/ids.ts';

export type Turns = {
  /** Sends an event again, unless it is pending. */
  readonly redeliver: (platformId: PlatformId, id: WebhookId, now: Date) => Promise<void>;
  /**
   * Lets every object's oldest pending event have its turn, and no younger one, where a race has left it otherwise. In
   * steps, up to a bound: the next call goes on where this one has ended. Turns begin at `now`, or by the time of a
   * platform that has its own.
   */
  readonly heal: (now: Date, moved?: readonly Moved[]) => Promise<void>;
};

type Object = { readonly platformId: PlatformId; readonly objectId: string };

const lockQuery = `
  select pg_advisory_xact_lock(key) from (
    select distinct hashtextextended(object, ${lockSeed}) as key from unnest($1::text[]) as object order by key
  ) as objects`;

/** Until the transaction ends: what is added to one of the objects meanwhile is seen afterwards, or sees what has ended. */
export async function lockObjects(client: PoolClient, objects: readonly Object[]): Promise<void> {
  const names = objects.map(({ platformId, objectId }) => `${platformId} ${objectId}`);
  await client.query({ name: 'lock-webhook-objects', text: lockQuery, values: [names] });
}

type Giving = {
  /** Their platforms and ids. */
  readonly objects: string;
  /** Those whose end the statement itself brings about. */
  readonly unless: string;
  readonly at: string;
};

/** Gives the turn to the oldest pending event of each object. */
export const giveTurns = ({ objects, unless, at }: Giving): string => `
  update webhook_events set next_attempt_at = ${at}
  where id = any (array(
    select next.id from (${objects}) as object
    cross join lateral (
      select id, next_attempt_at from webhook_events e
      where e.platform_id = object.platform_id and e.object_id = object.object_id and e.state = 'PENDING'
        and not id ${unless}
      order by position, n limit 1
    ) as next where next.next_attempt_at is null
  ))`;

const ownTime = timeOf('webhook_events.platform_id', '$6', '$7', '$4');

const endQuery = `
  with ended as (
    update webhook_events set state = $2, next_attempt_at = null, updated_at = coalesce($3, ${ownTime})
    where id = any($1) and state = 'PENDING' and ($5 or locked_until is null or locked_until <= $4)
    returning id, platform_id, object_id
  ), given as (
    ${giveTurns({
      objects: 'select distinct platform_id, object_id from ended',
      unless: 'in (select id from ended)',
      at: ownTime,
    })}
  )
  select id from ended`;

type Ending = {
  readonly state: 'CANCELLED' | 'FAILED';
  /** By the platform's time; now when left out. */
  readonly at?: Date;
  /** Also those that are being sent. */
  readonly heldToo: boolean;
};
export type Ended = Object & { readonly id: WebhookId };

/**
 * Ends events that are pending, and gives the next of their objects their turn: now, which is another moment for
 * platforms that have a time of their own.
 */
export async function endPending(
  client: PoolClient,
  events: readonly Ended[],
  { state, at, heldToo }: Ending,
  now: Date,
  moved: readonly Moved[],
): Promise<void> {
  if (events.length === 0) return;
  await lockObjects(client, events);
  const ids = events.map(({ id }) => id);
  const values = [ids, state, at ?? null, now, heldToo, ...timesIn(moved)];
  await client.query({ name: 'end-webhooks', text: endQuery, values });
}

const platformLockSeed = 7413;

/** Until the transaction ends: what a platform asks for again is not what is being cancelled. */
export const lockPlatform = (client: PoolClient, platformId: PlatformId) =>
  client.query('select pg_advisory_xact_lock(hashtextextended($1, $2))', [platformId, platformLockSeed]);

/** Not where the endpoint was switched off meanwhile. */
const redeliverQuery = `
  update webhook_events e set state = 'PENDING', redelivery = true, retries = 0, retrying_since = $2,
    next_attempt_at = null, locked_until = null, updated_at = $2, asked_position = read.position
  from (
    select coalesce(max(position), 0) as position from checkpoints where name = '${projectionsCheckpoint}'
  ) as read, webhook_endpoints w left join webhook_cutoffs c on c.platform_id = w.platform_id
  where w.platform_id = $1 and w.url is not null and e.platform_id = $1 and e.id = any($3)
    and (e.state <> 'PENDING' or ${isBeforeCutoff('e', 'c.position')})
  returning e.object_id`;

/** An event that is sent again goes before the younger ones of its object. What others are changing is left to them. */
const yieldQuery = `
  update webhook_events set next_attempt_at = null
  where id in (
    select id from webhook_events e
    where state = 'PENDING' and next_attempt_at is not null and locked_until is null
      and platform_id = $1 and object_id = any($2) and exists (
        select from webhook_events older
        where older.platform_id = e.platform_id and older.object_id = e.object_id and older.state = 'PENDING'
          and (older.position, older.n) < (e.position, e.n))
    for update skip locked)`;

const giveQuery = giveTurns({
  objects: 'select $1::text as platform_id, unnest($2::text[]) as object_id',
  unless: 'is null',
  at: '$3',
});

/** Sends those of the events again that have ended, and settles the turns of their objects. In a transaction. */
export async function redeliverEvents(
  client: PoolClient,
  platformId: PlatformId,
  ids: readonly WebhookId[],
  now: Date,
): Promise<void> {
  await lockPlatform(client, platformId);
  const { rows } = await client.query<{ object_id: string }>(redeliverQuery, [platformId, now, [...ids]]);
  const objects = [...new Set(rows.map(({ object_id }) => object_id))];
  await client.query(yieldQuery, [platformId, objects]);
  await client.query(giveQuery, [platformId, objects, now]);
}

type Place = Object & { readonly position: bigint; readonly n: number };
type Pending = Place & { readonly id: WebhookId; readonly hasTurn: boolean; readonly isHeld: boolean };

/** By their index, whatever there is of other events. What was claimed by a process that is gone is not held any more. */
const pendingQuery = `
  select id, platform_id as "platformId", object_id as "objectId", position, n, next_attempt_at is not null as "hasTurn",
    coalesce(locked_until > $6, false) as "isHeld"
  from webhook_events
  where state = 'PENDING' and (platform_id, object_id, position, n) > ($1, $2, $3, $4)
  order by platform_id, object_id, position, n limit $5`;

/** What has changed meanwhile is right already, and what others are changing is left to them. */
const settleQuery = `
  update webhook_events set next_attempt_at = case when next_attempt_at is null then ${timeOf('webhook_events.platform_id', '$3', '$4', '$2')} end
  where id in (
    select id from webhook_events e
    where id = any($1) and state = 'PENDING' and (next_attempt_at is null) <> exists (
      select from webhook_events older
      where older.platform_id = e.platform_id and older.object_id = e.object_id and older.state = 'PENDING'
        and (older.position, older.n) < (e.position, e.n))
    for update skip locked)`;

const start: Place = { platformId: '' as PlatformId, objectId: '', position: 0n, n: 0 };

export function createTurns(pool: Pool): Turns {
  let reached = start;
  const healStep = async (now: Date, moved: readonly Moved[], max: number): Promise<number> => {
    const { platformId, objectId, position, n } = reached;
    const after = [platformId, objectId, position, n];
    const { rows } = await pool.query<Pending>(pendingQuery, [...after, max, now]);
    const isOldest = (one: Pending, index: number) => !isOfOne(one, rows[index - 1] ?? reached);
    const wrong = rows.filter((one, index) => isOldest(one, index) !== one.hasTurn && !one.isHeld);
    if (wrong.length > 0) await pool.query(settleQuery, [wrong.map(({ id }) => id), now, ...timesIn(moved)]);
    reached = rows.length < max ? start : (rows.at(-1) ?? start);
    return rows.length;
  };
  return {
    redeliver: (platformId, id, now) =>
      inTransaction(pool, (client) => redeliverEvents(client, platformId, [id], now)),
    async heal(now, moved = []) {
      await inSteps((max) => healStep(now, moved, max));
    },
  };
}

const isOfOne = (a: Object, b: Object) => a.platformId === b.platformId && a.objectId === b.objectId;
