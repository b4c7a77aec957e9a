/**
 * Snapshots of a platform of the sandbox, and going back to them. What a snapshot keeps of the log is how far each stream
 * was; going back copies that much of it to new streams, with which the platform goes on
 * (docs/decisions/0082-back-to-a-snapshot.md).
 */
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import type { Pool } from '../../infrastructure/postgres/pool.ts';
import { inTransaction } from '../../infrastructure/postgres/transaction.ts';
import { turnsOf } from '../../infrastructure/scheduling/turns-by-key.ts';
import type { PlatformId, SnapshotId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { settled } from '../settled.ts';
import { type AtRestDeps, atRest } from './at-rest.ts';
import { LeftHalfway, type SnapshotRow, snapshotColumns } from './fill.ts';
import { type GoBackDeps, goBack } from './go-back.ts';
import { dropSnapshot, keepRows } from './kept-rows.ts';
import type { Present } from './present-streams.ts';
import { isHalfway, sharedSince, tooLarge, tooMany, wentBack } from './refusals.ts';

/** Of one platform. */
export const snapshotsMax = 20;
/** Events of a platform that a snapshot can be taken of. */
export const eventsMax = 50_000;
/** Of one platform, and in one process, that are under way or wait. */
const waitingMax = { ofOneMax: 4, inAllMax: 64 };

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
  /** A way back that fails is not tried again: the next start sees it through. */
  readonly stop: () => void;
};

type Deps = AtRestDeps & Omit<GoBackDeps, 'stopping'>;

export function createPlatformSnapshots(given: Deps): PlatformSnapshots {
  const { pool, moved } = given;
  const stopping = new AbortController();
  const deps = { ...given, stopping: stopping.signal };
  /** Of these there is a part of what the snapshot has. */
  const halfway = new Set<PlatformId>();
  const inTurn = turnsOf<PlatformId>({ ...waitingMax, refusal: tooMany });

  return {
    take: (platformId, named) =>
      inTurn(platformId, async () => {
        const before = await find(pool, platformId, named.id);
        if (before) return shown(before);
        await requireRoom(pool, platformId);
        await atRest(deps, { platformId, since: 0n }, (present) =>
          keep(deps, { ...named, platformId }, present),
        );
        const row = await find(pool, platformId, named.id);
        if (!row) throw new Error(`snapshot ${named.id} is gone`);
        return shown(row);
      }),
    async list(platformId) {
      // Without the lists of streams, which may be long.
      const { rows } = await pool.query<Omit<SnapshotRow, 'streams'>>(
        `select id, platform_id, name, position, events, created_at from sandbox_snapshots
         where platform_id = $1 order by created_at, id`,
        [platformId],
      );
      return rows.map(shown);
    },
    remove: (platformId, id) => inTransaction(pool, (client) => dropSnapshot(client, { id, platformId })),
    restore: (platformId, id, cause) =>
      inTurn(platformId, async () => {
        const row = await find(pool, platformId, id);
        if (!row) return undefined;
        await requireOwnToken(pool, id, cause.actor);
        try {
          const isBack = await atRest(deps, { platformId, since: row.position }, async (present) => {
            if (present.sharedWith.size > 0) throw sharedSince(row);
            return goBack(deps, { row, present, cause }, () => halfway.add(platformId));
          });
          if (!isBack) return undefined;
          await settled(deps);
        } catch (error) {
          // It is left to the next start.
          if (error instanceof LeftHalfway) throw isHalfway();
          halfway.delete(platformId);
          throw error;
        }
        halfway.delete(platformId);
        return shown(row);
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
    stop: () => stopping.abort(),
  };
}

const shown = ({ id, name, events, created_at: createdAt }: Omit<SnapshotRow, 'streams'>): Snapshot => ({
  id,
  name: name ?? undefined,
  events,
  createdAt,
});

async function find(pool: Pool, platformId: PlatformId, id: SnapshotId): Promise<SnapshotRow | undefined> {
  const { rows } = await pool.query<SnapshotRow>(
    `select ${snapshotColumns} from sandbox_snapshots where platform_id = $1 and id = $2`,
    [platformId, id],
  );
  return rows[0];
}

type KeepDeps = Pick<Deps, 'pool' | 'moved' | 'installationNow'>;

async function keep(
  { pool, moved, installationNow }: KeepDeps,
  { id, platformId, name }: Pick<Snapshot, 'id' | 'name'> & { readonly platformId: PlatformId },
  at: Present,
): Promise<void> {
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
