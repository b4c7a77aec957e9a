import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/** How often the process is looked at until it has been at rest once. */
export const lookEveryMs = 1_000;
/** The share of the time since the last look in which the process was busy; one that is busy for less is at rest. */
export const restBelow = 0.02;
/** After so long at work what the start has left was collected by the way. */
export const looksMax = 60;

type Process = {
  /** The share of the time since the last call in which it was busy. */
  readonly busy: () => number;
  /** Collects all that is not used, and gives free pages back. Nothing is done where the engine does not offer it (`--expose-gc`). */
  readonly collect: (() => void) | undefined;
};

/**
 * Collects once what the start has left in memory, when the process is at rest for the first time. It takes less than
 * 0.1 s, in which nothing else happens. Keeps nothing from ending.
 */
export function collectOnceAtRest({ busy, collect }: Process): void {
  if (!collect) return;
  let looks = 0;
  const timer = setInterval(() => {
    looks += 1;
    const isAtRest = busy() < restBelow;
    if (isAtRest || looks >= looksMax) clearInterval(timer);
    if (isAtRest) collect();
  }, lookEveryMs);
  timer.unref();
}

/**
 * This process, which is nobody else's. Of the kinds of collections only the one that the engine makes before it would
 * run out of memory gives pages back.
 */
export function thisProcess(): Process {
  const { gc } = globalThis;
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  return {
    busy() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    collect: gc && (() => void gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })),
  };
}
