/** The platforms of a sandbox that were put back to a snapshot, all of them in one stream. */
import type { Decider } from '../../kernel/decider.ts';
import { derivedUuid, type PlatformId, type SnapshotId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { RestorationEvent } from './events.ts';

/** Streams of a log that may go on elsewhere, but for late ones: every process keeps their names in memory. */
export const movedStreamsMax = 200_000;

export type RestorationCommand = {
  readonly type: 'RestorePlatformState';
  readonly platformId: PlatformId;
  readonly snapshotId: SnapshotId;
  /** Which of the platform's ways back this is, from 1 on: it is recorded once. */
  readonly generation: number;
  /** Those that no restoration has named before. */
  readonly streams: readonly string[];
  /** The platform is halfway, and comes all the way however many streams there are. */
  readonly isLate?: boolean;
  readonly at: Date;
};

export type Restorations = {
  readonly generations: ReadonlyMap<PlatformId, number>;
  readonly streams: number;
};

export const restorations: Decider<Restorations, RestorationCommand, RestorationEvent> = {
  initial: { generations: new Map(), streams: 0 },

  decide({ platformId, snapshotId, generation, streams, isLate, at }, state) {
    if ((state.generations.get(platformId) ?? 0) >= generation) return [];
    if (!isLate && state.streams + streams.length > movedStreamsMax)
      throw new Rejected(
        'CONFLICT',
        `The platforms of this sandbox have restored ${movedStreamsMax} objects, which is as many as it keeps. Start one with an empty data directory.`,
        { maximum: movedStreamsMax },
      );
    return [
      {
        type: 'PlatformStateRestored',
        data: { platformId, snapshotId, generation, streams: [...streams], at },
      },
    ];
  },

  evolve({ generations, streams }, { data }) {
    return {
      generations: new Map([...generations, [data.platformId, data.generation]]),
      streams: streams + data.streams.length,
    };
  },
};

/** A log has one stream of them. */
export const restorationsStream = derivedUuid('restorations');
