import type { StoredEvent } from '../event-store.ts';

/** Events that are kept for followers in the same process. */
export const keptMax = 4_000;
/** And as many bytes of them, as JSON. */
export const keptBytesMax = 16 * 1024 * 1024;

/** The newest events that this process has added to the log, as long as nobody else's come between. */
export type Recent = {
  /** `bytes` is their length as JSON. */
  add(events: readonly StoredEvent[], bytes: number): void;
  /** The events right after a position, at most so many; `undefined` when only the database knows. */
  after(position: bigint, most: number): readonly StoredEvent[] | undefined;
  /** Whether the event at a position is one of these. */
  has(position: bigint): boolean;
};

export function keepRecent(): Recent {
  let kept: StoredEvent[] = [];
  let keptBytes = 0;
  const end = () => kept.at(-1)?.position;
  return {
    has(position) {
      const [first] = kept;
      const last = end();
      return first !== undefined && last !== undefined && position >= first.position && position <= last;
    },
    add(events, bytes) {
      const [first] = events;
      if (!first) return;
      // Who follows and is behind reads what is forgotten from the database.
      if (end() !== first.position - 1n || keptBytes + bytes > keptBytesMax) {
        kept = [];
        keptBytes = 0;
      }
      kept.push(...events);
      keptBytes += bytes;
      if (kept.length > 2 * keptMax) {
        keptBytes *= keptMax / kept.length;
        kept = kept.slice(-keptMax);
      }
    },
    after(position, most) {
      const [first] = kept;
      const last = end();
      if (!first || last === undefined || position < first.position - 1n || position > last) return undefined;
      // Positions have no gaps.
      const start = Number(position + 1n - first.position);
      return kept.slice(start, start + most);
    },
  };
}
