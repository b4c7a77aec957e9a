import { createReadDb } from '../../../projections/database.ts';
import { projectionsCheckpoint } from '../../../projections/kept/checkpoints.ts';
import { usedKeys } from '../../../projections/kept/used-keys.ts';
import { clockAnnouncements } from '../../../projections/models/platform-clocks.ts';
import { projectedChannel } from '../../../projections/projector/listen-for-progress.ts';
import type { SetAside } from '../../../projections/projector/parking.ts';
import { type Projector, projector } from '../../../projections/projector/projector.ts';
import { createOutbox } from '../../api/webhooks/content.ts';
import { followLog } from '../../infrastructure/event-store/follow-log.ts';
import { leaseMs } from '../../infrastructure/jobs/lease-line.ts';
import { announcements } from '../../infrastructure/postgres/announce.ts';
import { byKey, createPool } from '../../infrastructure/postgres/pool.ts';
import type { Closer } from '../parts/closer.ts';
import type { Core } from '../parts/core/core.ts';

const retryParkedEveryMs = 1_000;

/** No farther than this server has come: it may have taken over, or come back, without the last commits. */
const tellProjected = `
  select pg_notify($1, least(position, $2::bigint)::text) from checkpoints where name = '${projectionsCheckpoint}'`;

/**
 * Keeps the read models up to date. They are copies of the log, so their commits need not wait for the disk: what a
 * crash takes back is made again.
 */
export function startProjector(
  {
    pool,
    store,
    closings,
    commands,
    forgetPersons,
    config,
    databaseUrl,
    leases,
    listening,
    lost,
    installationNow,
    progress,
    webhooksAfter,
    madeAt,
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
    // One that is stopped inside a transaction keeps its locks no longer than it keeps the lease.
    idleMaxMs: waits.statementMaxMs ?? leaseMs,
    settings: { ...byKey, synchronous_commit: 'off' },
  });
  const db = createReadDb(own);
  const others = announcements(pool, projectedChannel, listening, tellProjected);
  const passed = (position: bigint) => {
    progress.passed(position);
    others.announce(position.toString());
    metrics.projected(position);
  };
  const decides = config.roles.includes('worker') || config.roles.includes('api');
  let current: Projector | undefined;
  const setAside: SetAside = ({ id, type }, failures) => {
    const [err] = failures.values();
    log.error(
      { err, eventId: id, type, models: [...failures.keys()] },
      'an event was set aside by read models',
    );
  };
  const lease = leases.hold('projections', (term) => {
    const extra = [
      createOutbox(webhooksAfter, config.environment),
      clockAnnouncements,
      usedKeys((position) => position <= madeAt || lost?.mayBeOf(position) === true, installationNow),
    ];
    current = projector({
      db,
      store,
      closings,
      passed,
      extra,
      setAside,
      token: term.token,
      forget: forgetPersons,
      ...(decides && { learned: commands.learn }),
    });
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
