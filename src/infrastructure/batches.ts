import { setTimeout as sleep } from 'node:timers/promises';

/** So long those who come next are waited for, where there are many. */
export const gatherMs = 2;
/** One request alone makes batches of a few. */
export const isMany = (size: number): boolean => size > 4;

/**
 * What arrives while a batch is under way makes the next one: at most one batch at a time, of at most `most` items.
 * After a batch of many the next waits a moment for more: it costs hardly more than a small one. `work` must settle every
 * item itself and not throw.
 */
export function inBatches<Item>(
  most: number,
  work: (items: readonly Item[]) => Promise<void>,
): (item: Item) => void {
  const waiting: Item[] = [];
  let busy = false;
  const drain = async () => {
    while (waiting.length > 0) {
      const items = waiting.splice(0, most);
      await work(items);
      if (isMany(items.length) && waiting.length < most) await sleep(gatherMs);
    }
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
