/** How long to wait before something that failed is tried again. */
import { randomShare } from './ids.ts';

export type Bounds = { readonly minMs: number; readonly maxMs: number };

/** More doublings than any bounds are apart. */
const doublingsMax = 30;

/** Twice as long after each failure in a row, for what has a schedule that is told. `failures` counts from 1. */
export const doubledMs = (failures: number, { minMs, maxMs }: Bounds): number =>
  Math.min(maxMs, minMs * 2 ** Math.min(failures - 1, doublingsMax));

/**
 * The same with chance in it: between half of it and all of it, so that processes which failed together do not come again
 * together.
 */
export function pauseMs(failures: number, bounds: Bounds, share: number = randomShare()): number {
  const most = doubledMs(failures, bounds);
  return (most * (1 + share)) / 2;
}
