/** What is kept of webhooks no longer than it has to be: in steps, each found by an index. */
import type { Moved } from '../../infrastructure/clock/platform-times.ts';
import { timeOf, timesIn } from '../../infrastructure/clock/times-in-sql.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { inTransaction } from '../../infrastructure/postgres/transaction.ts';
import { inSteps } from '../../infrastructure/scheduling/steps.ts';
import { dayMs, daysAfter } from '../../kernel/clock.ts';
import { retryForMs } from './backoff.ts';
import { type Ended, endPending } from './turns.ts';

/** Longer than the longest pause between two retries of one that is still tried. */
const overdueMs = dayMs;

/** By the time of the installation: a platform's may stand in another year. */
const cameAt = 'coalesce(told_at, created_at)';

const forgetQuery = `
  with old as (
    select id from webhook_events where state <> 'PENDING' and ${cameAt} < $1
    order by ${cameAt} limit $2 for update skip locked
  ), attempts as (
    delete from webhook_attempts where event_id in (select id from old)
  )
  delete from webhook_events where id in (select id from old)`;

/** Those whose endpoint is called too rarely for each to have its last call. A clock that stands still gives them time. */
const overdueQuery = `
  select id, platform_id as "platformId", object_id as "objectId" from webhook_events
  where state = 'PENDING' and retrying_since < $1 and (locked_until is null or locked_until <= $3)
    and retrying_since < ${timeOf('webhook_events.platform_id', '$4', '$5', '$3')} - $6 * interval '1 millisecond'
  order by retrying_since limit $2`;

/** Forgets events that ended, with their attempts, so many days after they came. Returns how many. */
export const forgetWebhooks = (pool: Pool, now: Date, keptDays: number): Promise<number> =>
  inSteps(async (max) => (await pool.query(forgetQuery, [daysAfter(now, -keptDays), max])).rowCount ?? 0);

/** Ends what was to be tried for seven days and is pending still; the next of its object has its turn. */
export const giveUpOverdue = (pool: Pool, now: Date, moved: readonly Moved[] = []): Promise<number> =>
  inSteps((max) =>
    inTransaction(pool, async (client) => {
      const after = retryForMs + overdueMs;
      const values = [new Date(now.getTime() - after), max, now, ...timesIn(moved), after];
      const { rows } = await client.query<Ended>(overdueQuery, values);
      await endPending(client, rows, { state: 'FAILED', heldToo: false }, now, moved);
      return rows.length;
    }),
  );
