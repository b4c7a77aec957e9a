/** What a platform goes on with that was put back to a snapshot. */
import { StoreAway } from '../../infrastructure/away.ts';
import type { EventStore } from '../../infrastructure/event-store/event-store.ts';
import { pause } from '../../infrastructure/jobs/pause.ts';
import type { Pool, PoolClient } from '../../infrastructure/postgres/pool.ts';
import { pauseMs } from '../../kernel/backoff.ts';
import type { PlatformId, SnapshotId } from '../../kernel/ids.ts';
import { copyStreams, type KeptStream } from './copies.ts';
import { putBackRows } from './kept-rows.ts';
import { type LateDeps, leaveLateStreams } from './late-streams.ts';

const pauseBounds = { minMs: 250, maxMs: 10_000 };

export type SnapshotRow = {
  readonly id: SnapshotId;
  readonly platform_id: PlatformId;
  readonly name: string | null;
  readonly position: bigint;
  readonly events: number;
  readonly streams: readonly KeptStream[];
  readonly created_at: Date;
};

export const snapshotColumns = 'id, platform_id, name, position, events, streams, created_at';

export type FillDeps = LateDeps & {
  readonly pool: Pool;
  /** Its statements take as long as they take: what is put back is not bounded. */
  readonly unhurried: {
    readonly inTransaction: (work: (client: PoolClient) => Promise<void>) => Promise<void>;
  };
  readonly wholeLog: EventStore;
};

/**
 * Copies the streams of the snapshot, and puts back the rows beside the log. All that the platform had up to a position has
 * been named: up to the snapshot, where nothing else is known. Safe to repeat.
 */
export async function fill(deps: FillDeps, row: SnapshotRow, namedUntil = row.position): Promise<void> {
  const { pool, unhurried, wholeLog } = deps;
  const { id, platform_id: platformId, streams: kept } = row;
  const { streams, generation } = await leaveLateStreams(deps, { platformId, snapshotId: id, namedUntil });
  await copyStreams(wholeLog, kept, generation);
  const until = await wholeLog.last();
  await unhurried.inTransaction((client) => putBackRows(client, id, { platformId, streams, until }));
  await pool.query('update sandbox_snapshots set restoring = null where id = $1', [id]);
}

/** The process ends, and leaves a platform halfway. */
export class LeftHalfway extends StoreAway {
  override name = 'LeftHalfway';
}

type Trying = {
  readonly stopping: AbortSignal;
  /** What is thrown, and not tried again. */
  readonly isFinal: (error: unknown) => boolean;
  readonly failed: (error: unknown) => void;
};

/**
 * Does it, and tries again while that fails: a platform that is halfway is to be held for as long, and `failed` is told.
 * Throws `LeftHalfway` when the process stops; the next one sees it through.
 */
export async function whateverComes(
  work: () => Promise<void>,
  { stopping, isFinal, failed }: Trying,
): Promise<void> {
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (isFinal(error)) throw error;
      failed(error);
      if (stopping.aborted) throw new LeftHalfway('the process stops', { cause: error });
      await pause(pauseMs(failures, pauseBounds), stopping);
    }
  }
}

/** Sees through what a process that ended was at: before anything is read or written for the platform. */
export async function finishFilling(deps: FillDeps): Promise<void> {
  const { pool, moved } = deps;
  const { rows } = await pool.query<SnapshotRow & { readonly restoring: number }>(
    `select ${snapshotColumns}, restoring from sandbox_snapshots where restoring is not null`,
  );
  for (const row of rows) {
    const generation = moved.generationOf(row.platform_id);
    if (generation >= row.restoring) await fill(deps, row);
    else await pool.query('update sandbox_snapshots set restoring = null where id = $1', [row.id]);
  }
}
