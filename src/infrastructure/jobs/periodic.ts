import type { Log } from '../observe/log.ts';

/**
 * Repeats `work`, never two at a time. A failure is logged and counted under the name of the task, and the next turn
 * tries again. Returns what ends it.
 */
export type Every = (task: string, ms: number, work: () => Promise<unknown>) => () => Promise<void>;

type Deps = { readonly log: Log; readonly failed: (task: string) => void };

export const createEvery =
  ({ log, failed }: Deps): Every =>
  (task, ms, work) => {
    let current: Promise<unknown> = Promise.resolve();
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      current = work()
        .catch((error) => {
          failed(task);
          log.error({ err: error, task }, 'periodic work failed');
        })
        .finally(() => {
          busy = false;
        });
    }, ms);
    return async () => {
      clearInterval(timer);
      await current;
    };
  };
