/** What work of the background rests on: queues, leases, and what runs every so often. */
import { type Leases, openLeases, retryMs } from '../../../infrastructure/jobs/lease.ts';
import { createEvery, type Every, type EveryMs } from '../../../infrastructure/jobs/periodic.ts';
import { type Jobs, openJobs } from '../../../infrastructure/jobs/queues.ts';
import { openWorkSession, type WorkSession } from '../../../infrastructure/jobs/work-session.ts';
import type { Log } from '../../../infrastructure/observe/log.ts';
import type { Config } from '../../config.ts';
import type { Metrics } from '../../metrics.ts';
import type { Closer } from '../closer.ts';
import type { Stores } from './stores.ts';

/** Timers and webhooks. */
const queuesMax = 2;

export type Work = {
  readonly jobs: Jobs;
  readonly every: Every;
  /** Of this process: what it claims is free when it ends. */
  readonly session: WorkSession;
  readonly leases: Leases;
};

export type WorkOverrides = { readonly jobs?: Jobs; readonly everyMs?: EveryMs };
type Deps = Pick<Stores, 'databaseUrl' | 'waits'> & { readonly log: Log; readonly metrics: Metrics };

export async function openWork(
  { redisUrl }: Pick<Config, 'redisUrl'>,
  { databaseUrl, waits, log, metrics }: Deps,
  { jobs: ownJobs, everyMs = (_, ms) => ms }: WorkOverrides,
  closers: Closer[],
): Promise<Work> {
  const at = redisUrl ? { redisUrl } : { databaseUrl, waits };
  const jobs = ownJobs ?? (await openJobs(at, queuesMax, log));
  closers.push(jobs.close);
  const session = openWorkSession(databaseUrl, waits);
  closers.push(session.end);
  const leases = openLeases(databaseUrl, log, everyMs('leases', retryMs));
  const { periodicWorkBegins: begins, periodicWorkFailed: failed } = metrics;
  const every = createEvery({ log, begins, failed, everyMs });
  return { jobs, every, session, leases };
}
