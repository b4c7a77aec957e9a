import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Resolves once objects that nobody has any more are gone. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  // A weak reference holds its object until the turn ends in which it was made.
  await new Promise(setImmediate);
  collect();
}
