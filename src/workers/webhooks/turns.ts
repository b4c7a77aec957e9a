/** Whose turn it is, where that does not follow from an attempt. */
import type { Pool, PoolClient } from '../../infrastructure/postgres/pool.ts';
import type { PlatformId, WebhookId } from '../../kernel/ids.ts';

export type Turns = {
  /** Sends an event again, unless it is pending. */
  readonly redeliver: (platformId: PlatformId, id: WebhookId, now: Date) => Promise<void>;
  /** Lets every object's oldest pending event have its turn, and no younger one, where a race has left it otherwise. */
  readonly heal: (now: Date) => Promise<void>;
};

const redeliverQuery = `
  update webhook_events set state = 'PENDING', redelivery = true, retries = 0, retrying_since = $2,
    next_attempt_at = null, locked_until = null, updated_at = $2
  where platform_id = $1 and state <> 'PENDING' and id = any($3)
  returning object_id`;

/** An event that is sent again goes before the younger ones of its object. What others are changing is left to them. */
const yieldQuery = (chosen: string) => `
  update webhook_events set next_attempt_at = null
  where id in (
    select id from webhook_events e
    where state = 'PENDING' and next_attempt_at is not null and locked_until is null ${chosen} and exists (
        select from webhook_events older
        where older.platform_id = e.platform_id and older.object_id = e.object_id and older.state = 'PENDING'
          and (older.position, older.n) < (e.position, e.n))
    for update skip locked)`;

const giveQuery = (chosen: string) => `
  update webhook_events set next_attempt_at = $1
  where id in (
    select id from webhook_events
    where next_attempt_at is null and state = 'PENDING' and id in (
      select distinct on (platform_id, object_id) id from webhook_events
      where state = 'PENDING' ${chosen}
      order by platform_id, object_id, position, n)
    for update skip locked)`;

/** Sends those of the events again that have ended, and settles the turns of their objects. */
export async function redeliverEvents(
  client: Pool | PoolClient,
  platformId: PlatformId,
  ids: readonly WebhookId[],
  now: Date,
): Promise<void> {
  const { rows } = await client.query<{ object_id: string }>(redeliverQuery, [platformId, now, [...ids]]);
  const objects = [...new Set(rows.map(({ object_id }) => object_id))];
  await client.query(yieldQuery('and platform_id = $1 and object_id = any($2)'), [platformId, objects]);
  await client.query(giveQuery('and platform_id = $2 and object_id = any($3)'), [now, platformId, objects]);
}

export function createTurns(pool: Pool): Turns {
  return {
    redeliver: (platformId, id, now) => redeliverEvents(pool, platformId, [id], now),
    async heal(now) {
      await pool.query(yieldQuery(''));
      await pool.query(giveQuery(''), [now]);
    },
  };
}
