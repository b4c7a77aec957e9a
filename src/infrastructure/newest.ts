/**
 * Hands over the newest of what it is given: at once, and then at most every `ms`. What was overtaken in between is
 * dropped. `work` must not throw.
 */
export function newestEvery<Item>(ms: number, work: (item: Item) => Promise<unknown>) {
  let waiting: { readonly item: Item } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let done: Promise<unknown> = Promise.resolve();
  const next = () => {
    timer = undefined;
    if (!waiting) return;
    const { item } = waiting;
    waiting = undefined;
    timer = setTimeout(next, ms);
    done = work(item);
  };
  return {
    give(item: Item): void {
      waiting = { item };
      if (!timer) next();
    },
    /** Hands over what is waiting, and resolves when that is done. What is given later is handed over as at first. */
    async close(): Promise<void> {
      clearTimeout(timer);
      next();
      clearTimeout(timer);
      timer = undefined;
      await done;
    },
  };
}
