/** What is done of a clock though nobody waits for it: one that an advance has stopped goes on, however long that takes. */
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { whateverTheTime } from '../../infrastructure/deadlines/deadline.ts';
import { unlessAborted } from '../../infrastructure/deadlines/within.ts';
import { pause } from '../../infrastructure/jobs/pause.ts';
import { pauseMs } from '../../kernel/backoff.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { endAdvance } from './standing.ts';
import type { WayDeps } from './way.ts';

/** A clock that ran is not to stand still for want of a store. */
const againBounds = { minMs: 100, maxMs: 2_000 };
/** So often it is looked for whether the process stops. */
const shownEveryMs = 1_000;

/** What nobody waits for: until it is done, or refused, or the process stops. */
async function untilDone(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  for (let failures = 1; ; failures++) {
    try {
      await whateverTheTime(work);
      return;
    } catch (error) {
      if (error instanceof Rejected || signal.aborted) return;
      await pause(pauseMs(failures, againBounds), signal);
    }
  }
}

export const endAtLast = (deps: WayDeps, platformId: PlatformId, cause: Cause): Promise<void> =>
  untilDone(deps.signal, () => endAdvance(deps, platformId, cause));

export const ofAbandoned = (platformId: PlatformId): Cause => ({
  platformId,
  correlationId: `clock:${platformId}`,
  causationId: 'advance-abandoned',
  actor: 'timer',
});

type ShownDeps = Pick<WayDeps, 'store' | 'progress' | 'signal'>;

export const untilAllIsShown = (deps: ShownDeps): Promise<void> =>
  untilDone(deps.signal, () => unlessAborted(deps.signal, allIsShown(deps)));

/** What the log has by now is in the read models, by which a process knows which clocks stand still. */
async function allIsShown({ store, progress, signal }: ShownDeps): Promise<void> {
  const last = await store.last();
  while (!signal.aborted && !(await progress.waitFor(last, shownEveryMs)));
}
