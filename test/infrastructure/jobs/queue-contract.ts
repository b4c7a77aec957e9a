/** What is true of every queue: the real ones, and the one of the simulation. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { JobQueue, Jobs } from '../../../src/infrastructure/jobs/queues.ts';
import { eventually } from '../../support/resources/flows.ts';

type Job = { readonly name: string };

/** The promises of a queue, whatever it runs on. */
export function queueContract(openJobs: () => Promise<Jobs>): void {
  let name: string;
  let ran: string[];
  let jobs: Jobs;
  beforeEach(async () => {
    name = `test-${randomUUID()}`;
    ran = [];
    const own = await openJobs();
    jobs = own;
    onTestFinished(() => own.close());
  });

  const open = (): JobQueue<Job> => {
    const queue = jobs.queue<Job>(name);
    onTestFinished(() => queue.close().catch(() => undefined));
    return queue;
  };
  const work = (queue: JobQueue<Job>, handle: (job: Job) => Promise<void> | void = () => undefined) =>
    queue.work(async (job) => {
      ran.push(job.name);
      await handle(job);
    });
  const opened = (handle?: (job: Job) => Promise<void> | void) => {
    const queue = open();
    work(queue, handle);
    return queue;
  };
  const untilRan = (...names: string[]) =>
    eventually(
      async () => ran,
      (all) => names.every((one) => all.includes(one)),
    );
  const failTimes = (times: number) => () => {
    if (times-- > 0) throw new Error('not yet');
  };

  it('runs a job once with its data', async () => {
    const queue = opened();
    await queue.add('one', { name: 'first' }, 0);
    await queue.add('two', { name: 'last' }, 0);
    await untilRan('first', 'last');
    expect(ran).toHaveLength(2);
  });

  it('runs a job after its delay, behind one that is due', async () => {
    const queue = open();
    const start = performance.now();
    await queue.add('later', { name: 'later' }, 400);
    await queue.add('past', { name: 'overdue' }, -5_000);
    work(queue);
    await untilRan('overdue', 'later');
    expect(ran).toEqual(['overdue', 'later']);
    expect(performance.now() - start).toBeGreaterThanOrEqual(399);
  });

  it('takes the same id for the same job while that waits', async () => {
    const queue = open();
    for (const delay of [200, 200, 0]) await queue.add('same', { name: `after ${delay}` }, delay);
    await queue.add('other', { name: 'other' }, 300);
    work(queue);
    await untilRan('other', 'after 200');
    expect(ran).toEqual(['after 200', 'other']);
  });

  it('takes the same id again once the job is done', async () => {
    const queue = opened();
    await queue.add('again', { name: 'first' }, 0);
    await untilRan('first');
    await eventually(
      () => queue.add('again', { name: 'second' }, 0).then(() => ran),
      (all) => all.includes('second'),
    );
  });

  it('tries a failing job again until it succeeds', async () => {
    const queue = opened(failTimes(2));
    await queue.add('flaky', { name: 'flaky' }, 0);
    await eventually(
      async () => ran.length,
      (count) => count === 3,
    );
  });

  it('drops a job after five attempts', async () => {
    let isBroken = true;
    const queue = opened(() => (isBroken ? failTimes(1)() : undefined));
    await queue.add('broken', { name: 'broken' }, 0);
    await eventually(
      async () => ran.length,
      (count) => count === 5,
    );
    isBroken = false;
    await eventually(
      () => queue.add('broken', { name: 'later' }, 0).then(() => ran),
      (all) => all.includes('later'),
    );
    // What was added while the first was being carried out may be carried out as well.
    expect(ran.filter((name) => name === 'broken')).toHaveLength(5);
  });

  it('forgets everything when it is emptied', async () => {
    const queue = opened();
    await queue.add('same', { name: 'forgotten' }, 60_000);
    await queue.empty();
    await queue.add('same', { name: 'after' }, 0);
    await untilRan('after');
    expect(ran).toEqual(['after']);
  });

  it('keeps jobs while nobody works', async () => {
    const queue = open();
    await queue.add('due', { name: 'due' }, 0);
    await queue.add('in-a-while', { name: 'delayed' }, 100);
    await queue.close();
    await sleep(150);
    opened();
    await untilRan('due', 'delayed');
    expect(ran).toHaveLength(2);
  });

  it('finishes the job in hand before it closes', async () => {
    const gate = Promise.withResolvers<void>();
    let isFinished = false;
    const queue = opened(async () => {
      await gate.promise;
      isFinished = true;
    });
    await queue.add('slow', { name: 'slow' }, 0);
    await untilRan('slow');
    const closed = queue.close().then(() => isFinished);
    gate.resolve();
    expect(await closed).toBe(true);
  });

  it('gives each job to one of several workers', async () => {
    const [queue] = [opened(), opened(), opened()];
    const names = Array.from({ length: 60 }, (_, n) => `job ${n}`);
    await Promise.all(names.map((one) => queue.add(one.replace(' ', '-'), { name: one }, 0)));
    await untilRan(...names);
    expect(ran.toSorted()).toEqual(names.toSorted());
  });
}
