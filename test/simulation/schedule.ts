/** The order in which what waits at a port goes on: one at a time, and the seed says which. */
import type { Random } from './random.ts';

export type Schedule = {
  /** Resolves when it is the caller's turn, once everything else has come to a port. */
  turn(): Promise<void>;
};

export function scheduleOf(random: Random): Schedule {
  const waiting: (() => void)[] = [];
  let isGoing = false;
  const goOn = () => {
    const [next] = waiting.splice(random.below(waiting.length), 1);
    next?.();
    isGoing = waiting.length > 0;
    if (isGoing) setImmediate(goOn);
  };
  const turn = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (isGoing) return;
      isGoing = true;
      // Promises that are resolved go on before it.
      setImmediate(goOn);
    });
  return { turn };
}
