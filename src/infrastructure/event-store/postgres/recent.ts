import type { StoredEvent } from '../event-store.ts';

/** Events that are kept for followers in the same process. */
export const keptMax = 4_000;
/** And as many bytes of them, as JSON. */
export const keptBytesMax = 16 * 1024 * 1024;
/** So many that everybody has seen are forgotten together. */
const forgottenTogether = 100;

/** One who follows the log in this process. */
export type Follower = {
  /**
   * The events right after the position up to which it has come, at most so many; `undefined` when only the database
   * knows.
   */
  after(position: bigint, most: number): readonly StoredEvent[] | undefined;
  /** It follows no more. */
  leave(): void;
};

/**
 * The newest events that this process has added to the log, as long as nobody else's come between: those that somebody
 * who follows it here has yet to see.
 */
export type Recent = {
  /** `bytes` is their length as JSON. */
  add(events: readonly StoredEvent[], bytes: number): void;
  follow(): Follower;
  /** Whether this process has added the event at a position, and nobody anything since. */
  has(position: bigint): boolean;
};

export function keepRecent(): Recent {
  const reached = new Map<Follower, bigint>();
  let kept: StoredEvent[] = [];
  let keptBytes = 0;
  /** The first and the last position of what was added in one piece. */
  let first = 0n;
  let last = -1n;

  /** The position after which events are kept. */
  const before = () => last - BigInt(kept.length);
  const keepNewest = (count: number) => {
    keptBytes *= count / Math.max(kept.length, 1);
    kept = count === 0 ? [] : kept.slice(-count);
  };
  /** Who is further behind than this goes back reads from the database, until it has come so far. */
  const forgetSeen = () => {
    const start = before();
    let slowest = last;
    for (const position of reached.values()) if (position < slowest) slowest = position;
    if (slowest - start >= forgottenTogether) keepNewest(Number(last - slowest));
  };
  return {
    has: (position) => position >= first && position <= last,
    add(events, bytes) {
      const [next] = events;
      if (!next) return;
      if (last !== next.position - 1n) {
        first = next.position;
        keepNewest(0);
      } else if (keptBytes + bytes > keptBytesMax) keepNewest(0);
      kept.push(...events);
      keptBytes += bytes;
      last = next.position + BigInt(events.length - 1);
      if (kept.length > 2 * keptMax) keepNewest(keptMax);
      forgetSeen();
    },
    follow() {
      const follower: Follower = {
        after(position, most) {
          reached.set(follower, position);
          const start = before();
          if (position < start || position > last) return undefined;
          // Positions have no gaps.
          const skipped = Number(position - start);
          return kept.slice(skipped, skipped + most);
        },
        leave: () => void reached.delete(follower),
      };
      return follower;
    },
  };
}
