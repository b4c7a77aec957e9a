/** Jobs by BullMQ, on Redis or on its own Postgres backend; everything above this file is the same for both. */
import { type ConnectionOptions, createPostgresBackend, Queue, Worker, withBackend } from 'bullmq';
import type { Log } from '../observe/log.ts';
import { within } from '../within.ts';

const jobsSchema = 'daybook_jobs';
const attemptsMax = 5;
const firstRetryMs = 500;
const usualConcurrency = 16;
const closeMaxMs = 2_000;

export type QueueConnection = { readonly redisUrl: string } | { readonly databaseUrl: string };

export type JobQueue<Data> = {
  /** Runs a job after a delay. While a job with this id is waiting, adding it again does nothing. */
  add(id: string, data: Data, delayMs: number): Promise<void>;
  /** Handles jobs from now on. A job whose handler throws is tried again a few times, then dropped. */
  work(handle: (data: Data) => Promise<void>): void;
  /** Forgets every job: for tests of what happens when the queue is lost. */
  empty(): Promise<void>;
  close(): Promise<void>;
};

/** `concurrency` is how many jobs one process handles at a time. */
export function openQueue<Data>(
  connection: QueueConnection,
  name: string,
  log: Log,
  concurrency = usualConcurrency,
): JobQueue<Data> {
  const { queue, startWorker } = connect(connection, name, concurrency);
  let worker: Worker | undefined;
  let closing = false;
  const warn = (error: Error) => {
    if (!closing) log.warn({ err: error, queue: name }, 'queue connection');
  };
  queue.on('error', warn);

  return {
    async add(id, data, delayMs) {
      const backoff = { type: 'exponential', delay: firstRetryMs };
      const delay = Math.max(0, Math.ceil(delayMs));
      const kept = { removeOnComplete: true, removeOnFail: true };
      await queue.add(name, data, { jobId: id, delay, attempts: attemptsMax, backoff, ...kept });
    },
    work(handle) {
      worker = startWorker(async ({ data }) => handle(data as Data));
      worker.on('error', warn);
      worker.on('failed', (job, error) => log.error({ err: error, queue: name, job: job?.id }, 'job failed'));
    },
    empty: () => queue.obliterate({ force: true }),
    async close() {
      closing = true;
      // Without a connection BullMQ waits for one before it closes.
      await closed(worker?.close(), () => worker?.disconnect());
      await closed(queue.close(), () => queue.disconnect());
    },
  };
}

/** Waits for `work`, or gives it up after a while. */
async function closed(
  work: Promise<unknown> | undefined,
  giveUp: () => Promise<unknown> | undefined,
): Promise<void> {
  if ((await within(closeMaxMs, work)) !== 'late') return;
  work?.catch(() => undefined);
  giveUp()?.catch(() => undefined);
}

type Processor = (job: { readonly data: unknown }) => Promise<void>;
type Connected = { readonly queue: Queue; readonly startWorker: (processor: Processor) => Worker };

function connect(connection: QueueConnection, name: string, concurrency: number): Connected {
  if ('redisUrl' in connection) {
    const options: ConnectionOptions = { url: connection.redisUrl };
    return {
      queue: new Queue(name, { connection: options, prefix: jobsSchema }),
      startWorker: (processor) =>
        new Worker(name, processor, {
          connection: { ...options, maxRetriesPerRequest: null },
          prefix: jobsSchema,
          concurrency,
        }),
    };
  }
  const onPostgres = withBackend(createPostgresBackend);
  const options = { connectionString: connection.databaseUrl, schema: jobsSchema, migrate: true, max: 4 };
  return {
    queue: new onPostgres.Queue(name, { connection: options }) as unknown as Queue,
    startWorker: (processor) =>
      new onPostgres.Worker(name, processor, { connection: options, concurrency }) as unknown as Worker,
  };
}
