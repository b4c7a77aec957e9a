/** What costs much to make and may be a little old: made by one at a time, and kept for a while. */
import { performance } from 'node:perf_hooks';

/** `make` runs once for all who ask while it does, and for those who come within `keptMs` after it. */
export function kept<Value>(keptMs: number, make: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  let until = 0;
  return () => {
    if (value === undefined || performance.now() > until) {
      until = Number.POSITIVE_INFINITY;
      const making = make();
      value = making;
      const settle = (from: number) => {
        until = from;
      };
      making.then(
        () => settle(performance.now() + keptMs),
        () => settle(0),
      );
    }
    return value;
  };
}
