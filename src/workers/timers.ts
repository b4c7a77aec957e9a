/**
 * What is due in the future: expiring quotes and invitations, ending approvals, asking the rail. The log says what is
 * due and when, and the read model has it; alarms and jobs only say that it is time to look, and somebody looks every
 * second besides. A timer that fails, or that ends nothing, is looked at again later and later, a few of them at a time, so
 * that it holds up none of the others; one for which the rail has named a time since, at that time.
 */

import type { ReadDb } from '../../projections/database.ts';
import {
  dueByOwnTimes,
  dueTimers,
  isThere,
  keyOfTimer,
  type LookedAt,
  setBack,
  takeAgain,
  timerOf,
} from '../../projections/models/timers.ts';
import type { Timer } from '../../projections/tables/transactions.ts';
import type { DomainEvent } from '../domain/aggregates.ts';
import { isReadyForRail } from '../domain/payments/life/moves.ts';
import type { PlatformTimes } from '../infrastructure/clock/platform-times.ts';
import { within } from '../infrastructure/deadlines/within.ts';
import type { MovedStreams } from '../infrastructure/event-store/moved-streams.ts';
import type { JobQueue } from '../infrastructure/jobs/queues.ts';
import type { Log } from '../infrastructure/observe/log.ts';
import { rememberNewest } from '../infrastructure/remembered/newest.ts';
import type { RunTimer } from '../use-cases/run-timer.ts';
import { createLooks, type LookJob } from './looks.ts';

type Deps = {
  readonly runTimer: RunTimer;
  readonly queue: JobQueue<LookJob>;
  readonly readDb: ReadDb;
  /** Resolves when the read models have a position, or when waiting has taken long enough. */
  readonly projected: (position: bigint) => Promise<unknown>;
  /** Nothing is run before: what the read model lists may have ended long ago. */
  readonly caughtUp: () => Promise<boolean>;
  readonly log: Log;
  /** The installation's. */
  readonly now: () => Date;
  readonly times: Pick<PlatformTimes, 'moved' | 'within' | 'installationTime'>;
  /** Knows which platforms were put back to a snapshot; in a sandbox only. */
  readonly moved: Pick<MovedStreams, 'standingOf'> | undefined;
};

export type Timers = {
  /** Sees to it that somebody looks when what an event starts is due; does nothing for other events. */
  readonly schedule: (event: DomainEvent) => undefined;
  /** Does what is due. What of it fails is due again later. */
  readonly run: () => Promise<void>;
  /** Does what was due a second ago, whatever became of the job for it; says how much that is. */
  readonly reconcile: () => Promise<number>;
  /** What was begun may be begun again: it is due once more where a platform was put back. */
  readonly forget: () => void;
  /** Looks at no moment any more; over when what is being looked for is done. */
  readonly stop: () => Promise<void>;
};

type Ran = { readonly failed: readonly Timer[]; readonly waiting: readonly LookedAt[] };

const leadMs = 20;
/** Each does all that are due. */
const looksMax = 2;
/** Timers that are run at once. */
export const pageMax = 500;
/** A look goes on to the next one, which is a second away, after so many pages. */
const pagesMax = 20;
/** Of those that were looked at before, in one look. */
export const againMax = 100;
export const rememberedMax = 10_000;
/** What has not ended by then, its rail not answering or the timer ending nothing, is begun again. */
const begunForMs = 4_000;
const failedForMs = 1_000;
/** What is overdue by less is left to the job for it. */
const lateMs = 1_000;

