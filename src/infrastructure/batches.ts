/**
 * What arrives while a batch is under way makes the next one: at most one batch at a time, of at most `most` items.
 * `work` must settle every item itself and not throw.
 */
export function inBatches<Item>(
  most: number,
  work: (items: readonly Item[]) => Promise<void>,
): (item: Item) => void {
  const waiting: Item[] = [];
  let busy = false;
  const drain = async () => {
    busy = true;
    while (waiting.length > 0) await work(waiting.splice(0, most));
    busy = false;
  };
  return (item) => {
    waiting.push(item);
    // The others of this turn of the event loop travel with it.
    if (!busy) {
      busy = true;
      queueMicrotask(() => void drain());
    }
  };
}
