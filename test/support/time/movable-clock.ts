import type { Clock } from '../../../src/kernel/clock.ts';

type MovableClock = Clock & { advance(ms: number): void };

/** The real time, until it is moved ahead. */
export function movableClock(): MovableClock {
  let ahead = 0;
  return {
    now: () => new Date(Date.now() + ahead),
    advance: (ms) => {
      ahead += ms;
    },
  };
}

/** Stands still until it is moved ahead: for what is told by seconds, however long a busy machine takes for them. */
export function stillClock(): MovableClock {
  let ms = Date.now();
  return {
    now: () => new Date(ms),
    advance: (more) => {
      ms += more;
    },
  };
}
