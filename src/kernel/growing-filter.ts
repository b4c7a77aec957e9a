/**
 * Which of many keys have been seen, in memory that grows with them up to a bound: filters one after the other, each of
 * twice the size of the one before. Past the bound every key may have been seen.
 */
import { hasBits, hashOf, setBits } from './key-filter.ts';

const smallestLog2 = 14;
const largestLog2 = 20;
/** One key in some 20,000 is mistaken for another by a filter that is full. */
const bitsForKey = 24;
const probes = 8;
/** More than so many bytes one of them never takes. */
export const filterBytesMax = 8 * 1024 * 1024;

/** One filter, and how many keys were added to it. */
export type FilterPart = {
  readonly n: number;
  readonly keys: number;
  readonly words: Uint32Array<ArrayBuffer>;
};

type Part = { readonly words: Uint32Array<ArrayBuffer>; keys: number };

const log2Of = (n: number) => Math.min(smallestLog2 + n, largestLog2);
const bitsOf = ({ words }: Part) => words.length * 32;

const hasRoom = (part: Part | undefined): boolean =>
  part !== undefined && (part.keys + 1) * bitsForKey <= bitsOf(part);

/** Of keys that are added and never taken out, so that versions can share it. */
export class GrowingFilter {
  readonly #parts: Part[] = [];
  #bytes = 0;
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
    if (this.#isFull()) return;
    const part = this.#room();
    // The same keys come again where they could not be saved.
    if (!setBits(part.words, hashOf(key), probes)) part.keys += 1;
  }

  mayHave(key: string): boolean {
    if (this.#isFull()) return true;
    const hashed = hashOf(key);
    return this.#parts.some(({ words }) => hasBits(words, hashed, probes));
  }

  /** What has changed since `saved` was last called. */
  unsaved(): readonly FilterPart[] {
    const from = this.#unsavedFrom;
    return this.#parts.slice(from).map(({ keys, words }, i) => ({ n: from + i, keys, words }));
  }

  saved(): void {
    this.#unsavedFrom = Math.max(0, this.#parts.length - 1);
  }

  /** From then on keys are in no part. It shows by the parts alone, so also after they were stored. */
  #isFull(): boolean {
    const isLast = this.#bytes + 2 ** (log2Of(this.#parts.length) - 3) > filterBytesMax;
    return isLast && !hasRoom(this.#parts.at(-1));
  }

  #room(): Part {
    const last = this.#parts.at(-1);
    return last && hasRoom(last) ? last : this.#open();
  }

  #open(words?: Uint32Array<ArrayBuffer>): Part {
    const part = { words: words ?? new Uint32Array(2 ** (log2Of(this.#parts.length) - 5)), keys: 0 };
    this.#parts.push(part);
    this.#bytes += part.words.byteLength;
    return part;
  }
}
