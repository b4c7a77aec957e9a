import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type JobQueue, type Jobs, openJobs } from '../../src/infrastructure/jobs/queues.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';
import {
  eventually,
  expectStatus,
  payoutParties,
  quoteBody,
  untilTransaction,
} from '../support/resources/flows.ts';
import { type Servers, startServers, whyNoDocker } from '../support/servers/containers.ts';

type Job = { readonly n: number };

const log = createLog('silent');

describe.skipIf(await whyNoDocker())('timers on Redis', () => {
  let servers: Servers;
  beforeAll(async () => {
    servers = await startServers();
  });
  afterAll(() => servers?.stop());

  describe('the queue', () => {
    let jobs: Jobs;
    let name: string;
    let handled: number[];
    beforeAll(async () => {
      jobs = await openJobs({ redisUrl: servers.outside.REDIS_URL }, 1, log);
    });
    const queues: JobQueue<Job>[] = [];
    const open = () => {
      const queue = jobs.queue<Job>(name);
      queues.push(queue);
      return queue;
    };
    const note = async ({ n }: Job) => {
      handled.push(n);
    };
    const untilHandled = (count: number) =>
      eventually(
        async () => handled,
        ({ length }) => length >= count,
      );
    const openFresh = () => {
      name = `test-${randomUUID()}`;
      handled = [];
      return open();
    };
    afterEach(async () => {
      await Promise.all(queues.splice(0).map((queue) => queue.close()));
    });

    it('hands a job over when its delay is over, and not before', async () => {
      const queue = openFresh();
      queue.work(note);
      const added = performance.now();
      await queue.add('a', { n: 1 }, 400);
      await untilHandled(1);
      expect(performance.now() - added).toBeGreaterThan(390);
    });

    it('holds a job that is added again once', async () => {
      const queue = openFresh();
      await queue.add('a', { n: 1 }, 100);
      await queue.add('a', { n: 2 }, 100);
      await queue.add('b', { n: 3 }, 200);
      queue.work(note);
      expect(await untilHandled(2)).toEqual([1, 3]);
    });

    it('keeps jobs while no process is there', async () => {
      await openFresh().add('a', { n: 1 }, 0);
      await Promise.all(queues.splice(0).map((queue) => queue.close()));
      open().work(note);
      expect(await untilHandled(1)).toEqual([1]);
    });

    it('tries a job that failed again', async () => {
      const queue = openFresh();
      queue.work(async (job) => {
        await note(job);
        if (handled.length === 1) throw new Error('not yet');
      });
      await queue.add('a', { n: 1 }, 0);
      expect(await untilHandled(2)).toEqual([1, 1]);
    });

    it('gives each job to one of several workers', async () => {
      const queue = openFresh();
      for (let n = 0; n < 50; n += 1) await queue.add(`job-${n}`, { n }, 0);
      for (const worker of [queue, open(), open()]) worker.work(note);
      const all = await untilHandled(50);
      expect(all.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n));
    });
  });

  describe('the service', () => {
    let service: TestService;
    const start = async (variables: Record<string, string>) => {
      const all = { ...servers.outside, ...variables };
      service = await startTestService({ databaseUrl: servers.outside.DATABASE_URL, variables: all });
      const { client } = service;
      const { account, payee } = await payoutParties(client);
      return {
        client,
        quote: expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201),
      };
    };
    /** The quote's own end is minutes away. */
    const soon = 60_000;
    const isDueSoon = (keys: string) =>
      [...keys.matchAll(/timers:due-(\d+)/g)].some(([, at]) => Number(at) < Date.now() + soon);
    const keys = () => servers.redis('--scan', '--pattern', 'daybook_jobs:timers:*');
    afterEach(() => service.stop());

    it('expires a quote in time', async () => {
      const { client, quote } = await start({ DAYBOOK_QUOTE_LIFETIME_SECONDS: '1' });
      await untilTransaction(client, quote.transactionId, 'EXPIRED');
    });

    it('completes a payout although Redis lost everything', async () => {
      const { client, quote } = await start({ DAYBOOK_SANDBOX_TIME_SCALE: '2' });
      expectStatus(await client.post(`/quotes/${quote.id}/execute`), 200);
      await eventually(keys, isDueSoon);
      await servers.redis('flushall');
      await untilTransaction(client, quote.transactionId, 'COMPLETED');
    });
  });
});
