/** The way back to a snapshot, from which nobody turns round: once the log has it, the platform comes all the way. */
import { restorationsStream } from '../../domain/restorations/restorations.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { whateverTheTime } from '../../infrastructure/deadlines/deadline.ts';
import { AppendTooLarge } from '../../infrastructure/event-store/event-store.ts';
import type { Log } from '../../infrastructure/observe/log.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { type FillDeps, fill, type SnapshotRow, whateverComes } from './fill.ts';
import type { Present } from './present-streams.ts';
import { tooManyObjects } from './refusals.ts';

export type GoBackDeps = FillDeps & {
  readonly log: Log;
  /** Of the process. */
  readonly stopping: AbortSignal;
  /** What this process remembers of rows that were put back is forgotten. */
  readonly forget: (platformId: PlatformId) => Promise<void>;
};

type Asked = { readonly row: SnapshotRow; readonly present: Present; readonly cause: Cause };

/**
 * What comes after it in the log has happened to the platform as it was then. Returns whether it was there still.
 * `halfway` is told each time that there is only a part of what the snapshot has.
 */
export async function goBack(
  deps: GoBackDeps,
  { row, present, cause }: Asked,
  halfway: () => void,
): Promise<boolean> {
  const { pool, moved, commands, log, installationNow, forget, stopping } = deps;
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
      await commands.run('restorations', restorationsStream, command, cause).catch((error: unknown) => {
        // However often it is asked, and nothing of it is there.
        throw error instanceof AppendTooLarge ? tooManyObjects(streams.length) : error;
      });
      await moved.readMoves();
    }
    await whateverTheTime(() => fill(deps, row, present.until));
    await forget(platformId);
  };
  let mayHaveBegun = false;
  const failed = (err: unknown) => {
    mayHaveBegun = true;
    halfway();
    log.error({ err, ...way }, 'a platform is halfway back to a snapshot; trying again');
  };
  // Nobody turns round on the way, whatever is refused there.
  const isFinal = (error: unknown) => error instanceof Rejected && moved.generationOf(platformId) < next;
  try {
    await whateverComes(goOn, { stopping, isFinal, failed });
  } catch (error) {
    // The log refused it at once: nobody is on the way, and the snapshot may be taken away again.
    if (isFinal(error) && !mayHaveBegun)
      await pool.query('update sandbox_snapshots set restoring = null where id = $1', [id]);
    throw error;
  }
  return true;
}
