/** A platform with which nothing happens for a while: what it has done has come to its end, and nobody begins anything. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAnyParked } from '../../../projections/kept/parked.ts';
import type { Listening } from '../../infrastructure/postgres/listen.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { countProcesses } from '../../infrastructure/postgres/processes.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { type SettledDeps, settled } from '../settled.ts';
import { type FillDeps, LeftHalfway } from './fill.ts';
import { type Present, presentStreams } from './present-streams.ts';
import { setAside, underWay } from './refusals.ts';

/** So long what a platform does has to come to rest. */
const restMaxMs = 10_000;
const followedWithinMs = 100;
/** Before it is looked again whether what was set aside is done. */
const againMs = 100;

export type AtRestDeps = SettledDeps & FillDeps & { readonly listening: Pick<Listening, 'heardOf'> };

type Asked = { readonly platformId: PlatformId; readonly since: bigint };

/**
 * While the work runs nothing else is written for the platform, and nothing follows from what was. Throws `Rejected`
 * (CONFLICT), with nothing done, where the platform does not come to rest or another process serves it as well. Where the
 * work throws `LeftHalfway`, nothing is written for the platform any more.
 */
export async function atRest<Result>(
  deps: AtRestDeps,
  { platformId, since }: Asked,
  work: (present: Present) => Promise<Result>,
): Promise<Result> {
  const { pool, listening, moved, wholeLog } = deps;
  await requireAlone(pool, listening);
  const until = performance.now() + Math.max(restMaxMs, deps.projectionWaitMs);
  let missing: string | undefined;
  do {
    await settled(deps);
    const release = await moved.hold(platformId);
    let left: LeftHalfway | undefined;
    try {
      const present = await presentStreams(moved, { platformId, since }, await wholeLog.last());
      missing = await missingOf(deps, present);
      // One may have started meanwhile.
      await requireAlone(pool, listening);
      if (missing === undefined) return await work(present);
    } catch (error) {
      if (error instanceof LeftHalfway) left = error;
      throw error;
    } finally {
      release(left);
    }
    if (missing !== underWay) await sleep(againMs);
  } while (performance.now() < until);
  throw new Rejected('CONFLICT', missing ?? underWay);
}

/**
 * What is still to be done: rows beside the log, like those of webhooks, are made with the read models, and nobody makes
 * them of a copy; who follows a stream, or tries one of its events again, would go on in the midst of its copies.
 */
async function missingOf(
  { reacted, progress, readDb }: Pick<SettledDeps, 'reacted' | 'progress' | 'readDb'>,
  { position, streams }: Present,
): Promise<string | undefined> {
  const followers = [reacted, progress];
  const come = await Promise.all(followers.map((one) => one.waitFor(position, followedWithinMs)));
  if (!come.every(Boolean)) return underWay;
  return (await isAnyParked(readDb, streams.keys())) ? setAside : undefined;
}

/** One whose connection is gone for a moment still serves. */
async function requireAlone(pool: Pool, listening: Pick<Listening, 'heardOf'>): Promise<void> {
  const count = Math.max(await countProcesses(pool), 1 + listening.heardOf());
  if (count > 1)
    throw new Rejected(
      'CONFLICT',
      `${count} processes serve this installation. Snapshots are for one that has a single process.`,
      { processes: count },
    );
}
