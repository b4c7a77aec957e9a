import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openJobs } from '../../src/infrastructure/jobs/queues.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { createLooks, type LookJob } from '../../src/workers/looks.ts';
import { createDatabase, query } from '../support/postgres/database.ts';
import { eventually } from '../support/resources/flows.ts';

const log = createLog('silent');
const now = () => new Date();
/** Moments at which something is due, a tenth of a second apart. */
const moments = 50;
let url: string;
let jobs: Awaited<ReturnType<typeof openJobs>>;
const waiting = () => query(url, `select from daybook_jobs.job where queue = 'looks'`);

beforeAll(async () => {
  url = await createDatabase();
  jobs = await openJobs({ databaseUrl: url }, 1, log);
});
afterAll(() => jobs.close());

describe('jobs on Postgres', () => {
  it('are one for each second in which something is due, and all of it is looked for', async () => {
    const queue = jobs.queue<LookJob>('looks', 1);
    let looked = 0;
    const look = async () => {
      looked++;
    };
    const { lookAt, stop } = createLooks({ queue, look, looksMax: 2, now, log });
    const first = Math.ceil(now().getTime() / 1_000) * 1_000 + 5_000;
    for (let n = 1; n <= moments; n++) lookAt(new Date(first + n * 100));
    const queued = await eventually(waiting, ({ length }) => length >= moments / 10);
    expect(queued).toHaveLength(moments / 10);
    let handled = 0;
    queue.work(async () => {
      handled++;
    });
    await eventually(
      async () => [looked, handled, (await waiting()).length],
      ([rung, done, left]) => rung === moments && done === queued.length && left === 0,
    );
    stop();
    await queue.close();
  });

  it('ask nothing for longer than ten seconds while there are none', async () => {
    const queue = jobs.queue<LookJob>('idle', 1);
    queue.work(async () => undefined);
    const connections = () =>
      query<{ isQuiet: boolean }>(
        url,
        `select state_change < clock_timestamp() - interval '10 seconds' as "isQuiet" from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
    await eventually(connections, (found) => found.length > 0 && found.every(({ isQuiet }) => isQuiet));
    await queue.close();
  });
});
