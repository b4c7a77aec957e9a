/**
 * Which entries an account has booked, so that a repeated command books nothing. Each version is immutable to its
 * holders; versions share one map, in which an entry counts only for the versions made after it. Adding to the
 * newest version takes constant time.
 */
export class EntryIndex {
  static readonly empty = new EntryIndex(new Map(), 0);
  readonly #entries: Map<string, { readonly n: number; readonly by: string }>;
  readonly size: number;

  private constructor(entries: Map<string, { readonly n: number; readonly by: string }>, size: number) {
    this.#entries = entries;
    this.size = size;
  }

  /** Who booked the entry, or `undefined` when it is not booked. */
  bookedBy(entryId: string): string | undefined {
    const entry = this.#entries.get(entryId);
    return entry && entry.n <= this.size ? entry.by : undefined;
  }

  /** The version that also holds `entryId`. */
  with(entryId: string, by: string): EntryIndex {
    if (this.bookedBy(entryId) !== undefined) return this;
    const newest = this.#entries.size === this.size && this.size > 0;
    const entries = newest
      ? this.#entries
      : new Map([...this.#entries].filter(([, { n }]) => n <= this.size));
    entries.set(entryId, { n: this.size + 1, by });
    return new EntryIndex(entries, this.size + 1);
  }
}
