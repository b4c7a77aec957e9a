/** The tables, brought up to date, and the clock that is read from their server. */
import { createReadDb } from '../../../projections/database.ts';
import { migrateBooks } from '../../../projections/migrations/migrate.ts';
import { createSharedClock, readEveryMs, type SharedClock } from '../../infrastructure/clock/shared-clock.ts';
import type { Log } from '../../infrastructure/observe/log.ts';
import { createPool, type Pool, type Waits } from '../../infrastructure/postgres/pool.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Closer } from './closer.ts';
import type { Core } from './core/core.ts';

export type ReadableClock = Clock & Partial<Pick<SharedClock, 'read'>>;

/** On connections of its own, which may take as long as a large table takes. What is done first may fail: see `Changing`. */
export const migrate = (url: string, first?: () => Promise<void>): Promise<void> =>
  onPool({ url, max: 2, name: 'migrations', statementMaxMs: 0 }, async (pool) =>
    migrateBooks(createReadDb(pool), { first }),
  );

/** The installation's clock, read once. The tables have to be there. */
export async function openClock(url: string, log: Log, waits: Waits = {}): Promise<SharedClock> {
  const clock = createSharedClock(log);
  await onPool({ url, max: 1, name: 'clock', ...waits }, (pool) => clock.read(pool));
  return clock;
}

/** Reads it again and again, until the service closes. While the server is away it goes on by itself. */
export function followClock(
  { read }: ReadableClock,
  { every, pool }: Pick<Core, 'every' | 'pool'>,
  closers: Closer[],
): void {
  if (read) closers.push(every('clock', readEveryMs, () => read(pool)));
}

async function onPool(
  options: Parameters<typeof createPool>[0],
  work: (pool: Pool) => Promise<void>,
): Promise<void> {
  const pool = createPool(options);
  await work(pool).finally(() => pool.end());
}
