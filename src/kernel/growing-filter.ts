/**
 * Which of many keys have been seen, in memory that grows with them up to a bound: filters one after the other, each of
 * twice the size of the one before. Past the bound every key may have been seen.
 */
import { type KeyFilter, keyFilter } from './key-filter.ts';

const smallestLog2 = 14;
const largestLog2 = 20;
/** One key in some 400 is mistaken for another by a filter that is full. */
const bitsForKey = 16;
/** More than so many bytes one of them never takes. */
export const filterBytesMax = 4 * 1024 * 1024;

/** One filter, and how many keys were added to it. */
export type FilterPart = {
  readonly n: number;
  readonly keys: number;
  readonly words: Uint32Array<ArrayBuffer>;
};

type Part = { readonly log2: number; readonly filter: KeyFilter; keys: number };

const log2Of = (n: number) => Math.min(smallestLog2 + n, largestLog2);
const capacityOf = (log2: number) => 2 ** log2 / bitsForKey;

/** Of keys that are added and never taken out, so that versions can share it. */
export class GrowingFilter {
  readonly #parts: Part[] = [];
  #bytes = 0;
  #isFull = false;
  #unsavedFrom = 0;

  /** Throws `RangeError` for parts that do not belong together. */
  static of(parts: readonly FilterPart[]): GrowingFilter {
    const whole = new GrowingFilter();
    for (const [n, { n: own, keys, words }] of parts.entries()) {
      if (own !== n || words.length !== 2 ** (log2Of(n) - 5))
        throw new RangeError('not the parts of a filter');
      whole.#open(words).keys = keys;
    }
    whole.#unsavedFrom = Math.max(0, parts.length - 1);
    return whole;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get parts(): number {
    return this.#parts.length;
  }

  add(key: string): void {
    const part = this.#isFull ? undefined : this.#room();
    if (!part) return;
    part.filter.add(key);
    part.keys += 1;
  }

  mayHave(key: string): boolean {
    return this.#isFull || this.#parts.some(({ filter }) => filter.mayHave(key));
  }

  /** What has changed since `saved` was last called. */
  unsaved(): readonly FilterPart[] {
    const from = this.#unsavedFrom;
    return this.#parts.slice(from).map(({ keys, filter: { words } }, i) => ({ n: from + i, keys, words }));
  }

  saved(): void {
    this.#unsavedFrom = Math.max(0, this.#parts.length - 1);
  }

  #room(): Part | undefined {
    const last = this.#parts.at(-1);
    if (last && last.keys < capacityOf(last.log2)) return last;
    if (this.#bytes + 2 ** (log2Of(this.#parts.length) - 3) <= filterBytesMax) return this.#open();
    this.#isFull = true;
    return undefined;
  }

  #open(words?: Uint32Array<ArrayBuffer>): Part {
    const log2 = log2Of(this.#parts.length);
    const part = { log2, filter: keyFilter(log2, words), keys: 0 };
    this.#parts.push(part);
    this.#bytes += 2 ** (log2 - 3);
    return part;
  }
}
