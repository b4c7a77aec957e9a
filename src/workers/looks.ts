/** Sees to it that somebody looks into a table when something in it is due. A job says nothing but that. */
import { LRUCache } from 'lru-cache';
import type { JobQueue } from '../infrastructure/jobs/queues.ts';

export type LookJob = Readonly<Record<string, never>>;

/** What is due within this time is looked for together, at its end. */
const togetherMs = 100;
export const rememberedMax = 10_000;

type Deps = { readonly queue: JobQueue<LookJob>; readonly now: () => Date };

/** Queues one job for each moment, however much is due then. Throws where it could not be queued. */
export function createLooks({ queue, now }: Deps): (dueAt: Date) => Promise<void> {
  const queued = new LRUCache<number, Promise<void>>({ max: rememberedMax });
  return (dueAt) => {
    const moment = Math.ceil(dueAt.getTime() / togetherMs) * togetherMs;
    const known = queued.get(moment);
    if (known) return known;
    const added = queue.add(`due-${moment}`, {}, moment - now().getTime());
    queued.set(moment, added);
    added.catch(() => queued.delete(moment));
    return added;
  };
}
