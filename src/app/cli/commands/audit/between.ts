/** What the events between two moments of the log come to. */

import { postingsOf } from '../../../../domain/books/postings.ts';
import type { StoredEvent } from '../../../../infrastructure/event-store/event-store.ts';

export type Moved = {
  readonly currency: string;
  /** Into accounts of any kind, in minor units: as much left others. */
  readonly minor: bigint;
  readonly entries: number;
};

export type Between = {
  readonly events: number;
  /**
   * Of these the ones that a platform of a sandbox goes on with after it was put back to a snapshot. They are in nothing
   * of what follows: nothing has happened a second time.
   */
  readonly copies: number;
  /** When the first and the last of them were recorded. */
  readonly firstAt: string | undefined;
  readonly lastAt: string | undefined;
  /** How many there are of each type, by its name. */
  readonly types: Readonly<Record<string, number>>;
  /** Streams that they belong to, and of these the ones that begin with them. */
  readonly streams: number;
  readonly newStreams: number;
  /** By currency. */
  readonly moved: readonly Moved[];
};

/** Counts events, in the order of the log. */
export function counting() {
  const types = new Map<string, number>();
  const streams = new Set<string>();
  const moved = new Map<string, { minor: bigint; entries: number }>();
  let [events, copies, newStreams] = [0, 0, 0];
  let [firstAt, lastAt]: (string | undefined)[] = [];

  const addMoney = (event: StoredEvent) => {
    const currencies = new Set<string>();
    for (const { currency, minor: stored } of postingsOf(event)) {
      // The log has amounts as text.
      const minor = BigInt(stored);
      const sum = moved.get(currency) ?? { minor: 0n, entries: 0 };
      if (minor > 0n) sum.minor += minor;
      if (!currencies.has(currency)) sum.entries += 1;
      currencies.add(currency);
      moved.set(currency, sum);
    }
  };

  return {
    add(event: StoredEvent): void {
      const { type, stream, revision, metadata } = event;
      events += 1;
      if (metadata.copyOf !== undefined) {
        copies += 1;
        return;
      }
      firstAt ??= metadata.at;
      lastAt = metadata.at;
      types.set(type, (types.get(type) ?? 0) + 1);
      streams.add(stream);
      if (revision === 0) newStreams += 1;
      addMoney(event);
    },
    result: (): Between => ({
      events,
      copies,
      firstAt,
      lastAt,
      types: Object.fromEntries([...types].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      streams: streams.size,
      newStreams,
      moved: [...moved]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([currency, { minor, entries }]) => ({ currency, minor, entries })),
    }),
  };
}
