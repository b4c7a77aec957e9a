/**
 * Snapshots of a platform of the sandbox, and going back to them. What a snapshot keeps of the log is how far each stream
 * was; going back copies that much of it to new streams, with which the platform goes on
 * (docs/decisions/0082-back-to-a-snapshot.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isAnyParked } from '../../../projections/kept/parked.ts';
import { restorationsStream } from '../../domain/restorations/restorations.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { turnsOf } from '../../infrastructure/jobs/turns.ts';
import type { Log } from '../../infrastructure/observe/log.ts';
import type { Listening } from '../../infrastructure/postgres/listen.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { countProcesses } from '../../infrastructure/postgres/processes.ts';
import { inTransaction } from '../../infrastructure/postgres/transaction.ts';
import type { PlatformId, SnapshotId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { type SettledDeps, settled } from '../settled.ts';
import { type FillDeps, fill, type SnapshotRow, snapshotColumns, whateverComes } from './fill.ts';
import { keepRows } from './kept-rows.ts';
import { type Present, presentStreams } from './present-streams.ts';
import { isHalfway, setAside, sharedSince, tooLarge, tooMany, underWay, wentBack } from './refusals.ts';

/** Of one platform. */
export const snapshotsMax = 20;
/** Events of a platform that a snapshot can be taken of. */
export const eventsMax = 50_000;
/** Of one platform, and in one process, that are under way or wait. */
const waitingMax = { ofOneMax: 4, inAllMax: 64 };
/** So long what a platform does has to come to rest. */
const restMaxMs = 10_000;
const followedWithinMs = 100;
/** Before it is looked again whether what was set aside is done. */
const againMs = 100;

export type Snapshot = {
  readonly id: SnapshotId;
  readonly name: string | undefined;
  /** Of the platform, in the log. */
  readonly events: number;
  /** By the installation's clock. */
  readonly createdAt: Date;
};

export type PlatformSnapshots = {
  /** Throws `Rejected` (CONFLICT) for one too many, and where the platform does not come to rest. Safe to repeat. */
  readonly take: (platformId: PlatformId, named: Pick<Snapshot, 'id' | 'name'>) => Promise<Snapshot>;
  readonly list: (platformId: PlatformId) => Promise<readonly Snapshot[]>;
  /** Whether it was there. */
  readonly remove: (platformId: PlatformId, id: SnapshotId) => Promise<boolean>;
  /**
   * Resolves when the platform is what it was: `undefined` where there is no such snapshot. Throws `Rejected` (CONFLICT),
   * with nothing changed, where the platform cannot go back alone.
   */
  readonly restore: (platformId: PlatformId, id: SnapshotId, cause: Cause) => Promise<Snapshot | undefined>;
  /** Throws `Rejected` (503) while something has kept the platform from coming all the way back. */
  readonly requireWhole: (platformId: PlatformId) => void;
  /** What throws `Rejected` (503) once the platform was put back since now: what a request has found by then is no more. */
  readonly staying: (platformId: PlatformId) => () => void;
};

type Deps = SettledDeps &
  FillDeps & {
    readonly commands: Commands;
    readonly listening: Pick<Listening, 'heardOf'>;
    readonly log: Log;
    readonly installationNow: () => Date;
    /** What this process remembers of rows that were put back is forgotten. */
    readonly forget: (platformId: PlatformId) => Promise<void>;
  };

