import { describe, expect, it } from 'vitest';
import { createHeapKeeper, restMs, workBytes, workMs, worthBytes } from '../../src/infrastructure/heap.ts';

/** A process that has so much after it has given back what it can. */
function aProcess(least: number) {
  const at = { resident: least, busy: 0, now: 0, times: 0 };
  const look = createHeapKeeper({
    resident: () => at.resident,
    busy: () => at.busy,
    giveBack() {
      at.times += 1;
      at.resident = least;
    },
    nowMs: () => at.now,
  });
  /** Whether something was given back. */
  const given = (change: Partial<typeof at>): boolean => {
    Object.assign(at, change, { times: 0 });
    look();
    return at.times > 0;
  };
  return { given };
}

const least = 100 * 1024 * 1024;

describe('what a process does not use of the memory that it has taken', () => {
  it('is given back once it has started and is at rest', () => {
    const { given } = aProcess(least);
    expect(given({ resident: least + worthBytes, busy: 0.5 })).toBe(false);
    expect(given({ busy: 0.01 })).toBe(true);
  });

  it('is given back after a long rest, where it has taken more, and not between two bursts', () => {
    const { given } = aProcess(least);
    expect(given({ busy: 0.01 })).toBe(true);
    const later = { resident: least + worthBytes, now: 1_000 };
    expect(given({ ...later, busy: 0.5 })).toBe(false);
    expect(given({ busy: 0.01 })).toBe(false);
    expect(given({ now: 1_000 + restMs - 1 })).toBe(false);
    expect(given({ now: 1_000 + restMs, resident: least + worthBytes - 1 })).toBe(false);
    expect(given({ resident: least + worthBytes })).toBe(true);
  });

  it('is given back at work where it is much, and seldom', () => {
    const { given } = aProcess(least);
    expect(given({ resident: workBytes, busy: 1, now: workMs - 1 })).toBe(false);
    expect(given({ resident: workBytes - 1, now: workMs })).toBe(false);
    expect(given({ resident: workBytes })).toBe(true);
    expect(given({ resident: workBytes, now: 2 * workMs - 1 })).toBe(false);
    expect(given({ now: 2 * workMs })).toBe(true);
  });

  it('is left to it where there is nothing to give back', () => {
    const { given } = aProcess(workBytes);
    expect(given({})).toBe(true);
    expect(given({ now: workMs, busy: 1 })).toBe(false);
  });
});
