import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects the whole heap, but for what a weak reference holds that was made in this turn of the event loop. */
export function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
}

/** Resolves once objects that nobody has any more are gone. */
export async function collectGarbage(): Promise<void> {
  // A weak reference holds its object until the turn ends in which it was made.
  await new Promise(setImmediate);
  collectAll();
}
