/** Queues in memory, for all processes of a life, in place of a server that is not there. */
import { AsyncResource } from 'node:async_hooks';
import { attemptsMax, type JobQueue, type Jobs } from '../../../../src/infrastructure/jobs/queues.ts';
import { runAsNobody } from '../engine/process.ts';

const firstRetryMs = 500;

type Job = { readonly id: string; readonly data: unknown; attempts: number; by?: Worker };
type Worker = {
  readonly handle: (data: unknown) => Promise<void>;
  readonly isThere: () => boolean;
  busy: Set<Promise<void>>;
};
type Shelf = { readonly jobs: Map<string, Job>; readonly due: Job[]; workers: Worker[] };

export type SharedQueues = {
  /** The queues as one process has them. What it has begun is nobody's once it is not there any more. */
  readonly open: (isThere?: () => boolean) => Jobs;
};

/** `hand` passes on a job that is due, at once unless it says otherwise. */
export function createQueues(
  pick: <Item>(all: readonly Item[]) => Item | undefined,
  hand: (run: () => void) => void = (run) => run(),
): SharedQueues {
  const shelves = new Map<string, Shelf>();
  const shelfOf = (name: string): Shelf => {
    const known = shelves.get(name) ?? { jobs: new Map(), due: [], workers: [] };
    shelves.set(name, known);
    return known;
  };

  const later = (shelf: Shelf, job: Job, ms: number) =>
    runAsNobody(() =>
      setTimeout(() => {
        if (shelf.jobs.get(job.id) !== job) return;
        shelf.due.push(job);
        handOut(shelf);
      }, ms),
    );
  const handOut = (shelf: Shelf) => {
    shelf.workers = shelf.workers.filter(({ isThere }) => isThere());
    for (const job of shelf.due.splice(0)) {
      const worker = pick(shelf.workers);
      if (worker) hand(() => work(shelf, worker, job));
      else shelf.due.push(job);
    }
  };
  const work = (shelf: Shelf, worker: Worker, job: Job) => {
    if (shelf.jobs.get(job.id) !== job) return;
    job.by = worker;
    const done = worker
      .handle(job.data)
      .then(() => forget(shelf, job))
      .catch(() => again(shelf, job))
      .finally(() => worker.busy.delete(done));
    worker.busy.add(done);
  };
  const again = (shelf: Shelf, job: Job) => {
    job.attempts += 1;
    if (job.attempts >= attemptsMax) forget(shelf, job);
    else later(shelf, job, firstRetryMs * 2 ** (job.attempts - 1));
  };
  const forget = (shelf: Shelf, job: Job) => {
    if (shelf.jobs.get(job.id) === job) shelf.jobs.delete(job.id);
  };

  return {
    open: (isThere = () => true) => ({
      queue: <Data>(name: string): JobQueue<Data> => {
        const shelf = shelfOf(name);
        let worker: Worker | undefined;
        return {
          async add(id, data, delayMs) {
            const known = shelf.jobs.get(id);
            // What a worker had begun that is gone has stalled.
            if (known && known.by?.isThere() !== false) return;
            const job = { id, data, attempts: 0 };
            shelf.jobs.set(id, job);
            later(shelf, job, Math.max(0, delayMs));
          },
          work(handle) {
            worker = {
              handle: AsyncResource.bind(async (data) => handle(data as Data)),
              isThere,
              busy: new Set(),
            };
            shelf.workers.push(worker);
            handOut(shelf);
          },
          async empty() {
            shelf.jobs.clear();
            shelf.due.length = 0;
          },
          async close() {
            shelf.workers = shelf.workers.filter((one) => one !== worker);
            await Promise.allSettled(worker?.busy ?? []);
          },
        };
      },
      close: async () => undefined,
    }),
  };
}
