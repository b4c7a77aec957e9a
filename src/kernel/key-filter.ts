/** Which keys have been seen, in memory that does not grow. */
export type KeyFilter = {
  /** Returns what `mayHave` would have said just before. */
  add(key: string): boolean;
  /** `false` when the key was certainly never added. The more keys there are, the more often it is `true` by mistake. */
  mayHave(key: string): boolean;
  /** The bits, which change as keys are added. */
  readonly words: Uint32Array<ArrayBuffer>;
};

const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;
/** Bits for a key: with 2^27 bits, ten million keys are mistaken for one another once in 200 times. */
const probes = 4;

/** A Bloom filter of `2 ** bitsLog2` bits, empty or with the bits of an earlier one of the same size. */
export function keyFilter(bitsLog2 = 27, words = new Uint32Array(2 ** (bitsLog2 - 5))): KeyFilter {
  const mask = 2 ** bitsLog2 - 1;

  /** Calls `visit` with the place of each bit of the key, until it answers `false`. */
  const everyBit = (key: string, visit: (word: number, bit: number) => boolean): boolean => {
    let hash = offsetBasis;
    let step = prime;
    for (let i = 0; i < key.length; i++) {
      const code = key.charCodeAt(i);
      hash = Math.imul(hash ^ code, prime);
      step = Math.imul(step + code, 0x9e3779b1) ^ (step >>> 15);
    }
    for (let probe = 0; probe < probes; probe++) {
      const place = (hash ^ (hash >>> 15)) & mask;
      if (!visit(place >>> 5, 1 << (place & 31))) return false;
      hash = (hash + (step | 1)) | 0;
    }
    return true;
  };
  return {
    words,
    add(key) {
      let isKnown = true;
      everyBit(key, (word, bit) => {
        const before = words[word] ?? 0;
        if ((before & bit) === 0) {
          words[word] = before | bit;
          isKnown = false;
        }
        return true;
      });
      return isKnown;
    },
    mayHave: (key) => everyBit(key, (word, bit) => ((words[word] ?? 0) & bit) !== 0),
  };
}
