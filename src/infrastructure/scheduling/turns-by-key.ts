/** Work that is done one after the other for each key, while others wait for it: so many at most. */
export type TakeTurn<Key> = <Result>(key: Key, work: () => Promise<Result>) => Promise<Result>;

type Bounds = {
  /** Of one key, with the one that is under way. */
  readonly ofOneMax: number;
  readonly inAllMax: number;
  /** What one too many is refused with. */
  readonly refusal: () => Error;
};

/** Work that fails holds up nothing after it. */
export function turnsOf<Key>({ ofOneMax, inAllMax, refusal }: Bounds): TakeTurn<Key> {
  const lines = new Map<Key, { last: Promise<unknown>; count: number }>();
  let inAll = 0;
  return async (key, work) => {
    const line = lines.get(key) ?? { last: Promise.resolve(), count: 0 };
    if (line.count >= ofOneMax || inAll >= inAllMax) throw refusal();
    lines.set(key, line);
    line.count += 1;
    inAll += 1;
    const mine = line.last.then(work);
    line.last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      inAll -= 1;
      line.count -= 1;
      if (line.count === 0) lines.delete(key);
    }
  };
}
