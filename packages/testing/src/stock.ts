/** What takes a moment to make is made before somebody asks for it. */

export type Stock<Thing> = {
  /** Throws once it is closed. */
  take(): Promise<Thing>;
  /** Resolves when nothing is being made any more. */
  close(): Promise<void>;
};

/** Keeps as many ahead. What cannot be made is told to who takes it. */
export function stockOf<Thing>(make: () => Promise<Thing>, ahead: number): Stock<Thing> {
  const ready: Promise<Thing>[] = [];
  /** Those that somebody has taken meanwhile too. */
  const making = new Set<Promise<Thing>>();
  let isClosed = false;
  const begin = () => {
    const next = make();
    making.add(next);
    const end = () => void making.delete(next);
    next.then(end, end);
    return next;
  };
  const fill = () => {
    while (ready.length < ahead) ready.push(begin());
  };
  const take = async () => {
    if (isClosed) throw new Error('there are no more platforms: the service was stopped');
    const first = ready.shift() ?? begin();
    fill();
    return first;
  };
  fill();
  return {
    take,
    async close() {
      isClosed = true;
      await Promise.allSettled(making);
    },
  };
}
