/** One deadline for a request, over all that it asks of stores and however often each call is tried. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { RequestLate } from '../away.ts';
import { elsewhere } from '../scheduling/tenant-turns.ts';
import { handOn } from './within.ts';

/** The longest time that an installation can give a request. */
export const longestRequestSeconds = 600;

type Watch = {
  readonly maxMs: number;
  /** The last moment at which the log may begin to take what it does; nothing once part of its time is not counted. */
  latest: number | undefined;
  readonly pause: () => void;
  readonly go: () => void;
  readonly isLate: () => boolean;
  readonly leftMs: () => number;
};

const watches = new AsyncLocalStorage<Watch | undefined>();

export type TimeOfRequest = {
  /** The log begins to take what it does by then, in milliseconds by the clock of Postgres, or not at all. */
  readonly latest: number | undefined;
  /** Throws `RequestLate` where the request has been answered so. */
  readonly require: () => void;
};

/** Runs a part of what a request does. Throws `RequestLate` when all parts together have taken too long. */
export type InTime = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * The time of one request, in milliseconds: what lies between its parts, such as reading a body that comes slowly, does
 * not count. Work that is late is left to itself, and begins no further command (`timeOfRequest`).
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
          reject(tookLonger(ms));
        }, left);
      };
      const pause = () => {
        watch.latest = undefined;
        pauses += 1;
        if (pauses > 1) return;
        clearTimeout(timer);
        left = leftNow();
      };
      const leftNow = () => Math.max(0, left - (performance.now() - began));
      const end = () => {
        if (!isLate) pause();
      };
      go();
      // A process that was stopped may come to its work before its timer.
      const isOver = () => isLate || (pauses === 0 && performance.now() - began > left);
      const leftMs = () => (pauses === 0 ? leftNow() : left);
      const watch: Watch = { maxMs: ms, latest: undefined, go, pause, isLate: isOver, leftMs };
      const working = watches.run(watch, work);
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

/**
 * The log takes nothing of the request after this moment, in milliseconds by the clock of Postgres: whoever takes over what
 * the request is about counts on that. It holds for as long as all time is counted.
 */
export function recordedUntil(latest: number): void {
  const watch = watches.getStore();
  if (watch) watch.latest = latest;
}

/** The time of the request that this is done for, wherever it is asked about; nothing where it is done for none. */
export function timeOfRequest(): TimeOfRequest | undefined {
  const watch = watches.getStore();
  return watch && { latest: watch.latest, require: () => requireTime(watch) };
}

/** How long the request that this is done for may take still, in milliseconds; without end where it is done for none. */
export const timeLeft = (): number => watches.getStore()?.leftMs() ?? Number.POSITIVE_INFINITY;

function requireTime({ isLate, maxMs }: Watch): void {
  if (isLate()) throw tookLonger(maxMs);
}

const tookLonger = (ms: number) => new RequestLate(`the request took longer than ${ms} ms`);

/** Runs what is to be done whatever becomes of the request that has led to it. */
export const whateverTheTime = <Result>(work: () => Result): Result =>
  watches.getStore() === undefined ? work() : watches.run(undefined, work);
