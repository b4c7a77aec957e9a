/**
 * Attempts of one event in a row, for a platform whose clock is being put forward: what would be tried again before the
 * clock stops is tried again at once.
 */
import type { PlatformTimes } from '../../infrastructure/clock/platform-times.ts';
import { type AttemptDeps, attempt } from './attempt.ts';
import type { Claimed } from './lanes/claims.ts';
import type { Attempt } from './store.ts';

/** From the beginning of the first: the last of them ends before another worker could take the event. */
export const rowMaxMs = 4_000;

type Deps = AttemptDeps & { readonly times: Pick<PlatformTimes, 'nowOf' | 'reachOf'> };

/**
 * The last attempt, and those before it; none begins after `until` (`performance.now`). An endpoint that gives no answer is
 * left alone for a while, as always.
 */
export async function attemptsInARow(
  deps: Deps,
  first: Attempt,
  until: number,
): Promise<{ readonly last: Attempt; readonly before: readonly Attempt[] }> {
  const before: Attempt[] = [];
  let last = first;
  for (;;) {
    const at = nextIn(deps, last);
    if (!at || performance.now() > until) return { last, before };
    before.push(last);
    last = await attempt({ ...deps, times: { nowOf: () => at } }, again(last.claimed));
  }
}

function nextIn({ times }: Deps, { claimed, outcome, ending }: Attempt): Date | undefined {
  const reach = times.reachOf(claimed.platformId);
  if (!reach || outcome.status === undefined || ending.state !== 'PENDING') return undefined;
  return ending.nextAttemptAt <= reach ? ending.nextAttemptAt : undefined;
}

const again = (claimed: Claimed): Claimed => ({
  ...claimed,
  attempts: claimed.attempts + 1,
  retries: claimed.retries + 1,
});
