/**
 * Hands over the newest of what it is given: at once, and then at most every `ms`, and never before the last has been
 * dealt with. What was overtaken in between is dropped. `work` must not throw.
 */
export function newestEvery<Item>(ms: number, work: (item: Item) => Promise<unknown>) {
  let waiting: { readonly item: Item } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const next = () => {
    if (!waiting || running || timer) return;
    const { item } = waiting;
    waiting = undefined;
    timer = setTimeout(() => {
      timer = undefined;
      next();
    }, ms);
    running = work(item).then(() => {
      running = undefined;
      next();
    });
  };
  const rest = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    give(item: Item): void {
      waiting = { item };
      next();
    },
    /** Hands over what is waiting, and resolves when that is done. What is given later is handed over as at first. */
    async close(): Promise<void> {
      rest();
      while (waiting || running) {
        next();
        await running;
        rest();
      }
    },
  };
}
