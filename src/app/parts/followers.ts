/**
 * Who follows the log, how far each is behind, and who has stood still with work to do, or has come farther than it goes.
 */
import type { ReadDb } from '../../../projections/database.ts';
import {
  loadCheckpoints,
  projectionsCheckpoint,
  reactionsCheckpoint,
} from '../../../projections/kept/checkpoints.ts';
import type { EventStore } from '../../infrastructure/event-store/event-store.ts';

/** By the checkpoint that each moves: webhooks are rendered into the outbox with the rows of the read models. */
const checkpointOf = {
  projections: projectionsCheckpoint,
  outbox: projectionsCheckpoint,
  reactions: reactionsCheckpoint,
} as const;
type Name = keyof typeof checkpointOf;

/** One that has not moved for so long, and had something to do all the time, follows no more. */
const stillMaxMs = 10_000;

export type Follower = {
  readonly name: Name;
  readonly position: bigint;
  /** In positions of the log: events where it is in Postgres, bytes where it is in EventStoreDB. */
  readonly behind: bigint;
  /** How long it has had something to do, and has not moved. */
  readonly stillMs: number;
  readonly isStuck: boolean;
};

export type Followers = {
  /** Looks where they are: to be called again and again. */
  readonly look: () => Promise<void>;
  /** As they were at the last look. */
  readonly all: () => readonly Follower[];
};

type Deps = {
  readonly readDb: ReadDb;
  readonly store: Pick<EventStore, 'last'>;
  readonly nowMs?: () => number;
};

type Seen = { readonly position: bigint; readonly end: bigint; readonly since: number };

export function watchFollowers({ readDb, store, nowMs = () => performance.now() }: Deps): Followers {
  const seen = new Map<Name, Seen>();
  const names = Object.keys(checkpointOf) as Name[];
  /** What was seen before counts only as long as it could be looked at all the time. */
  const lookOnce = async () => {
    const [places, end] = [await loadCheckpoints(readDb), await store.last()];
    const now = nowMs();
    for (const name of names) {
      const position = places.get(checkpointOf[name]) ?? 0n;
      const before = seen.get(name);
      const stands = before && before.position === position && position < before.end;
      seen.set(name, { position, end, since: stands ? before.since : now });
    }
  };
  return {
    look: () =>
      lookOnce().catch((error) => {
        const now = nowMs();
        for (const [name, before] of seen) seen.set(name, { ...before, since: now });
        throw error;
      }),
    all: () =>
      [...seen].map(([name, { position, end, since }]) => {
        const behind = end > position ? end - position : 0n;
        const stillMs = behind > 0n ? nowMs() - since : 0;
        // The log was set back under it: what is added next it would pass over.
        const isBeyond = position > end;
        return { name, position, behind, stillMs, isStuck: isBeyond || stillMs >= stillMaxMs };
      }),
  };
}
