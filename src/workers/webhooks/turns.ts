/** Whose turn it is, where that does not follow from an attempt. */
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import type { PlatformId, WebhookId } from '../../kernel/ids.ts';

export type Range = {
  readonly since: Date;
  readonly until?: Date | undefined;
  readonly types?: readonly string[] | undefined;
};

export type Turns = {
  /** Sends ended events again. Returns how many there are. */
  readonly redeliver: (platformId: PlatformId, which: WebhookId | Range, now: Date) => Promise<number>;
  /** Lets every object's oldest pending event have its turn, and no younger one, where a race has left it otherwise. */
  readonly heal: (now: Date) => Promise<void>;
};

const redeliverQuery = `
  update webhook_events set state = 'PENDING', redelivery = true, retries = 0, retrying_since = $2,
    next_attempt_at = null, locked_until = null, updated_at = $2
  where platform_id = $1 and state <> 'PENDING'`;

/** An event that is sent again goes before the younger ones of its object. What others are changing is left to them. */
const yieldQuery = `
  update webhook_events set next_attempt_at = null
  where id in (
    select id from webhook_events e
    where state = 'PENDING' and next_attempt_at is not null and locked_until is null
      and ($1::text is null or platform_id = $1) and exists (
        select from webhook_events older
        where older.platform_id = e.platform_id and older.object_id = e.object_id and older.state = 'PENDING'
          and (older.position, older.n) < (e.position, e.n))
    for update skip locked)`;

const giveQuery = `
  update webhook_events set next_attempt_at = $2
  where id in (
    select id from webhook_events
    where next_attempt_at is null and state = 'PENDING' and id in (
      select distinct on (platform_id, object_id) id from webhook_events
      where state = 'PENDING' and ($1::text is null or platform_id = $1)
      order by platform_id, object_id, position, n)
    for update skip locked)`;

export function createTurns(pool: Pool): Turns {
  const settle = async (platformId: PlatformId | null, now: Date) => {
    await pool.query(yieldQuery, [platformId]);
    await pool.query(giveQuery, [platformId, now]);
  };
  return {
    heal: (now) => settle(null, now),
    async redeliver(platformId, which, now) {
      const one = typeof which === 'string';
      const chosen = one
        ? 'and id = $3'
        : "and type <> 'TEST' and created_at >= $3 and created_at <= $4 and ($5::text[] is null or type = any($5))";
      const values = one ? [which] : [which.since, which.until ?? now, which.types ?? null];
      const { rowCount } = await pool.query(`${redeliverQuery} ${chosen}`, [platformId, now, ...values]);
      await settle(platformId, now);
      return rowCount ?? 0;
    },
  };
}
