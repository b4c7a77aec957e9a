/** The tree over the log, kept and signed by a test in place of the service. */
import { vi } from 'vitest';
import { pagesOf } from '../../../projections/projector/rebuild/pages.ts';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import type { LogReader } from '../../../src/infrastructure/event-store/postgres/reader.ts';
import { logTreeKeeper } from '../../../src/infrastructure/log-tree/keeper.ts';
import { openLogKey } from '../../../src/infrastructure/log-tree/key.ts';
import type { Pool } from '../../../src/infrastructure/postgres/pool.ts';
import { createSealer } from '../../../src/infrastructure/secrets/sealing.ts';
import { testMasterKey } from '../processes/service.ts';

const pageMax = 500;
const everyMs = 60_000;

/** The events of a log, as the process that owns the tree is given them. */
export async function eventsOf(log: LogReader): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  const until = await log.last();
  for await (const page of pagesOf(log, { after: undefined, until, pageMax })) events.push(...page);
  return events;
}

let starts = 0;

/** The process that owns the tree, as it starts again, each time later. */
export function keeperOf(pool: Pool, { error = vi.fn(), now = later() } = {}) {
  const key = () => openLogKey(pool, createSealer({ current: testMasterKey }), now);
  const contradicted = vi.fn();
  return { ...logTreeKeeper({ pool, key, now, everyMs, contradicted, log: { error } }), error, contradicted };
}

function later(): () => Date {
  starts += 2;
  const aheadMs = starts * everyMs;
  return () => new Date(Date.now() + aheadMs);
}