export function createPlatformSnapshots(deps: Deps): PlatformSnapshots {
  const { pool, log, listening, moved, wholeLog, commands, installationNow, forget } = deps;
  /** Of these there is a part of what the snapshot has. */
  const halfway = new Set<PlatformId>();
  const inTurn = turnsOf<PlatformId>({ ...waitingMax, refusal: tooMany });

  /** While the work runs nothing else is written for the platform, and nothing follows from what was. */
  const atRest = async <Result>(
    platformId: PlatformId,
    since: bigint,
    work: (present: Present) => Promise<Result>,
  ): Promise<Result> => {
    await requireAlone(pool, listening);
    const until = performance.now() + Math.max(restMaxMs, deps.projectionWaitMs);
    let missing: string | undefined;
    do {
      await settled(deps);
      const release = await moved.hold(platformId);
      try {
        const present = await presentStreams(moved, { platformId, since }, await wholeLog.last());
        missing = await missingOf(present);
        // One may have started meanwhile.
        await requireAlone(pool, listening);
        if (missing === undefined) return await work(present);
      } finally {
        release();
      }
      if (missing !== underWay) await sleep(againMs);
    } while (performance.now() < until);
    throw new Rejected('CONFLICT', missing ?? underWay);
  };

  /**
   * What is still to be done: rows beside the log, like those of webhooks, are made with the read models, and nobody makes
   * them of a copy; who follows a stream, or tries one of its events again, would go on in the midst of its copies.
   */
  const missingOf = async ({ position, streams }: Present): Promise<string | undefined> => {
    const followers = [deps.reacted, deps.progress];
    const come = await Promise.all(followers.map((one) => one.waitFor(position, followedWithinMs)));
    if (!come.every(Boolean)) return underWay;
    return (await isAnyParked(deps.readDb, streams.keys())) ? setAside : undefined;
  };

  const find = async (platformId: PlatformId, id: SnapshotId): Promise<SnapshotRow | undefined> => {
    const { rows } = await pool.query<SnapshotRow>(
      `select ${snapshotColumns} from sandbox_snapshots where platform_id = $1 and id = $2`,
      [platformId, id],
    );
    return rows[0];
  };

  const keep = async (platformId: PlatformId, { id, name }: Pick<Snapshot, 'id' | 'name'>, at: Present) => {
    if (at.events > eventsMax) throw tooLarge(at.events, eventsMax);
    const streams = [...at.streams].map(([stream, revision]) => ({
      stream,
      place: moved.placeOf(stream),
      revision,
    }));
    await inTransaction(pool, async (client) => {
      await client.query(
        `insert into sandbox_snapshots (${snapshotColumns}) values ($1, $2, $3, $4, $5, $6, $7)`,
        [id, platformId, name, at.position, at.events, JSON.stringify(streams), installationNow()],
      );
      await keepRows(client, id, { platformId, streams: at.streams.keys() });
    });
  };

  /** What comes after it in the log has happened to the platform as it was then. Returns whether it was there still. */
  const goBack = async (row: SnapshotRow, present: Present, cause: Cause): Promise<boolean> => {
    const { id, platform_id: platformId } = row;
    const next = moved.generationOf(platformId) + 1;
    const streams = [...present.streams.keys()].filter((stream) => !moved.isNamed(stream));
    // From here on nobody takes it away.
    const { rowCount } = await pool.query('update sandbox_snapshots set restoring = $2 where id = $1', [
      id,
      next,
    ]);
    if (rowCount === 0) return false;
    const at = installationNow();
    const way = { platformId, snapshotId: id };
    const command = { type: 'RestorePlatformState', ...way, generation: next, streams, at } as const;
    const goOn = async () => {
      // The log may have it though it has not said so. Once it is known, nothing more is recorded for this request.
      if (moved.generationOf(platformId) < next) {
        await commands.run('restorations', restorationsStream, command, cause);
        await moved.readMoves();
      }
      await fill(deps, row);
      await forget(platformId);
    };
    await whateverComes(deps, goOn, (err) => {
      halfway.add(platformId);
      log.error({ err, ...way }, 'a platform is halfway back to a snapshot; trying again');
    });
    return true;
  };

  return {
    take: (platformId, named) =>
      inTurn(platformId, async () => {
        const before = await find(platformId, named.id);
        if (before) return shown(before);
        await requireRoom(pool, platformId);
        await atRest(platformId, 0n, (present) => keep(platformId, named, present));
        const row = await find(platformId, named.id);
        if (!row) throw new Error(`snapshot ${named.id} is gone`);
        return shown(row);
      }),
    async list(platformId) {
      const { rows } = await pool.query<SnapshotRow>(
        `select ${snapshotColumns} from sandbox_snapshots where platform_id = $1 order by created_at, id`,
        [platformId],
      );
      return rows.map(shown);
    },
    async remove(platformId, id) {
      const { rowCount } = await pool.query(
        'delete from sandbox_snapshots where platform_id = $1 and id = $2 and restoring is null',
        [platformId, id],
      );
      return rowCount === 1;
    },
    restore: (platformId, id, cause) =>
      inTurn(platformId, async () => {
        const row = await find(platformId, id);
        if (!row) return undefined;
        await requireOwnToken(pool, id, cause.actor);
        try {
          const isBack = await atRest(platformId, row.position, async (present) => {
            if (present.sharedWith.size > 0) throw sharedSince(row);
            return goBack(row, present, cause);
          });
          if (!isBack) return undefined;
          await settled(deps);
          return shown(row);
        } finally {
          // It is there, or was not moved. A process that ends leaves it to the next start.
          if (!pool.ending) halfway.delete(platformId);
        }
      }),
    requireWhole(platformId) {
      if (halfway.has(platformId)) throw isHalfway();
    },
    staying(platformId) {
      const then = moved.generationOf(platformId);
      return () => {
        if (moved.generationOf(platformId) !== then) throw wentBack();
      };
    },
  };
}

const shown = ({ id, name, events, created_at: createdAt }: SnapshotRow): Snapshot => ({
  id,
  name: name ?? undefined,
  events,
  createdAt,
});

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

async function requireRoom(pool: Pool, platformId: PlatformId): Promise<void> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from sandbox_snapshots where platform_id = $1',
    [platformId],
  );
  if ((rows[0]?.count ?? 0) >= snapshotsMax)
    throw new Rejected('CONFLICT', `Your platform has ${snapshotsMax} snapshots. Delete one first.`, {
      maximum: snapshotsMax,
    });
}

/** Whoever goes back to a time before their token would not be answered any more. */
async function requireOwnToken(pool: Pool, snapshotId: SnapshotId, actor: string): Promise<void> {
  const { rowCount } = await pool.query(
    `select from sandbox_snapshot_rows where snapshot_id = $1 and of_table = 'api_tokens'
       and 'token:' || (content->>'id') = $2 and content->>'deleted_at' is null`,
    [snapshotId, actor],
  );
  if (rowCount === 0)
    throw new Rejected(
      'CONFLICT',
      'The snapshot is older than your token, which would be gone with it. Use a token that the snapshot has.',
    );
}
