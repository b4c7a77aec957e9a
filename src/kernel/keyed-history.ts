/**
 * Values by key that a stream has written down over its life, of which the newest are in memory: those since its last
 * closing of the books, and those that have to stay. What lies before the closing is looked up where it is asked for,
 * and the filter tells what need not be. Each version is immutable to its holders; versions share one map, in which a
 * value counts only for the versions made after it. Writing to the newest version takes constant time.
 */
import type { GrowingFilter } from './growing-filter.ts';

/** A closing of the books. */
export type Closed = {
  /** Of the last event before it, and that event's id. */
  readonly revision: number;
  readonly eventId: string;
  /** Values that were written up to it. */
  readonly count: number;
  /** Has all keys that were written up to it. */
  readonly filter: GrowingFilter;
};

type Written<Value> = { readonly n: number; readonly value: Value };
type Shared<Value> = { readonly values: Map<string, Written<Value>[]>; newest: number };

export class KeyedHistory<Value> {
  readonly #shared: Shared<Value>;
  /** How many values have been written from the beginning of the stream, up to this version. */
  readonly count: number;
  readonly closed: Closed | undefined;
  readonly #recalled: ReadonlyMap<string, Value | undefined>;

  private constructor(
    shared: Shared<Value>,
    count: number,
    closed: Closed | undefined,
    recalled: ReadonlyMap<string, Value | undefined> = new Map(),
  ) {
    this.#shared = shared;
    this.count = count;
    this.closed = closed;
    this.#recalled = recalled;
  }

  static empty<Value>(): KeyedHistory<Value> {
    return new KeyedHistory<Value>({ values: new Map(), newest: 0 }, 0, undefined);
  }

  /** As it was right after a closing: with the values that stay. */
  static after<Value>(closed: Closed, stays: readonly (readonly [string, Value])[]): KeyedHistory<Value> {
    const n = closed.count;
    const values = new Map(stays.map(([key, value]) => [key, [{ n, value }]]));
    return new KeyedHistory<Value>({ values, newest: n }, n, closed);
  }

  /** Keys in memory, those of newer versions included. */
  get size(): number {
    return this.#shared.values.size + this.#recalled.size;
  }

  /** About how many it takes, where each value takes so many. */
  bytes(valueBytes: number): number {
    return this.size * valueBytes + (this.closed?.filter.bytes ?? 0);
  }

  /** What was written last for a key; not what lies before the closing and has not been recalled. */
  get(key: string): Value | undefined {
    return this.#written(key)?.value ?? this.#recalled.get(key);
  }

  /** Whether a value may have been written for a key that only its closings know. */
  isUnknown(key: string): boolean {
    if (!this.closed || this.#written(key) || this.#recalled.has(key)) return false;
    return this.closed.filter.mayHave(key);
  }

  /** The version in which this value is the last for the key. */
  with(key: string, value: Value): KeyedHistory<Value> {
    const shared = this.#shared.newest === this.count ? this.#shared : this.#copy();
    const n = this.count + 1;
    const versions = shared.values.get(key);
    if (versions) versions.push({ n, value });
    else shared.values.set(key, [{ n, value }]);
    shared.newest = n;
    return new KeyedHistory(shared, n, this.closed, this.#recalled);
  }

  /** With what was looked up of keys that were unknown; `undefined` for what was never written. */
  recalling(found: ReadonlyMap<string, Value | undefined>): KeyedHistory<Value> {
    const recalled = new Map([...this.#recalled, ...found]);
    return new KeyedHistory(this.#shared, this.count, this.closed, recalled);
  }

  /** Without what was recalled. */
  settled(): KeyedHistory<Value> {
    return this.#recalled.size === 0 ? this : new KeyedHistory(this.#shared, this.count, this.closed);
  }

  /** What is in memory of this version, in the order in which its keys came. */
  all(): readonly (readonly [string, Value])[] {
    return this.#entries().map(([key, { value }]) => [key, value]);
  }

  /** What was written since the last closing. */
  since(): readonly (readonly [string, Value])[] {
    const before = this.closed?.count ?? 0;
    return this.#entries().flatMap(([key, { n, value }]) => (n > before ? [[key, value] as const] : []));
  }

  /** The same after a closing at or before it: without what the closing has, but for what stays. */
  after(closed: Closed, stays: (value: Value) => boolean): KeyedHistory<Value> {
    const kept = this.#entries().filter(([, { n, value }]) => n > closed.count || stays(value));
    const values = new Map(kept.map(([key, written]) => [key, [written]]));
    return new KeyedHistory<Value>({ values, newest: this.count }, this.count, closed);
  }

  #written(key: string): Written<Value> | undefined {
    return this.#shared.values.get(key)?.findLast(({ n }) => n <= this.count);
  }

  #entries(): readonly (readonly [string, Written<Value>])[] {
    return [...this.#shared.values.keys()].flatMap((key) => {
      const written = this.#written(key);
      return written ? [[key, written] as const] : [];
    });
  }

  #copy(): Shared<Value> {
    const values = new Map(this.#entries().map(([key, written]) => [key, [written]]));
    return { values, newest: this.count };
  }
}
