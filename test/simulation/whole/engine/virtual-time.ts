/**
 * Time that stands still until it is moved. Every timer of the processes in it waits for that; where several are due, the
 * earliest comes first. What Node itself waits for, and whoever holds the real functions, goes on as ever.
 */
import { AsyncResource } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { type Clock, install } from '@sinonjs/fake-timers';

export const real = { setTimeout, clearTimeout, setImmediate };
const { uptime } = os;

const faked = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const;

export type VirtualTime = {
  readonly now: () => number;
  /** Comes to the next timer and lets it go off; nothing where none waits. */
  readonly next: () => void;
  /** Lets so many milliseconds go by at once: whatever is due meanwhile goes off, in its order. */
  readonly jump: (ms: number) => void;
  readonly end: () => void;
};

type Timer = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => unknown;

type Inner = {
  readonly timers: ReadonlyMap<number, object>;
  readonly timerHeap: { readonly remove: (timer: object) => void };
};

/**
 * The clock (15.5.0) changes when a timer goes off that is put off, and then takes it from its place among the others, by
 * which these lose their order. So it is taken away before.
 */
function inOrder(clock: Clock, timer: NodeJS.Timeout): NodeJS.Timeout {
  const { refresh } = timer;
  timer.refresh = () => {
    const { timers, timerHeap } = clock as unknown as Inner;
    const found = timers.get(Number(timer));
    if (found) timerHeap.remove(found);

    return refresh.call(timer);
  };
  return timer;
}

/** `isAlive` is asked in the context in which a timer was set, before it goes off. */
export function openVirtualTime(start: number, isAlive: () => boolean): VirtualTime {
  const clock: Clock = install({ now: start, toFake: [...faked] });
  // A timer goes off for whoever has set it, with all that is known there.
  const bound =
    (set: Timer): Timer =>
    (callback, ...rest) => {
      const timer = set(
        AsyncResource.bind((...args: unknown[]) => {
          if (isAlive()) callback(...args);
        }),
        ...rest,
      );
      return inOrder(clock, timer as NodeJS.Timeout);
    };
  const fakedTimeout = globalThis.setTimeout as Timer;
  const fakedInterval = globalThis.setInterval as Timer;
  Object.assign(globalThis, { setTimeout: bound(fakedTimeout), setInterval: bound(fakedInterval) });
  // A host that was up for longer than its processes have noticed has been suspended.
  Object.assign(os, { uptime: () => performance.now() / 1_000 });
  syncBuiltinESMExports();
  return {
    now: () => clock.now,
    next: () => void clock.next(),
    jump: (ms) => void clock.tick(ms),
    end() {
      Object.assign(globalThis, { setTimeout: fakedTimeout, setInterval: fakedInterval });
      Object.assign(os, { uptime });
      clock.uninstall();
      syncBuiltinESMExports();
    },
  };
}
