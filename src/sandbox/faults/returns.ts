/** Payments that a fault has let come back are known for some time after it. */
import type { Moved } from '../../infrastructure/clock/platform-times.ts';
import { timeOf, timesIn } from '../../infrastructure/clock/times-in-sql.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { forgetInSteps } from '../../infrastructure/scheduling/steps.ts';
import { dayMs } from '../../kernel/clock.ts';

/** Long after a worker that was away has taken them back. */
export const returnsKeptDays = 30;

/** Where a platform's clock stands still, its payments are known for as long as it does. */
export async function forgetReturns(pool: Pool, now: Date, moved: readonly Moved[] = []): Promise<void> {
  const values = [now, ...timesIn(moved), returnsKeptDays * dayMs];
  await forgetInSteps(pool, forgetQuery, values);
}

const forgetQuery = `
  delete from sandbox_returns where payment_id in (
    select payment_id from sandbox_returns r
    where returns_at < ${timeOf('r.platform_id', '$2', '$3', '$1')} - $4 * interval '1 millisecond'
    limit $5 for update skip locked)`;
