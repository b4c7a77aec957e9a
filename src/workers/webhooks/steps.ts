/** What is done to many events of a platform, by and by: cancelling them, then sending events again. */
import type { PlatformTimes } from '../../infrastructure/clock/platform-times.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { coalesced } from '../coalesced.ts';
import { isNotBegun, stepOfCancellation } from './cancellations.ts';
import { stepOfRedelivery } from './redeliveries.ts';

export type Steps = {
  /** Goes on until nothing is left to do. Those who ask meanwhile share one more run after it. */
  readonly run: () => Promise<void>;
  /** The step under way is the last one. */
  readonly stop: () => Promise<void>;
};

/** Most of the time there is nothing, and one statement tells. */
const leftQuery = `
  select exists (select from webhook_cutoffs c where ${isNotBegun})
    or exists (select from webhook_cancellations where not is_done)
    or exists (select from webhook_redeliveries) as "isLeft"`;

async function isAnythingLeft(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ isLeft: boolean }>({ name: 'webhook-steps-left', text: leftQuery });
  return rows[0]?.isLeft === true;
}

/** `now` is the installation's. */
export function createSteps(
  pool: Pool,
  now: () => Date,
  times: Pick<PlatformTimes, 'moved' | 'nowOf'>,
): Steps {
  let isStopped = false;
  const step = async () =>
    (await stepOfCancellation(pool, { now: now(), moved: times.moved() })) ||
    (await stepOfRedelivery(pool, times.nowOf));
  const run = coalesced(async () => {
    if (!isStopped && (await isAnythingLeft(pool))) while (!isStopped && (await step()));
  });
  return {
    run,
    async stop() {
      isStopped = true;
      await run().catch(() => undefined);
    },
  };
}
