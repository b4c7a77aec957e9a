/** Sees to it that somebody looks into the table when a failed call is due again. A job says nothing but that. */
import { LRUCache } from 'lru-cache';
import type { JobQueue } from '../../infrastructure/jobs/queues.ts';
import type { Log } from '../../infrastructure/observe/log.ts';

export type LookJob = Readonly<Record<string, never>>;

/** What is due within this time is looked for together, at its end. */
const togetherMs = 100;
const rememberedMax = 10_000;

type Deps = { readonly queue: JobQueue<LookJob>; readonly log: Log; readonly now: () => Date };

/** Nobody waits for the job to be queued: the reconciler looks in its place. */
export function createLooks({ queue, log, now }: Deps): (dueAt: Date) => void {
  const queued = new LRUCache<number, true>({ max: rememberedMax });
  return (dueAt) => {
    const moment = Math.ceil(dueAt.getTime() / togetherMs) * togetherMs;
    if (queued.has(moment)) return;
    queued.set(moment, true);
    queue.add(`due-${moment}`, {}, moment - now().getTime()).catch((error) => {
      queued.delete(moment);
      log.warn({ err: error }, 'the next look for webhooks was not queued');
    });
  };
}
