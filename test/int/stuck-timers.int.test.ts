import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createReadDb, type ReadDb } from '../../projections/database.ts';
import { createPlatformTimes } from '../../src/infrastructure/clock/platform-times.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { againMax, createTimers, pageMax } from '../../src/workers/timers.ts';
import { query } from '../support/postgres/database.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { stillClock } from '../support/time/movable-clock.ts';

const service = serviceOfTests({ variables: { DAYBOOK_ROLES: 'api' } });
const [minuteMs, hourMs] = [60_000, 3_600_000];
let db: ReadDb;
beforeAll(() => {
  db = createReadDb(createPool({ url: service.databaseUrl, max: 2, name: 'timers' }));
});
afterAll(() => db.destroy());
beforeEach(() => query(service.databaseUrl, 'truncate daybook.timers'));

type Runs = (subject: string) => Promise<Date | undefined>;

/** Timers as a worker has them, with a queue that is away for ever. One platform was put back to a snapshot. */
function openTimers(runs: Runs) {
  const clock = stillClock();
  const lines: string[] = [];
  const log = createLog('error', { write: (line) => void lines.push(line) });
  const ran: string[] = [];
  const asked: string[] = [];
  const queue = {
    add: (id: string) => {
      asked.push(id);
      return new Promise<void>(() => undefined);
    },
    work: () => undefined,
    empty: async () => undefined,
    close: async () => undefined,
  };
  const timers = createTimers({
    runTimer: async ({ subject }) => {
      ran.push(subject);
      return runs(subject);
    },
    queue,
    readDb: db,
    projected: async () => true,
    caughtUp: async () => true,
    log,
    now: () => clock.now(),
    times: createPlatformTimes(clock),
    moved: {
      standingOf: (owner) =>
        owner === putBack ? { generation: 1, since: 7n, streams: new Set<string>() } : undefined,
    },
  });
  return { ...timers, clock, ran, asked, lines };
}

const putBack = 'Platform:2';

const add = (
  clock: { now(): Date },
  subjects: readonly string[],
  overdueMs: number,
  platformId = 'Platform:1',
) =>
  query(
    service.databaseUrl,
    `insert into daybook.timers (subject, platform_id, kind, due_at)
     select s, $3, 'check-payment', $2 from unnest($1::text[]) as t (s)`,
    [subjects, new Date(clock.now().getTime() - overdueMs), platformId],
  );
const names = (name: string, count: number) => Array.from({ length: count }, (_one, n) => `${name}-${n}`);

/** What the projector does when it has ended. */
const end = (subjects: readonly string[]) =>
  query(service.databaseUrl, 'delete from daybook.timers where subject = any($1)', [subjects]);

const fails: Runs = async (subject) => {
  if (subject.startsWith('bad')) throw new Error('it always fails');
  await end([subject]);
  return undefined;
};

describe('a timer that fails', () => {
  it('is looked at again later and later, and at least once in a minute', async () => {
    const { reconcile, clock, ran } = openTimers(fails);
    await add(clock, ['bad-0'], hourMs);
    const gaps: number[] = [];
    for (let seconds = 0, last = 0; seconds < 600; seconds++) {
      const before = ran.length;
      await reconcile();
      if (ran.length > before) {
        gaps.push(seconds - last);
        last = seconds;
      }
      clock.advance(1_000);
    }
    expect(ran.length).toBeGreaterThan(10);
    expect(ran.length).toBeLessThan(20);
    expect(gaps.slice(1)).toEqual(gaps.slice(1).toSorted((a, b) => a - b));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(61);
  });

  it('hides none of the others, however many of its kind there are', async () => {
    const { reconcile, clock, ran } = openTimers(fails);
    const bad = names('bad', 3 * pageMax);
    await add(clock, bad, hourMs);
    await reconcile();
    clock.advance(2 * minuteMs);
    await add(clock, names('good', 10), minuteMs);
    ran.length = 0;
    await reconcile();
    expect(ran.filter((subject) => subject.startsWith('good'))).toHaveLength(10);
    expect(ran.filter((subject) => subject.startsWith('bad'))).toHaveLength(againMax);
  });

  it('comes in turn with the others of its kind', async () => {
    const { reconcile, clock, ran } = openTimers(fails);
    await add(clock, names('bad', 2 * againMax), hourMs);
    await reconcile();
    clock.advance(2 * minuteMs);
    ran.length = 0;
    await reconcile();
    await reconcile();
    expect(new Set(ran).size).toBe(2 * againMax);
  });

  it('is taken by one of several workers', async () => {
    const workers = [1, 2, 3].map(() => openTimers(fails));
    const [first] = workers;
    if (!first) throw new Error('no worker');
    await add(first.clock, names('bad', againMax), hourMs);
    await first.reconcile();
    for (const { clock, ran } of workers) {
      clock.advance(2 * minuteMs);
      ran.length = 0;
    }
    await Promise.all(workers.map(({ reconcile }) => reconcile()));
    expect(workers.flatMap(({ ran }) => ran)).toHaveLength(againMax);
  });
});

