/**
 * Streams that began while their platform went back: what somebody had asked for before comes to the log just before the
 * way back does, and that does not name them. They are named by one more, which leaves them as well.
 */
import { pagesOf } from '../../../projections/projector/rebuild/pages.ts';
import { restorationsStream } from '../../domain/restorations/restorations.ts';
import type { Standing } from '../../infrastructure/event-store/moved-owners.ts';
import type { MovedStreams } from '../../infrastructure/event-store/moved-streams.ts';
import type { PlatformId, SnapshotId } from '../../kernel/ids.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { isOfInstallation } from './present-streams.ts';

export type LateDeps = {
  readonly moved: MovedStreams;
  readonly commands: Commands;
  readonly installationNow: () => Date;
};

type Back = {
  readonly platformId: PlatformId;
  readonly snapshotId: SnapshotId;
  /** All that the platform had up to here has been named. */
  readonly namedUntil: bigint;
};

const pageMax = 1_000;

/** Resolves once the log says of all that the platform had before it went back that it is left. Safe to repeat. */
export async function leaveLateStreams(
  { moved, commands, installationNow }: LateDeps,
  { platformId, snapshotId, namedUntil }: Back,
): Promise<Standing> {
  const cause = { platformId, correlationId: snapshotId, causationId: snapshotId, actor: 'policy' };
  for (let after = namedUntil; ; ) {
    const standing = moved.standingOf(platformId);
    if (!standing) throw new Error(`${platformId} was never put back`);
    const { since, generation } = standing;
    const streams = await lateStreams(moved, platformId, after, since);
    if (streams.length === 0) return standing;
    const way = { platformId, snapshotId, generation: generation + 1, streams, at: installationNow() };
    const command = { type: 'RestorePlatformState', ...way, isLate: true } as const;
    await commands.run('restorations', restorationsStream, command, cause);
    await moved.readMoves();
    after = since;
  }
}

/** What the platform has begun in a stretch of the log and no way back has named. */
async function lateStreams(
  { store, isNamed }: Pick<MovedStreams, 'store' | 'isNamed'>,
  platformId: PlatformId,
  after: bigint,
  until: bigint,
): Promise<readonly string[]> {
  const late = new Set<string>();
  for await (const page of pagesOf(store, { after, until, pageMax }))
    for (const { stream, metadata } of page) {
      if (isOfInstallation(stream) || isNamed(stream)) continue;
      if (metadata.platformId === platformId) late.add(stream);
      else late.delete(stream);
    }
  return [...late];
}
