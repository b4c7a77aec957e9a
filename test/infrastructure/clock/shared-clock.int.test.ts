import type pg from 'pg';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../../src/app/parts/clock.ts';
import type { SharedClock } from '../../../src/infrastructure/clock/shared-clock.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { createDatabase } from '../../support/postgres/database.ts';
import { hourMs, serverClock } from '../../support/time/server-clock.ts';

/** What a loaded machine may lose between two statements of a test. */
const slackMs = 60_000;

let pool: pg.Pool;
let server: ReturnType<typeof serverClock>;
const pools: pg.Pool[] = [];
beforeEach(async () => {
  const url = await createDatabase();
  await migrate(url);
  pool = createPool({ url, max: 2, name: 'test-clock' });
  pools.push(pool);
  server = serverClock(pool);
});
afterAll(async () => {
  for (const one of pools) await one.end();
});

const started = async (isTold?: boolean): Promise<SharedClock> => {
  const clock = server.process(isTold);
  await clock.read(server.pool);
  return clock;
};
const readAll = (...clocks: readonly SharedClock[]) =>
  Promise.all(clocks.map((clock) => clock.read(server.pool)));
const apart = (a: Date, b: Date | number) => Math.abs(a.getTime() - Number(b));

describe('the clock of an installation', () => {
  it('is that of the server, whatever the host says', async () => {
    server.jump(hourMs);
    const clock = await started();
    expect(apart(clock.now(), Date.now() + hourMs)).toBeLessThan(slackMs);
  });

  it.each([hourMs, -hourMs])('goes on for all processes when the server jumps by %d ms', async (ms) => {
    const clocks = [await started(), await started(), await started()] as const;
    const before = clocks.map((clock) => clock.now().getTime());
    server.jump(ms);
    await readAll(...clocks);
    const late = await started();
    for (const clock of [...clocks, late]) {
      expect(apart(clock.now(), before[0] ?? 0)).toBeLessThan(slackMs);
      expect(clock.now().getTime()).toBeGreaterThanOrEqual(Math.max(...before) - 1_000);
    }
    expect(apart(clocks[0].now(), late.now())).toBeLessThan(2_000);
  });

  it('is right again when the server jumps back', async () => {
    const clock = await started();
    for (const ms of [hourMs, -hourMs]) {
      server.jump(ms);
      await clock.read(server.pool);
    }
    expect(apart(clock.now(), Date.now())).toBeLessThan(slackMs);
    expect(
      (await pool.query<{ ahead_ms: number }>('select ahead_ms from clock')).rows[0]?.ahead_ms,
    ).toBeCloseTo(0, -3);
  });

  it('comes to the server little by little', async () => {
    const clock = await started();
    server.jump(hourMs);
    await clock.read(server.pool);
    for (let hour = 0; hour < 11; hour++) {
      server.pass(hourMs);
      await clock.read(server.pool);
    }
    expect(apart(clock.now(), Date.now() + 12 * hourMs)).toBeLessThan(slackMs);
  });

  it('never goes back in a process, nor from one process to the next', async () => {
    const first = await started();
    server.pass(hourMs);
    await first.read(server.pool);
    const last = first.now();
    server.jump(-hourMs);
    const next = await started();
    expect(next.now().getTime()).toBeGreaterThanOrEqual(last.getTime() - 1_000);
    expect(first.now() >= last).toBe(true);
  });

  it('is not held back by a process whose host has slept', async () => {
    const [awake, asleep] = [await started(), await started(false)];
    server.suspend(hourMs);
    // The other process has not slept: by its own clock an hour has passed too.
    await server.process().read(server.pool);
    await asleep.read(server.pool);
    expect(apart(asleep.now(), Date.now() + hourMs)).toBeLessThan(slackMs);
    await awake.read(server.pool);
    expect(apart(awake.now(), Date.now() + hourMs)).toBeLessThan(slackMs);
  });

  it('goes on at once when the only host has slept', async () => {
    const clock = await started();
    server.suspend(hourMs);
    await clock.read(server.pool);
    expect(apart(clock.now(), Date.now() + hourMs)).toBeLessThan(slackMs);
  });

  it('follows a clock that was never right', async () => {
    const clock = await started();
    server.jump(-24 * hourMs);
    await clock.read(server.pool);
    expect(apart(clock.now(), Date.now() - 24 * hourMs)).toBeLessThan(slackMs);
  });

  it.each([-3 * hourMs, 3 * hourMs])('does so in all processes, by %d ms', async (ms) => {
    const clocks = [await started(), await started(), await started()] as const;
    for (const clock of clocks) clock.now();
    server.jump(ms);
    await readAll(...clocks);
    await readAll(...clocks);
    for (const clock of clocks) expect(apart(clock.now(), Date.now() + ms)).toBeLessThan(slackMs);
  });

  it('goes on by itself while the server is away', async () => {
    const clock = await started();
    const before = clock.now();
    const away = { query: () => Promise.reject(new Error('away')) } as unknown as pg.Pool;
    await expect(clock.read(away)).rejects.toThrow('away');
    server.pass(hourMs);
    expect(clock.now().getTime() - before.getTime()).toBeGreaterThanOrEqual(hourMs);
  });
});

describe('the clock of the host', () => {
  it.each([2 * hourMs, -2 * hourMs])(
    'is told of once while it is wrong by %d ms, and once when it is right',
    async (ms) => {
      const lines: string[] = [];
      const log = createLog('warn', { write: (line) => void lines.push(line) });
      const told = () => lines.map((line) => JSON.parse(line).msg);
      const clock = server.process(true, log);
      await clock.read(server.pool);
      expect(told()).toEqual([]);
      server.setHost(ms);
      for (let n = 0; n < 3; n++) await clock.read(server.pool);
      const wrong =
        'the clocks of this host and of the database server differ: set right the one that is wrong';
      expect(told()).toEqual([wrong]);
      const { host, server: database } = JSON.parse(lines[0] ?? '');
      expect(apart(new Date(host), Date.parse(database) + ms)).toBeLessThan(slackMs);
      expect(apart(clock.now(), Date.now())).toBeLessThan(slackMs);
      server.setHost(0);
      for (let n = 0; n < 3; n++) await clock.read(server.pool);
      expect(told()).toEqual([wrong, 'the clocks of this host and of the database server agree again']);
    },
  );

  it('is told of by the first reading of a process', async () => {
    const lines: string[] = [];
    server.setHost(hourMs);
    await server
      .process(true, createLog('warn', { write: (line) => void lines.push(line) }))
      .read(server.pool);
    expect(lines).toHaveLength(1);
  });
});
