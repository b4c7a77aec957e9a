/** Which keys have been seen, in memory that does not grow. */
export type KeyFilter = {
  /** Returns what `mayHave` would have said just before. */
  add(key: string): boolean;
  /** `false` when the key was certainly never added. The more keys there are, the more often it is `true` by mistake. */
  mayHave(key: string): boolean;
};

/** A key, as filters of any size look for it. */
export type Hashed = { readonly hash: number; readonly step: number };

const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;
/** Bits for a key: with 2^27 bits, ten million keys are mistaken for one another once in 200 times. */
const usualProbes = 4;

export function hashOf(key: string): Hashed {
  let hash = offsetBasis;
  let step = prime;
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    hash = Math.imul(hash ^ code, prime);
    step = Math.imul(step + code, 0x9e3779b1) ^ (step >>> 15);
  }
  return { hash, step: step | 1 };
}

/** Whether all bits of the key are set. The words are a power of two of them. */
export function hasBits(words: Uint32Array, { hash, step }: Hashed, probes: number): boolean {
  const mask = words.length * 32 - 1;
  for (let probe = 0, at = hash; probe < probes; probe++, at = (at + step) | 0) {
    const place = (at ^ (at >>> 15)) & mask;
    if (((words[place >>> 5] ?? 0) & (1 << (place & 31))) === 0) return false;
  }
  return true;
}

/** Returns whether all of them were set. */
export function setBits(words: Uint32Array, { hash, step }: Hashed, probes: number): boolean {
  const mask = words.length * 32 - 1;
  let isKnown = true;
  for (let probe = 0, at = hash; probe < probes; probe++, at = (at + step) | 0) {
    const place = (at ^ (at >>> 15)) & mask;
    const before = words[place >>> 5] ?? 0;
    const bit = 1 << (place & 31);
    isKnown &&= (before & bit) !== 0;
    words[place >>> 5] = before | bit;
  }
  return isKnown;
}

/** A Bloom filter of `2 ** bitsLog2` bits. */
export function keyFilter(bitsLog2 = 27): KeyFilter {
  const words = new Uint32Array(2 ** (bitsLog2 - 5));
  return {
    add: (key) => setBits(words, hashOf(key), usualProbes),
    mayHave: (key) => hasBits(words, hashOf(key), usualProbes),
  };
}
