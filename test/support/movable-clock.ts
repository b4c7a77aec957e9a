import type { Clock } from '../../src/kernel/clock.ts';

/** The real time, until it is moved ahead. */
export function movableClock(): Clock & { advance(ms: number): void } {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    advance: (ms) => {
      ahead += ms;
    },
  };
}
