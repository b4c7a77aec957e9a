/** One deadline for a request, over all that it asks of stores and however often each call is tried. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { RequestLate } from './away.ts';
import { elsewhere } from './turns.ts';
import { handOn } from './within.ts';

type Watch = {
  readonly maxMs: number;
  readonly pause: () => void;
  readonly go: () => void;
  readonly isLate: () => boolean;
};

const watches = new AsyncLocalStorage<Watch | undefined>();

/** Runs a part of what a request does. Throws `RequestLate` when all parts together have taken too long. */
export type InTime = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * The time of one request, in milliseconds: what lies between its parts, such as reading a body that comes slowly, does
 * not count. Work that is late is left to itself, and begins no further command (`requireTime`).
 */
export function timeFor(ms: number): InTime {
  let left = ms;
  return (work) =>
    new Promise((resolve, reject) => {
      let began = performance.now();
      let timer: NodeJS.Timeout | undefined;
      let isLate = false;
      let pauses = 0;
      const go = () => {
        pauses = Math.max(0, pauses - 1);
        if (pauses > 0) return;
        began = performance.now();
        timer = setTimeout(() => {
          isLate = true;
          reject(new RequestLate(ms));
        }, left);
      };
      const pause = () => {
        pauses += 1;
        if (pauses > 1) return;
        clearTimeout(timer);
        left = Math.max(0, left - (performance.now() - began));
      };
      const end = () => {
        if (!isLate) pause();
      };
      go();
      // A process that was stopped may come to its work before its timer.
      const isOver = () => isLate || (pauses === 0 && performance.now() - began > left);
      const working = watches.run({ maxMs: ms, go, pause, isLate: isOver }, work);
      handOn(working, end, resolve, reject);
    });
}

/** Waits for something at the caller's own wish: that is not counted. */
export async function uncounted<Result>(work: () => Promise<Result>): Promise<Result> {
  const watch = watches.getStore();
  if (!watch || watch.isLate()) return elsewhere(work());
  watch.pause();
  return elsewhere(work()).finally(watch.go);
}

/** Throws `RequestLate` where this is done for a request that has been answered so. */
export function requireTime(): void {
  timeIsUp(watches.getStore());
}

/** `requireTime` for the request that this is done for, wherever it is called; nothing where it is done for none. */
export function timeOfRequest(): (() => void) | undefined {
  const watch = watches.getStore();
  return watch && (() => timeIsUp(watch));
}

function timeIsUp(watch: Watch | undefined): void {
  if (watch?.isLate()) throw new RequestLate(watch.maxMs);
}

/** Runs what is to be done whatever becomes of the request that has led to it. */
export const whateverTheTime = <Result>(work: () => Result): Result =>
  watches.getStore() === undefined ? work() : watches.run(undefined, work);
