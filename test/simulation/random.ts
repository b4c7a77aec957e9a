/** Random choices that follow from a seed alone. */
export type Random = {
  /** From 0 to `max` − 1. */
  below(max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T | undefined;
};

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (max: number) => Math.floor(next() * max);
  return { below, chance: (probability) => next() < probability, pick: (list) => list[below(list.length)] };
}
