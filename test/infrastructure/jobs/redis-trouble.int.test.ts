/** What queues do with a Redis that is there, or seems to be, and takes nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openJobs, reconnectAfterMs, silentMaxMs } from '../../../src/infrastructure/jobs/queues.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { quietMs } from '../../../src/infrastructure/observe/outages.ts';
import { freePort } from '../../../src/infrastructure/postgres/embedded.ts';
import { eventually } from '../../support/resources/flows.ts';
import { lineTo } from '../../support/servers/line.ts';
import { noRedis, startRedis } from '../../support/servers/redis.ts';
import { silentServer } from '../../support/servers/silent-server.ts';
import { patienceMs } from '../../support/time/patience.ts';

async function serverOfTest() {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  return redis;
}

/** A queue whose worker has run a job, and what it logs. */
async function queueOn(redisUrl: string) {
  const lines: { msg: string; variable?: string }[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) });
  const jobs = await openJobs({ redisUrl }, 1, log);
  const queue = jobs.queue<{ name: string }>('trouble');
  const ran: string[] = [];
  queue.work(async ({ name }) => void ran.push(name));
  onTestFinished(() => queue.close());
  const run = async (name: string) => {
    await queue.add(name, { name }, 0);
    await eventually(
      async () => ran,
      (all) => all.includes(name),
    );
  };
  await run('before');
  const untilTold = () =>
    eventually(
      async () => lines,
      ({ length }) => length > 0,
    );
  return { ...queue, run, lines, untilTold };
}

/** How many scripts a server has been asked to run. */
async function scriptsOf(url: string): Promise<number> {
  const redis = new Redis(url);
  const stats = await redis.info('commandstats').finally(() => redis.disconnect());
  const calls = [...stats.matchAll(/^cmdstat_eval\w*:calls=(\d+)/gm)].map(([, count]) => Number(count));
  return calls.reduce((sum, count) => sum + count, 0);
}

const watchedMs = 2_000;

describe.skipIf(noRedis)('a Redis that takes nothing', () => {
  it.each([
    ['maxmemory', 'its server has no memory left'],
    ['min-replicas-to-write', 'its server has too few replicas'],
  ])('for its %s is told of once, asked now and then, and takes jobs afterwards', async (setting, lack) => {
    const redis = await serverOfTest();
    const { add, run, lines, untilTold } = await queueOn(redis.url);
    await redis.set(setting, '1');
    const away = { name: 'StoreAway', store: 'REDIS_URL' };
    await expect(add('refused', { name: 'refused' }, 0)).rejects.toMatchObject(away);
    await untilTold();
    const asked = await scriptsOf(redis.url);
    await sleep(watchedMs);
    expect((await scriptsOf(redis.url)) - asked).toBeLessThan(100);
    await redis.set(setting, '0');
    await run('afterwards');
    expect(lines).toMatchObject([{ variable: 'REDIS_URL', msg: expect.stringContaining(lack) }]);
  });
});

describe.skipIf(noRedis)('a Redis that is not as it should be', () => {
  const asOperator = async (url: string, ...command: readonly [string, ...string[]]) => {
    const operator = new Redis(url);
    await operator.call(...command).finally(() => operator.disconnect());
  };
  /** What libraries write to the console is no line of a log. */
  const consoleOf = () => {
    const written = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => written.mockRestore());
    return written.mock.calls;
  };

  it('runs jobs for a user that may not ask it about itself', async () => {
    const { url } = await serverOfTest();
    const written = consoleOf();
    const rights = ['on', '>secret', '~daybook_jobs:*', '+@all', '-info'];
    await asOperator(url, 'ACL', 'SETUSER', 'jobs', ...rights);
    const { run, lines } = await queueOn(url.replace('redis://', 'redis://jobs:secret@'));
    await run('another');
    expect([lines, written]).toEqual([[], []]);
  });

  it('is told of once where it drops keys', async () => {
    const redis = await serverOfTest();
    await redis.set('maxmemory-policy', 'allkeys-lru');
    const written = consoleOf();
    const { run, lines } = await queueOn(redis.url);
    await run('another');
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'Redis may drop jobs: set its maxmemory-policy to noeviction',
        variable: 'REDIS_URL',
        policy: 'allkeys-lru',
      }),
    ]);
    expect(written).toEqual([]);
  });

  it('is told to be a replica where it becomes one', async () => {
    const { url } = await serverOfTest();
    const { lines, untilTold } = await queueOn(url);
    await asOperator(url, 'REPLICAOF', '127.0.0.1', '1');
    await untilTold();
    expect(lines[0]).toMatchObject({
      variable: 'REDIS_URL',
      msg: expect.stringContaining('its server only reads, being a replica'),
    });
  });
});

describe.skipIf(noRedis)('a Redis whose line is cut', () => {
  it('has the queues on new connections, though the old ones seem to be there', async () => {
    const line = await lineTo((await serverOfTest()).url);
    const { run } = await queueOn(line.url);
    line.cut();
    await run('afterwards');
  });

  it('is given up on by all that closes at the same time', async () => {
    const line = await lineTo((await serverOfTest()).url);
    const { close } = await queueOn(line.url);
    line.cutForGood();
    // Timers of this process, one of which begins after the other: they are as late as those of what is closed.
    const oneAfterTheOther = sleep(2_000).then(() => sleep(1_900, 'one after the other'));
    expect(await Promise.race([close(), oneAfterTheOther])).toBeUndefined();
  });

  it.each([1, 10, 100])('is complained of before silence would mean that it is back', (attempt) => {
    expect(reconnectAfterMs(attempt) + silentMaxMs).toBeLessThan(quietMs);
  });
});

const program = join(import.meta.dirname, '../../support/servers/queue-process.ts');

/** A process of its own with a queue; `close` is how it ends by itself, and what it has printed by then. */
function processOn(redisUrl: string) {
  const child = spawn(process.execPath, [program, redisUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: patienceMs,
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const untilRan = () =>
    eventually(
      async () => said,
      (text) => text.includes('ran'),
    );
  const close = async () => {
    child.stdin.end();
    const [code] = await once(child, 'close');
    return { code, left: said.match(/^left: (.*)$/m)?.[1] };
  };
  return { untilRan, close };
}

describe('a queue that is closed leaves nothing behind that keeps its process', () => {
  const nothing = { code: 0, left: '' };

  it('where its Redis was never there', async () => {
    const port = await freePort();
    const queue = processOn(`redis://127.0.0.1:${port}`);
    await sleep(1_000);
    expect(await queue.close()).toEqual(nothing);
  });

  it('where its Redis never said anything', async () => {
    const silent = await silentServer();
    const queue = processOn(`redis://127.0.0.1:${silent.port}`);
    await silent.connected;
    expect(await queue.close()).toEqual(nothing);
  });

  it.skipIf(noRedis)('where its Redis is there', async () => {
    const { untilRan, close } = processOn((await serverOfTest()).url);
    await untilRan();
    expect(await close()).toEqual(nothing);
  });

  it.skipIf(noRedis)('where its Redis has ended', async () => {
    const redis = await serverOfTest();
    const { untilRan, close } = processOn(redis.url);
    await untilRan();
    await redis.stop();
    await sleep(500);
    expect(await close()).toEqual(nothing);
  });

  it.skipIf(noRedis)('where the line to its Redis is cut', async () => {
    const line = await lineTo((await serverOfTest()).url);
    const { untilRan, close } = processOn(line.url);
    await untilRan();
    line.cutForGood();
    expect(await close()).toEqual(nothing);
  });
});
