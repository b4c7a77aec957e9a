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
  let isClosed = false;
  const add = () => {
    const next = make();
    next.catch(() => undefined);
    ready.push(next);
  };
  const take = async () => {
    if (isClosed) throw new Error('there are no more platforms: the service was stopped');
    const first = ready.shift() ?? make();
    while (ready.length < ahead) add();
    return first;
  };
  while (ready.length < ahead) add();
  return {
    take,
    async close() {
      isClosed = true;
      await Promise.allSettled(ready);
    },
  };
}
