/** Jobs by BullMQ, on Redis or on its own Postgres backend; everything above this file is the same for both. */
import {
  type BackendFactory,
  createRedisBackend,
  PostgresConnection,
  PostgresQueueBackend,
  type Queue,
  type RedisQueueBackend,
  runMigrations,
  type Worker,
  withBackend,
} from 'bullmq';
import { StoreAway } from '../away.ts';
import { within } from '../deadlines/within.ts';
import type { Log } from '../observe/log.ts';
import type { StoreVariable } from '../observe/outages.ts';
import { isOfServer } from '../postgres/away.ts';
import { createPool, type Pool, type Waits } from '../postgres/pool.ts';
import { patient, slowly } from './patient-pool.ts';
import { type Evicts, redisConnections } from './redis-connections.ts';

const jobsSchema = 'daybook_jobs';
export const attemptsMax = 5;
const firstRetryMs = 500;
const usualConcurrency = 16;
const closeMaxMs = 2_000;
/** So long a worker waits when there is no connection. */
const retryDelayMs = 1_000;
/** So long a worker on Postgres waits to be told of a job, or for one to be due, before it looks by itself. */
const lookAfterSeconds = 60;
/** A Redis that is away is asked again within this time. */
const reconnectMaxMs = 2_000;
/** So long one that is ended has to say goodbye. */
const disconnectMaxMs = 500;
/** One that says nothing for so long is away. A worker has it wait for a job for up to 10 s. */
export const silentMaxMs = 12_000;

export type QueueConnection =
  | { readonly redisUrl: string }
  | { readonly databaseUrl: string; readonly waits?: Waits };

export type JobQueue<Data> = {
  /**
   * Runs a job after a delay. While a job with this id is waiting, adding it again does nothing. What keeps Redis from
   * taking it is thrown as `StoreAway`.
   */
  add(id: string, data: Data, delayMs: number): Promise<void>;
  /** Handles jobs from now on. A job whose handler throws is tried again a few times, then dropped. */
  work(handle: (data: Data) => Promise<void>): void;
  /** Forgets every job: for tests of what happens when the queue is lost. */
  empty(): Promise<void>;
  /** Waits for the jobs in hand, and for the store, for a while. Safe to call twice. */
  close(): Promise<void>;
};

export type Jobs = {
  /** `concurrency` is how many jobs of the queue this process handles at a time. */
  queue<Data>(name: string, concurrency?: number): JobQueue<Data>;
  /** Once the queues are closed. */
  close(): Promise<void>;
};

/**
 * The queues of a process share its connections to Postgres: each of at most `queuesMax` waits for jobs on one, and
 * one carries the statements of all.
 */
export async function openJobs(connection: QueueConnection, queuesMax: number, log: Log): Promise<Jobs> {
  if ('redisUrl' in connection) {
    const connect = onRedis(connection.redisUrl, tellOnce(log));
    return {
      queue: (name, concurrency = usualConcurrency) =>
        openQueue(connect, name, { log, store: 'REDIS_URL' }, concurrency),
      close: async () => undefined,
    };
  }
  const pool = createPool({
    url: connection.databaseUrl,
    max: queuesMax + 1,
    name: 'jobs',
    schema: jobsSchema,
    ...connection.waits,
  });
  await migrate(pool).catch(async (error) => {
    await pool.end();
    throw error;
  });
  const connect = onPostgres(pool);
  return {
    queue: (name, concurrency = usualConcurrency) =>
      openQueue(connect, name, { log, store: 'DATABASE_URL' }, concurrency),
    close: () => pool.end(),
  };
}

type Telling = { readonly log: Log; readonly store: StoreVariable };

