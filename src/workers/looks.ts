/**
 * Sees to it that somebody looks into a table when something in it is due: this process at that moment, and whoever
 * takes a job for it within a second, should this process be gone by then. A job says nothing but that.
 */

import type { JobQueue } from '../infrastructure/jobs/queues.ts';
import type { Log } from '../infrastructure/observe/log.ts';
import { rememberNewest } from '../infrastructure/remembered/newest.ts';

export type LookJob = Readonly<Record<string, never>>;

/** What is due within this time is looked for together, at its end. */
const togetherMs = 100;
/** And has one job together: each is some ten statements of the queue. */
const jobEveryMs = 1_000;
export const rememberedMax = 10_000;
/** A queue that is away is given no more than this. What is due is found besides, by looking every second. */
const givenMax = 64;
/** What is due later is left to the job for it. */
const alarmAheadMaxMs = 24 * 3_600_000;
const alarmsMax = 10_000;

type Deps = {
  readonly queue: Pick<JobQueue<LookJob>, 'add'>;
  readonly look: () => Promise<unknown>;
  /** Looks under way at a time. One that finds as many comes later. */
  readonly looksMax: number;
  readonly now: () => Date;
  readonly log: Log;
};

export type Looks = {
  /** Nobody waits for the queue, which may be away. */
  readonly lookAt: (dueAt: Date) => void;
  /** Looks no more; over when what is being looked for is done. */
  readonly stop: () => Promise<void>;
};

export function createLooks(deps: Deps): Looks {
  const give = createJobs(deps);
  const alarms = createAlarms(deps);
  return {
    lookAt(dueAt) {
      alarms.set(dueAt);
      give(dueAt);
    },
    stop: alarms.stop,
  };
}

const endOf = (dueAt: Date, ms: number): number => Math.ceil(dueAt.getTime() / ms) * ms;

/** Queues one job for each second, however much is due in it. */
function createJobs({ queue, now, log }: Deps): (dueAt: Date) => void {
  const queued = rememberNewest<number, true>(rememberedMax);
  let given = 0;
  return (dueAt) => {
    const moment = endOf(dueAt, jobEveryMs);
    if (queued.has(moment) || given >= givenMax) return;
    queued.set(moment, true);
    given++;
    queue
      .add(`due-${moment}`, {}, moment - now().getTime())
      .catch((error) => {
        queued.delete(moment);
        log.warn({ err: error }, 'the next look was not queued');
      })
      .finally(() => {
        given--;
      });
  };
}

/** One for each moment, however much is due then. */
function createAlarms({ look, looksMax, now, log }: Deps) {
  const alarms = new Map<number, NodeJS.Timeout>();
  const looking = new Set<Promise<void>>();
  let isStopped = false;
  const ring = (moment: number) => {
    alarms.delete(moment);
    if (looking.size >= looksMax) {
      set(new Date(now().getTime() + togetherMs));
      return;
    }
    const one: Promise<void> = look()
      .then(
        () => undefined,
        (error) => log.error({ err: error }, 'what is due was not looked for'),
      )
      .finally(() => looking.delete(one));
    looking.add(one);
  };
  const set = (dueAt: Date) => {
    const moment = endOf(dueAt, togetherMs);
    const delayMs = Math.max(0, moment - now().getTime());
    if (isStopped || alarms.has(moment) || alarms.size >= alarmsMax || delayMs > alarmAheadMaxMs) return;
    alarms.set(moment, setTimeout(ring, delayMs, moment));
  };
  return {
    set,
    async stop() {
      isStopped = true;
      for (const alarm of alarms.values()) clearTimeout(alarm);
      alarms.clear();
      await Promise.all(looking);
    },
  };
}
