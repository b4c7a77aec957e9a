import { createReadDb } from '../../../projections/database.ts';
import { clockAnnouncements } from '../../../projections/models/platform-clocks.ts';
import { type Projector, projectedChannel, projector } from '../../../projections/projector/run.ts';
import { createOutbox } from '../../api/webhooks/content.ts';
import { followLog } from '../../infrastructure/event-store/follow-log.ts';
import { type Keeper, logTreeKeeper } from '../../infrastructure/log-tree/keeper.ts';
import { openLogKey } from '../../infrastructure/log-tree/key.ts';
import { announcements } from '../../infrastructure/postgres/announce.ts';
import { byKey, createPool } from '../../infrastructure/postgres/pool.ts';
import type { Closer, Core } from '../parts/core.ts';

const retryParkedEveryMs = 1_000;

/**
 * Keeps the read models up to date. They are copies of the log, so their commits need not wait for the disk: what a
 * crash takes back is made again.
 */
export function startProjector(
  {
    pool,
    store,
    closings,
    databaseUrl,
    leases,
    listening,
    progress,
    webhooksAfter,
    metrics,
    every,
    log,
    waits,
  }: Core,
  closers: Closer[],
): void {
  const own = createPool({
    url: databaseUrl,
    max: 1,
    name: 'projector',
    // What an event leads to may be many rows: cancelling all that waits for an endpoint, for one.
    ...waits,
    statementMaxMs: Math.max(60_000, waits.statementMaxMs ?? 0),
    settings: { ...byKey, synchronous_commit: 'off' },
  });
  const db = createReadDb(own);
  const others = announcements(pool, projectedChannel, listening);
  const passed = (position: bigint) => {
    progress.passed(position);
    others.announce(position.toString());
    metrics.projected(position);
  };
  let current: Projector | undefined;
  const lease = leases.hold('projections', (term) => {
    const extra = [createOutbox(webhooksAfter), clockAnnouncements];
    current = projector({ db, store, closings, passed, extra, token: term.token });
    // Who has lost the lease tries nothing again.
    return followLog(store, current, log, term).finally(() => {
      current = undefined;
    });
  });
  closers.push(
    () => db.destroy(),
    others.stop,
    () => lease.stop(),
    every('parked rows', retryParkedEveryMs, async () => current?.retry()),
  );
}

const lookForGrowthEveryMs = 1_000;

/** Keeps the Merkle tree over the log, and signs it every minute in which it has grown. */
export function startLogTree(
  { pool, store, leases, sealer, installationNow: now, every, log }: Core,
  closers: Closer[],
): void {
  let current: Keeper | undefined;
  const key = () => openLogKey(pool, sealer, now);
  const lease = leases.hold('log tree', (term) => {
    const keeper = logTreeKeeper({ pool, key, now, log });
    current = keeper;
    return followLog(store, keeper, log, term).finally(() => {
      current = undefined;
    });
  });
  closers.push(
    () => lease.stop(),
    every('log checkpoints', lookForGrowthEveryMs, async () => current?.sign()),
  );
}
