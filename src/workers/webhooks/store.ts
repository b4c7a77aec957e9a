/** How deliveries ended, in Postgres; and whose claims are free because their worker is gone. */
import { lockSeed } from '../../../projections/kept/webhook-events.ts';
import type { SessionId } from '../../infrastructure/jobs/work-session.ts';
import type { Pool, PoolClient } from '../../infrastructure/postgres/pool.ts';
import type { Claimed } from './lanes/claims.ts';
import type { Outcome } from './send.ts';

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
  /** Records attempts and what follows from them: the next events of the objects are due when it is their turn. */
  readonly finish: (attempts: readonly Attempt[], now: Date) => Promise<void>;
};

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
    update webhook_events e set state = m.state, next_attempt_at = m.next_attempt_at, locked_until = null, claimed_by = null,
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

/** Frees what sessions that have ended had claimed: their calls were broken off, and are made again. */
export const freeWebhooks = async (client: PoolClient, ended: readonly SessionId[]): Promise<void> => {
  await client.query(
    `update webhook_events set locked_until = null, claimed_by = null
     where state = 'PENDING' and next_attempt_at is not null and claimed_by = any($1)`,
    [[...ended]],
  );
};

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