describe('a timer of what the rail has named a later time for', () => {
  const nextIn = async (clock: { now(): Date }) => new Date(clock.now().getTime() + 2 * minuteMs);
  const rows = () => query(service.databaseUrl, 'select xmin::text, look_at from daybook.timers');

  it('is left as it is until then', async () => {
    const town: ReturnType<typeof openTimers> = openTimers(() => nextIn(town.clock));
    const { reconcile, clock, ran } = town;
    await add(clock, ['waits'], hourMs);
    for (const times of [1, 2, 3]) {
      const lookAt = await nextIn(clock);
      await reconcile();
      expect([ran.length, await rows()]).toMatchObject([times, [{ look_at: lookAt }]]);
      const before = await rows();
      clock.advance(minuteMs);
      await reconcile();
      expect([ran.length, await rows()]).toEqual([times, before]);
      clock.advance(minuteMs);
    }
  });
});

describe('a timer of what a platform was before it was put back', () => {
  const isGone: Runs = async (subject) => {
    await end([subject]);
    throw new Error('its subject is gone');
  };

  it('is no failure once the read models do not have it any more', async () => {
    const { reconcile, clock, ran, lines } = openTimers(isGone);
    await add(clock, ['gone'], hourMs, putBack);
    await reconcile();
    expect(ran).toEqual(['gone']);
    expect(lines).toEqual([]);
  });

  it.each([
    ['of a platform that goes on as it was', 'Platform:1', isGone],
    ['that is still there', putBack, fails],
  ])('is told from one %s', async (_which, platformId, runs) => {
    const { reconcile, clock, lines } = openTimers(runs);
    await add(clock, ['bad-0'], hourMs, platformId);
    await reconcile();
    expect(lines).toHaveLength(1);
  });
});

describe('a timer that moves', () => {
  it('is a new one, whatever came of it before', async () => {
    const { reconcile, clock, ran } = openTimers(fails);
    await add(clock, ['bad-0'], hourMs);
    await reconcile();
    const moved = new Date(clock.now().getTime() - minuteMs);
    await query(
      service.databaseUrl,
      `update daybook.timers set due_at = $1, looks = 0, look_at = null where subject = 'bad-0'`,
      [moved],
    );
    ran.length = 0;
    await reconcile();
    expect(ran).toEqual(['bad-0']);
  });
});

describe('a queue that is away', () => {
  it('is given little, and waited for by nobody', () => {
    const { schedule, asked, clock } = openTimers(fails);
    for (let n = 0; n < 1_000; n++) {
      const dueAt = new Date(clock.now().getTime() + n * minuteMs);
      const event = {
        type: 'PaymentSubmitted',
        data: { transactionId: `Transaction:${n}`, checkAt: dueAt },
        metadata: { platformId: 'Platform:1' },
        position: BigInt(n),
      };
      expect(schedule(event as never)).toBeUndefined();
    }
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.length).toBeLessThan(100);
  });
});
