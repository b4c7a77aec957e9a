/**
 * Gives back to the machine what the engine has taken of memory and does not use: left to itself it keeps whatever it
 * once had, for the next time. That is done once the process has started, when it is at rest for long, and at work where it
 * has taken much, which is seldom: it takes about a tenth of a second, in which nothing else happens, and the code that
 * was compiled goes with it.
 */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const mib = 1024 * 1024;

const lookEveryMs = 1_000;
/** A process that is busy for less of the time is at rest: nobody waits while it collects. */
const restBelow = 0.02;
/** Less is not worth it. */
export const worthBytes = 8 * mib;
/** A process that is at work gives nothing back before it has taken so much. */
export const workBytes = 225 * mib;
/** It has been at rest for so long before it gives anything back, but for what it has taken to start. */
export const restMs = 300_000;
/** So long it is left alone at work, from its start on. */
export const workMs = 600_000;

type Machine = {
  /** What the process has of the machine's memory, in bytes. */
  readonly resident: () => number;
  /** The share of the time since the last call in which the process was busy. */
  readonly busy: () => number;
  readonly giveBack: () => void;
  readonly nowMs: () => number;
};

/** Looks whether it is time: to be called again and again. */
export function createHeapKeeper({ resident, busy, giveBack, nowMs }: Machine): () => void {
  let kept = 0;
  let doneAt = nowMs();
  let hasRested = false;
  let restsSince: number | undefined;
  const isTime = (has: number) => {
    if (restsSince === undefined) return has >= workBytes && nowMs() - doneAt >= workMs;
    return !hasRested || nowMs() - restsSince >= restMs;
  };
  return () => {
    restsSince = busy() < restBelow ? (restsSince ?? nowMs()) : undefined;
    const has = resident();
    if (has < kept + worthBytes || !isTime(has)) return;
    giveBack();
    hasRested = true;
    kept = resident();
    doneAt = nowMs();
  };
}

/** For a process that is nobody else's. Keeps nothing from ending. */
export function keepHeapSmall(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  let before = performance.eventLoopUtilization();
  const look = createHeapKeeper({
    resident: () => process.memoryUsage.rss(),
    busy() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      return utilization;
    },
    giveBack: () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
    nowMs: () => performance.now(),
  });
  setInterval(look, lookEveryMs).unref();
}
