/** The tree over the log, kept and signed by a test in place of the service. */
import { vi } from 'vitest';
import { pagesOf } from '../../projections/projector/rebuild/pages.ts';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import type { LogReader } from '../../src/infrastructure/event-store/postgres/reader.ts';
import { logTreeKeeper, signEveryMs } from '../../src/infrastructure/log-tree/keeper.ts';
import { openLogKey } from '../../src/infrastructure/log-tree/key.ts';
import type { Pool } from '../../src/infrastructure/postgres/pool.ts';
import { createSealer } from '../../src/infrastructure/secrets/sealing.ts';
import { testMasterKey } from './service.ts';

const pageMax = 500;
const quiet = { info: () => undefined, error: () => undefined };

/** The events of a log, as the process that owns the tree is given them. */
export async function eventsOf(log: LogReader): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  const until = await log.last();
  for await (const page of pagesOf(log, { after: undefined, until, pageMax })) events.push(...page);
  return events;
}

let starts = 0;

/** The process that owns the tree, as it starts again, each time later. */
export function keeperOf(pool: Pool, error = vi.fn()) {
  starts += 2;
  const later = () => new Date(Date.now() + starts * signEveryMs);
  const key = () => openLogKey(pool, createSealer({ current: testMasterKey }), later);
  return { ...logTreeKeeper({ pool, key, now: later, log: { ...quiet, error } }), error };
}
