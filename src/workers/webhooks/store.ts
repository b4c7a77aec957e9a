/** How deliveries ended, in Postgres; and whose claims are free because their worker is gone. */
import type { SessionId } from '../../infrastructure/jobs/work-session.ts';
import type { Pool, PoolClient } from '../../infrastructure/postgres/pool.ts';
import { inTransaction } from '../../infrastructure/postgres/transaction.ts';
import type { Claimed } from './lanes/claims.ts';
import type { Outcome } from './send.ts';
import { giveTurns, lockObjects } from './turns.ts';

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
  /** No call was made. */
  readonly isHeldBack?: true;
};

export type DeliveryStore = {
  /** Records attempts of one event that others follow: it is still claimed. */
  readonly passOver: (attempts: readonly Attempt[]) => Promise<void>;
  /** Records attempts and what follows from them: the next events of the objects are due when it is their turn. */
  readonly finish: (attempts: readonly Attempt[], now: Date) => Promise<void>;
};

/**
 * An event does not end when it was cancelled meanwhile, or when the lease ran out and another worker took it: that one
 * decides. A success counts whoever has it now, unless the event was asked for anew meanwhile. To record an attempt twice
 * changes nothing.
 */
const finishQuery = `
  with made as (
    select * from unnest($1::int[], $2::timestamptz[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[],
      $8::text[], $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::boolean[], $14::timestamptz[])
    as m (attempts, at, url, status, latency_ms, excerpt, error, id, platform_id, object_id, state, next_attempt_at,
      passes_turn, retrying_since)
  ), logged as (
    insert into webhook_attempts (event_id, n, at, url, status, latency_ms, excerpt, error)
    select id, attempts, at, url, status, latency_ms, excerpt, error from made on conflict do nothing
  ), ended as (
    update webhook_events e set state = m.state, next_attempt_at = m.next_attempt_at, locked_until = null, claimed_by = null,
      retries = retries + case when m.state = 'PENDING' then 1 else 0 end, updated_at = $15,
      delivered_at = case when m.state = 'DELIVERED' then $15 else delivered_at end
    from made m
    where e.id = m.id
      and case when e.state <> 'PENDING' then false
        when m.state = 'DELIVERED' then date_trunc('milliseconds', e.retrying_since) = m.retrying_since
        else e.attempts = m.attempts and e.locked_until is not null end
    returning e.id, e.state
  )
  ${giveTurns({
    objects: 'select distinct platform_id, object_id from made where passes_turn',
    unless: `in (select id from ended where state <> 'PENDING')`,
    at: '$15',
  })}`;

/** As long as the event is claimed as it was when the first of them was made. */
const passOverQuery = `
  with made as (
    select * from unnest($1::int[], $2::timestamptz[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[])
      as m (n, at, url, status, latency_ms, excerpt, error)
  ), counted as (
    update webhook_events set attempts = attempts + (select count(*) from made),
      retries = retries + (select count(*) from made)
    where id = $8 and state = 'PENDING' and attempts = (select min(n) from made) and locked_until is not null
    returning id
  )
  insert into webhook_attempts (event_id, n, at, url, status, latency_ms, excerpt, error)
  select counted.id, made.* from counted cross join made on conflict do nothing`;

/** Held until the transaction ends: who rewrites a body waits for that, and clears the answers to it afterwards. */
const sameBodiesQuery = `
  select e.id from webhook_events e join unnest($1::text[], $2::text[]) as sent (id, body) on sent.id = e.id
  where e.body = sent.body order by e.id for no key update of e`;

/** An answer may repeat what was sent: where that says something of who was erased meanwhile, it is not kept. */
async function withoutErased(client: PoolClient, attempts: readonly Attempt[]): Promise<readonly Attempt[]> {
  const answered = attempts.filter(({ outcome }) => outcome.excerpt);
  if (answered.length === 0) return attempts;
  const { rows } = await client.query<Pick<Claimed, 'id'>>({
    name: 'same-webhook-bodies',
    text: sameBodiesQuery,
    values: [answered.map(({ claimed }) => claimed.id), answered.map(({ claimed }) => claimed.body)],
  });
  const same = new Set(rows.map(({ id }) => id));
  return attempts.map((one) => {
    const { excerpt, ...outcome } = one.outcome;
    return excerpt && !same.has(one.claimed.id) ? { ...one, outcome } : one;
  });
}

/** The commits of `pool` need not wait for the disk: what a crash of Postgres takes back is sent again. */
export const createDeliveryStore = (pool: Pool): DeliveryStore => ({
  async passOver(attempts) {
    const [first] = attempts;
    if (!first) return;
    await inTransaction(pool, async (client) => {
      await client.query({
        name: 'pass-over-attempts',
        text: passOverQuery,
        values: [...loggedOf(await withoutErased(client, attempts)), first.claimed.id],
      });
    });
  },
  async finish(attempts, now) {
    const objects = attempts.map(({ claimed: { platformId, objectId } }) => ({ platformId, objectId }));
    await inTransaction(pool, async (client) => {
      await lockObjects(client, objects);
      await client.query({
        name: 'finish-webhooks',
        text: finishQuery,
        values: [...loggedOf(await withoutErased(client, attempts)), ...endingsOf(attempts), now],
      });
    });
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

const columnOf = (attempts: readonly Attempt[]) => (value: (attempt: Attempt) => unknown) =>
  attempts.map((one) => value(one) ?? null);

/** As they are shown: number, time, address, status, duration, answer, error. */
function loggedOf(attempts: readonly Attempt[]): readonly unknown[][] {
  const column = columnOf(attempts);
  return [
    column(({ claimed }) => claimed.attempts),
    column(({ at }) => at),
    column(({ claimed }) => claimed.url),
    column(({ outcome }) => outcome.status),
    column(({ outcome }) => outcome.latencyMs),
    column(({ outcome }) => outcome.excerpt),
    column(({ outcome }) => outcome.error),
  ];
}

/** Of which event of which object, what becomes of it, and since when it was tried. */
function endingsOf(attempts: readonly Attempt[]): readonly unknown[][] {
  const column = columnOf(attempts);
  return [
    column(({ claimed }) => claimed.id),
    column(({ claimed }) => claimed.platformId),
    column(({ claimed }) => claimed.objectId),
    column(({ ending }) => ending.state),
    column(({ ending }) => (ending.state === 'PENDING' ? ending.nextAttemptAt : null)),
    column(({ passesTurn }) => passesTurn),
    column(({ claimed }) => claimed.retryingSince),
  ];
}