export function createTimers({
  runTimer,
  queue,
  readDb,
  projected,
  caughtUp,
  log,
  now,
  times,
  moved,
}: Deps): Timers {
  /** Up to here the read model has to be, or a timer of this process is not in it. */
  let newest = 0n;
  const begun = rememberBegun();
  const runEach = createRuns({ runTimer, readDb, projected, log, times, moved });

  /** Runs those of a page that were not begun yet, and sets back those that it is no use to wait for. */
  const runPage = async (page: readonly Timer[]): Promise<void> => {
    const { fresh, stale } = begun.begin(page);
    const { failed, waiting } = await runEach(fresh);
    const [soon, later] = [now(), new Date(now().getTime() + failedForMs)];
    const back = [
      ...stale.map((timer) => ({ ...timer, look_at: soon })),
      ...failed.map((timer) => ({ ...timer, look_at: later })),
      ...waiting,
    ];
    await setBack(readDb, back);
    begun.end(back);
  };
  const look = async (at: Date): Promise<number> => {
    if (!(await caughtUp())) return 0;
    let count = 0;
    const moved = times.moved();
    if (moved.length > 0) {
      const page = await dueByOwnTimes(readDb, moved, pageMax);
      count += page.length;
      await runPage(page);
    }
    let after: Timer | undefined;
    for (let pages = 0; pages < pagesMax; pages++) {
      const page = await dueTimers(readDb, at, pageMax, { after, except: moved });
      count += page.length;
      await runPage(page);
      after = page.at(-1);
      if (page.length < pageMax) break;
    }
    const again = await takeAgain(readDb, now(), againMax);
    const { waiting } = await runEach(again);
    await setBack(readDb, waiting);
    return count + again.length;
  };

  const run = async () => {
    await projected(newest);
    await look(now());
  };
  const looks = createLooks({ queue, look: run, looksMax, now, log });

  return {
    forget: begun.forget,
    schedule(event) {
      const timer = timerOf(event);
      // What is ready for the rail is with it by then: the reconciler finds what is not.
      if (!timer || isReadyForRail(event)) return undefined;
      if (event.position > newest) newest = event.position;
      const dueAt = times.installationTime(timer.platform_id, timer.due_at);
      // A job that is about to start may not see it any more.
      if (dueAt) looks.lookAt(new Date(Math.max(dueAt.getTime(), now().getTime() + leadMs)));
      return undefined;
    },
    run,
    reconcile: () => look(new Date(now().getTime() - lateMs)),
    stop: looks.stop,
  };
}

/** Runs timers at once, each in the time of its platform. */
function createRuns({
  runTimer,
  readDb,
  projected,
  log,
  times,
  moved,
}: Omit<Deps, 'queue' | 'caughtUp' | 'now'>) {
  /** Whether it is of what its platform was before it was put back, which a look may have seen until then. */
  const isOfBefore = async (timer: Timer): Promise<boolean> => {
    const since = moved?.standingOf(timer.platform_id)?.since;
    if (since === undefined) return false;
    await projected(since);
    return !(await isThere(readDb, timer));
  };
  /** Returns those that failed, or took too long, and those that wait for a time that is known. */
  return async (timers: readonly Timer[]): Promise<Ran> => {
    const outcomes = await Promise.allSettled(
      timers.map((timer) => times.within(timer.platform_id, () => runOne(runTimer, timer))),
    );
    const failed = timers.filter((_timer, n) => outcomes[n]?.status === 'rejected');
    const reasons: unknown[] = [];
    for (const [n, outcome] of outcomes.entries()) {
      const timer = timers[n];
      if (outcome.status === 'rejected' && timer && !(await isOfBefore(timer))) reasons.push(outcome.reason);
    }
    if (reasons.length > 0) log.error({ err: reasons[0], failures: reasons.length }, 'timers failed');
    const waiting = timers.flatMap((timer, n) => {
      const outcome = outcomes[n];
      const until = outcome?.status === 'fulfilled' ? outcome.value : undefined;
      const look_at = until && times.installationTime(timer.platform_id, until);
      return look_at ? [{ ...timer, look_at }] : [];
    });
    return { failed, waiting };
  };
}

/** What was begun, since when, and may not show in the read model yet. */
function rememberBegun() {
  const begun = rememberNewest<string, number>(rememberedMax);
  return {
    /** Begins those of a page that were not begun yet; `stale` are those that it is no use to wait for. */
    begin(page: readonly Timer[]) {
      const at = performance.now();
      const isBegun = (timer: Timer) => begun.has(keyOfTimer(timer));
      const isStale = (timer: Timer) => at - (begun.get(keyOfTimer(timer)) ?? at) >= begunForMs;
      const stale = page.filter(isStale);
      const fresh = page.filter((timer) => !isBegun(timer));
      for (const timer of fresh) begun.set(keyOfTimer(timer), at);
      return { fresh, stale };
    },
    /** They may be begun again. */
    end(timers: readonly Timer[]): void {
      for (const timer of timers) begun.delete(keyOfTimer(timer));
    },
    forget: () => begun.clear(),
  };
}

/** Nobody waits for one that takes too long. */
async function runOne(runTimer: RunTimer, timer: Timer): Promise<Date | undefined> {
  const { kind, subject } = timer;
  const running = runTimer(timer);
  const until = await within(begunForMs, running);
  if (until !== 'late') return until;
  running.catch(() => undefined);
  throw new Error(`${kind} of ${subject} did not end within ${begunForMs} ms`);
}
