import type { Clock } from '../../../src/kernel/clock.ts';

/** The moment at which tests take place unless they say otherwise. */
export const testStart = new Date('2026-11-02T09:00:00.000Z');

/** A moment of the test, in milliseconds after its start. */
export const msLater = (ms: number): Date => new Date(testStart.getTime() + ms);

/** A clock that stands still until it is moved. */
export function steppableClock(start = testStart): Clock & { advance(ms: number): Date } {
  let time = start.getTime();
  const now = () => new Date(time);
  return {
    now,
    advance(ms) {
      time += ms;
      return now();
    },
  };
}
