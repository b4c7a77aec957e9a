import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  correctionTo,
  longestMs,
  noCorrection,
  timeAt,
} from '../../../src/infrastructure/clock/correction.ts';

const hourMs = 3_600_000;

describe('a correction', () => {
  it('is nothing where there was no jump', () => {
    expect(timeAt(noCorrection, 1_234)).toBe(1_234);
  });

  it.each([hourMs, -hourMs])('starts where time was, and wears off: %d ms', (jumpMs) => {
    const serverMs = 10 * hourMs;
    const correction = correctionTo(serverMs - jumpMs, serverMs);
    expect(timeAt(correction, serverMs)).toBe(serverMs - jumpMs);
    expect(timeAt(correction, serverMs + 5 * hourMs)).toBe(serverMs + 5 * hourMs - jumpMs / 2);
    expect(timeAt(correction, serverMs + 11 * hourMs)).toBe(serverMs + 11 * hourMs);
  });

  it('is none where the clocks are too far apart', () => {
    expect(timeAt(correctionTo(longestMs + 1, 0), 0)).toBe(0);
  });

  it('never lets time stand still or go back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -longestMs, max: longestMs }),
        fc.integer({ min: 0, max: 30 * hourMs }),
        fc.integer({ min: 1, max: hourMs }),
        (jumpMs, laterMs, passedMs) => {
          const correction = correctionTo(-jumpMs, 0);
          const before = timeAt(correction, laterMs);
          const passed = timeAt(correction, laterMs + passedMs) - before;
          expect(passed).toBeGreaterThanOrEqual(passedMs * 0.89);
          expect(passed).toBeLessThanOrEqual(passedMs * 1.11);
        },
      ),
    );
  });
});
