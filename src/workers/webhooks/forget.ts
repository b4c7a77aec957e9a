/** What is kept of webhooks no longer than it has to be: in steps, each found by an index. */
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { inSteps } from '../../infrastructure/steps.ts';
import { retryForMs } from './backoff.ts';

const dayMs = 24 * 3_600_000;
/** Longer than the longest pause between two retries of one that is still tried. */
const overdueMs = dayMs;

const forgetQuery = `
  with old as (
    select id from webhook_events where state <> 'PENDING' and created_at < $1
    order by created_at limit $2 for update skip locked
  ), attempts as (
    delete from webhook_attempts where event_id in (select id from old)
  )
  delete from webhook_events where id in (select id from old)`;

/** Those whose endpoint is called too rarely for each to have its last call. */
const giveUpQuery = `
  update webhook_events set state = 'FAILED', next_attempt_at = null, updated_at = $3
  where id in (
    select id from webhook_events
    where state = 'PENDING' and retrying_since < $1 and (locked_until is null or locked_until <= $3)
    limit $2 for update skip locked)`;

/** Forgets events that ended, with their attempts, so many days after they were created. Returns how many. */
export const forgetWebhooks = (pool: Pool, now: Date, keptDays: number): Promise<number> =>
  inSteps(async (max) => {
    const before = new Date(now.getTime() - keptDays * dayMs);
    return (await pool.query(forgetQuery, [before, max])).rowCount ?? 0;
  });

/** Ends what was to be tried for seven days and is pending still. */
export const giveUpOverdue = (pool: Pool, now: Date): Promise<number> =>
  inSteps(async (max) => {
    const before = new Date(now.getTime() - retryForMs - overdueMs);
    return (await pool.query(giveUpQuery, [before, max, now])).rowCount ?? 0;
  });
