/**
 * Runs the work for one item after the other, each once that of the one before has ended. Nothing is to be waited for
 * where no work takes time.
 */
export function inTurn<Item>(
  items: readonly Item[],
  work: (item: Item, n: number) => Promise<void> | void,
  from = 0,
): Promise<void> | undefined {
  for (let n = from; n < items.length; n++) {
    const working = work(items[n] as Item, n);
    if (working) return n + 1 < items.length ? working.then(() => inTurn(items, work, n + 1)) : working;
  }
  return undefined;
}
