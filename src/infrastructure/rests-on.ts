/** Up to where in the log a request has looked: what it answers rests on that, whether the read models show it yet or not. */
import { AsyncLocalStorage } from 'node:async_hooks';

type Told = (position: bigint) => void;

const requests = new AsyncLocalStorage<Told>();

/** Runs the work of a request; `told` hears of each position up to which it has read a stream. */
export const noticing = <Result>(told: Told, work: () => Result): Result => requests.run(told, work);

/** The request that this is done for, if there is one, rests on the log up to here. */
export function restsOn(position: bigint | undefined): void {
  if (position !== undefined) requests.getStore()?.(position);
}
