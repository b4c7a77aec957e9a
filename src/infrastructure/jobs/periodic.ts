import type { Log } from '../observe/log.ts';

/** Repeats `work`, never two at a time; a failure is logged and the next turn tries again. Returns what ends it. */
export function every(ms: number, log: Log, work: () => Promise<unknown>): () => Promise<void> {
  let current: Promise<unknown> = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    current = work()
      .catch((error) => log.error({ err: error }, 'periodic work failed'))
      .finally(() => {
        busy = false;
      });
  }, ms);
  return async () => {
    clearInterval(timer);
    await current;
  };
}
