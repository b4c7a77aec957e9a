import type { StoredEvent } from '../event-store.ts';

/** Events that are kept for followers in the same process. */
export const keptMax = 4_000;
/** And as many bytes of them, as JSON. */
export const keptBytesMax = 16 * 1024 * 1024;
/** Counted for an event that was read: about what one has. */
const readBytes = 1_024;
/** So many that everybody has seen are forgotten together. */
const forgottenTogether = 100;

/** One who follows the log in this process. */
export type Follower = {
  /**
   * What is kept of the events after a position up to which it has come, in order, among those at the next so many
   * positions. Only the database knows what lies between.
   */
  after(position: bigint, most: number): readonly StoredEvent[];
  /** It follows no more. */
  leave(): void;
};

/**
 * The newest events of the log as far as this process knows them, with gaps where only others do: what it has added
 * itself, and what one who follows it here has read, for those who have yet to come so far.
 */
export type Recent = {
  /** What this process has added to the log. `bytes` is their length as JSON. */
  add(events: readonly StoredEvent[], bytes: number): void;
  /** What a follower has read, or has found here. Returns whether it was not known that the log goes so far. */
  learn(events: readonly StoredEvent[], by: Follower): boolean;
  /** Somebody has added events up to a position. Returns whether that was not known. */
  hear(position: bigint): boolean;
  /** The last position that this process has heard of. */
  newest(): bigint;
  /** Nothing is kept: everybody reads. */
  forget(): void;
  follow(): Follower;
};

export function keepRecent(): Recent {
  const reached = new Map<Follower, bigint>();
  let kept: StoredEvent[] = [];
  let keptBytes = 0;
  let newest = 0n;

  const keepNewest = (count: number) => {
    keptBytes *= count / Math.max(kept.length, 1);
    kept = count === 0 ? [] : kept.slice(-count);
  };
  const keep = (events: readonly StoredEvent[], at: number, bytes: number) => {
    if (keptBytes + bytes > keptBytesMax) keepNewest(0);
    if (at >= kept.length) kept.push(...events);
    else kept.splice(at, 0, ...events);
    keptBytes += bytes;
    if (kept.length > 2 * keptMax) keepNewest(keptMax);
  };
  /**
   * Those that follow each other in the log, at their place: a follower may read what this process has added, and what
   * others have added after it, before the process hears that it has.
   */
  const insert = (events: readonly StoredEvent[], first: bigint, last: bigint, bytesOfEach: number) => {
    const from = countUpTo(kept, first - 1n);
    const there = countUpTo(kept, last) - from;
    if (there === events.length) return;
    kept.splice(from, there);
    keep(events, from, (events.length - there) * bytesOfEach);
  };
  const forgetSeen = () => {
    let slowest = newest;
    for (const position of reached.values()) if (position < slowest) slowest = position;
    const seen = countUpTo(kept, slowest);
    if (seen >= forgottenTogether) keepNewest(kept.length - seen);
  };
  const hear = (position: bigint) => {
    if (position <= newest) return false;
    newest = position;
    return true;
  };
  /** Whether somebody else will ask for what ends there: who is far behind reads on by itself. */
  const isWanted = (last: bigint, by: Follower) =>
    reached.entries().some(([one, position]) => one !== by && position < last && last - position <= keptMax);

  return {
    add(events, bytes) {
      const [first, last] = [events[0], events.at(-1)];
      if (!first || !last) return;
      if (reached.size > 0) insert(events, first.position, last.position, bytes / events.length);
      hear(last.position);
      forgetSeen();
    },
    learn(events, by) {
      const [first, last] = [events[0], events.at(-1)];
      if (!first || !last) return false;
      const isNews = hear(last.position);
      if (!isWanted(last.position, by)) return isNews;
      insert(events, first.position, last.position, readBytes);
      forgetSeen();
      return isNews;
    },
    hear,
    newest: () => newest,
    forget: () => keepNewest(0),
    follow() {
      const follower: Follower = {
        after(position, most) {
          reached.set(follower, position);
          return kept.slice(countUpTo(kept, position), countUpTo(kept, position + BigInt(most)));
        },
        leave: () => void reached.delete(follower),
      };
      return follower;
    },
  };
}

/** How many of the events, which are in order, lie at or before a position. */
function countUpTo(events: readonly StoredEvent[], position: bigint): number {
  let [from, to] = [0, events.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((events[middle]?.position ?? position) <= position) from = middle + 1;
    else to = middle;
  }
  return from;
}