function openQueue<Data>(
  connect: Connect,
  name: string,
  { log, store }: Telling,
  concurrency: number,
): JobQueue<Data> {
  const { queue, startWorker, giveUp, end } = connect(name, concurrency);
  let worker: Worker | undefined;
  let closing: Promise<void> | undefined;
  // Of Redis nobody but BullMQ asks anything, and it asks what is right.
  const isOfStore = (error: unknown) => store === 'REDIS_URL' || isOfServer(error);
  const warn = (error: Error) => {
    if (!closing)
      log.warn({ err: error, queue: name, ...(isOfStore(error) && { store }) }, 'queue connection');
  };
  const refused = (cause: unknown) => {
    throw isOfStore(cause) ? new StoreAway('a job was not taken', { store, cause }) : cause;
  };
  queue.on('error', warn);
  const closeNow = async () => {
    // Without a connection BullMQ waits for one before it closes.
    await Promise.all([
      closed(worker?.close(), () => worker && giveUp(worker)),
      closed(queue.close(), () => giveUp(queue)),
    ]);
    await end();
  };

  return {
    async add(id, data, delayMs) {
      const backoff = { type: 'exponential', delay: firstRetryMs };
      const delay = Math.max(0, Math.ceil(delayMs));
      const kept = { removeOnComplete: true, removeOnFail: true };
      await queue
        .add(name, data, { jobId: id, delay, attempts: attemptsMax, backoff, ...kept })
        .catch(refused);
    },
    work(handle) {
      worker = startWorker(async ({ data }) => handle(data as Data));
      worker.on('error', warn);
      worker.on('failed', (job, error) => log.error({ err: error, queue: name, job: job?.id }, 'job failed'));
    },
    empty: () => queue.obliterate({ force: true }),
    close() {
      closing ??= closeNow();
      return closing;
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
type Connected = {
  readonly queue: Queue;
  readonly startWorker: (processor: Processor) => Worker;
  /** Of what does not close in time. */
  readonly giveUp: (one: Queue | Worker) => Promise<void>;
  /** Once everything is closed, or given up. */
  readonly end: () => Promise<void>;
};
type Connect = (name: string, concurrency: number) => Connected;

/** Together with the time that a silent one is given, it is less than an outage is quiet before it is over. */
export const reconnectAfterMs = (attempt: number): number => Math.min(attempt * 1_000, reconnectMaxMs);

/** BullMQ gives up none on which it waits: they are made here, so that they can be ended. */
function onRedis(url: string, evicts: Evicts): Connect {
  const onServer = withBackend(patientBackend);
  return (name, concurrency) => {
    const terms = {
      retryStrategy: reconnectAfterMs,
      socketTimeout: silentMaxMs,
      disconnectTimeout: disconnectMaxMs,
    };
    const { open, end } = redisConnections(url, terms, evicts);
    const prefix = jobsSchema;
    return {
      queue: new onServer.Queue(name, { connection: open(), prefix }) as unknown as Queue,
      startWorker: (processor) =>
        new onServer.Worker(name, processor, {
          connection: open({ maxRetriesPerRequest: null }),
          prefix,
          concurrency,
          runRetryDelay: retryDelayMs,
        }) as unknown as Worker,
      giveUp: end,
      end,
    };
  };
}

/** Each connection is told of it, again each time that it begins anew. */
function tellOnce(log: Log): Evicts {
  let last: string | undefined;
  return (policy) => {
    if (policy !== last)
      log.warn(
        { variable: 'REDIS_URL', policy },
        'Redis may drop jobs: set its maxmemory-policy to noeviction',
      );
    last = policy;
  };
}

/** Of a Redis that takes nothing, for want of memory or for only being read, a worker asks for the next job all the time. */
const patientBackend: BackendFactory<RedisQueueBackend> = (name, options, made) => {
  const backend = createRedisBackend(name, options, made);
  const moveToActive = backend.moveToActive.bind(backend);
  return Object.assign(backend, {
    moveToActive: (...asked: Parameters<typeof moveToActive>) => slowly(moveToActive(...asked)),
  });
};

async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client as never, jobsSchema);
  } finally {
    client.release();
  }
}

function onPostgres(pool: Pool): Connect {
  // BullMQ takes a schema only with connections that it makes itself: of another's pool it expects its usual one. That
  // the schema is there is known; it would ask once, and take a failure of that for one for ever.
  const known = { schema: jobsSchema, waitUntilReady: async () => undefined };
  const factory: BackendFactory = (name, options) => {
    const connection = Object.assign(new PostgresConnection(patient(pool) as never), known);
    return new PostgresQueueBackend(connection, name, options as never);
  };
  const onPool = withBackend(factory);
  return (name, concurrency) => ({
    queue: new onPool.Queue(name, { connection: pool as never }) as unknown as Queue,
    startWorker: (processor) =>
      new onPool.Worker(name, processor, {
        connection: pool as never,
        concurrency,
        runRetryDelay: retryDelayMs,
        drainDelay: lookAfterSeconds,
      }) as unknown as Worker,
    giveUp: (one) => one.disconnect(),
    end: async () => undefined,
  });
}
