/** Sees to it that somebody looks into a table when something in it is due. A job says nothing but that. */
import { LRUCache } from 'lru-cache';
import type { JobQueue } from '../infrastructure/jobs/queues.ts';
import type { Log } from '../infrastructure/observe/log.ts';

export type LookJob = Readonly<Record<string, never>>;

/** What is due within this time is looked for together, at its end. */
const togetherMs = 100;
export const rememberedMax = 10_000;
/** A queue that is away is given no more than this. What is due is found besides, by looking every second. */
const givenMax = 64;

type Deps = { readonly queue: Pick<JobQueue<LookJob>, 'add'>; readonly now: () => Date; readonly log: Log };

/** Queues one job for each moment, however much is due then. Nobody waits for the queue, which may be away. */
export function createLooks({ queue, now, log }: Deps): (dueAt: Date) => void {
  const queued = new LRUCache<number, true>({ max: rememberedMax });
  let given = 0;
  return (dueAt) => {
    const moment = Math.ceil(dueAt.getTime() / togetherMs) * togetherMs;
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
