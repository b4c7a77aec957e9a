/**
 * What is there for a moment, such as requests under way.
 *
 * V8 links each table that a `Map` or `Set` has outgrown to the one after it. A collection of the whole heap moves the
 * table of that moment among what is old; from then on, and until the next such collection, it keeps all later tables,
 * and all that was ever in them: whatever passes through grows old with it. To these no outgrown table is linked for long:
 * they begin anew with what they have.
 */

/** So many entries are added before one begins anew, or as many as it has. */
const addedMin = 32;

/** A `Map` for entries that are soon deleted. Who iterates need not see what is added meanwhile. */
export class PassingMap<Key, Value> {
  #entries = new Map<Key, Value>();
  #left = addedMin;

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  set(key: Key, value: Value): void {
    if (this.#left === 0) this.#beginAnew();
    this.#left -= 1;
    this.#entries.set(key, value);
  }

  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }

  /** In the order in which they were added. */
  values(): MapIterator<Value> {
    return this.#entries.values();
  }

  #beginAnew(): void {
    this.#entries = new Map(this.#entries);
    this.#left = Math.max(addedMin, this.#entries.size);
  }
}

/** A `Set` of the same kind. */
export class PassingSet<Item> {
  readonly #items = new PassingMap<Item, Item>();

  get size(): number {
    return this.#items.size;
  }

  add(item: Item): void {
    this.#items.set(item, item);
  }

  delete(item: Item): boolean {
    return this.#items.delete(item);
  }

  /** In the order in which they were added. */
  values(): MapIterator<Item> {
    return this.#items.values();
  }

  [Symbol.iterator](): MapIterator<Item> {
    return this.#items.values();
  }
}
