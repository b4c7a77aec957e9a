/** Up to where in the log a request has looked: what it answers rests on that, whether the read models show it yet or not. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Hears of each position up to which a request has read a stream. */
export type Looking = {
  noted(position: bigint): void;
  /** Waits until the read models show the log up to the position, and has the answer say where they do not. */
  untilShown(position: bigint): Promise<void>;
};

const requests = new AsyncLocalStorage<Looking>();

/** Runs the work of a request. */
export const noticing = <Result>(looking: Looking, work: () => Result): Result => requests.run(looking, work);

/** The request that this is done for, if there is one, rests on the log up to here. */
export function restsOn(position: bigint | undefined): void {
  if (position !== undefined) requests.getStore()?.noted(position);
}

/** The same for a request that goes on to read rows: it waits now for what the read models show of it, and not again. */
export async function restsOnRows(position: bigint): Promise<void> {
  await requests.getStore()?.untilShown(position);
}
