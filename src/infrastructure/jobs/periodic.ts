import type { Log } from '../observe/log.ts';

/**
 * Repeats `work`, never two at a time. A failure is logged and counted under the name of the task, and the next turn
 * tries again. Returns what ends it.
 */
export type Every = (task: string, ms: number, work: () => Promise<unknown>) => () => Promise<void>;

/** How often a task is repeated that is repeated so often as a rule. */
export type EveryMs = (task: string, usualMs: number) => number;

type Deps = {
  readonly log: Log;
  /** Told once of each task. */
  readonly begins: (task: string) => void;
  readonly failed: (task: string) => void;
  readonly everyMs?: EveryMs;
};

export const createEvery =
  ({ log, begins, failed, everyMs = (_, ms) => ms }: Deps): Every =>
  (task, ms, work) => {
    begins(task);
    let current: Promise<unknown> = Promise.resolve();
    let busy = false;
    const timer = setInterval(
      () => {
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
      },
      everyMs(task, ms),
    );
    return async () => {
      clearInterval(timer);
      await current;
    };
  };
