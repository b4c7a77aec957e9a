import type { Clock } from '../../src/kernel/clock.ts';

/** The machine's clock, which a test can put forward. It never stands still. */
export function shiftableClock(): Clock & { forward(ms: number): void } {
  let shiftMs = 0;
  return {
    now: () => new Date(Date.now() + shiftMs),
    forward(ms) {
      shiftMs += ms;
    },
  };
}
