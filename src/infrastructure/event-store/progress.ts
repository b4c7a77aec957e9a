/** How far the read models have come, and waiting until they have passed a position of the log. */
import { PassingSet } from '../remembered/passing.ts';

export type Progress = {
  /** The read models contain every event up to `position`. */
  passed(position: bigint): void;
  /** Resolves `true` once `position` is passed, `false` when that takes longer than `timeoutMs`. */
  waitFor(position: bigint, timeoutMs: number): Promise<boolean>;
  /** They have shown everything up to `position` before, to somebody: until they do again, they show less than they once did. */
  owe(position: bigint): void;
  /**
   * Their server may have gone down: rows of the last moments, which it had shown, may have to be made again. How far they
   * have come is said anew.
   */
  unsure(): void;
  /** Whether they show less than they once did, to this process or before it. */
  hasLost(): boolean;
  /** Resolves `true` once they show again what they once did, `false` when that takes longer than `timeoutMs`. */
  restored(timeoutMs: number): Promise<boolean>;
  /** How long the longest of those who wait has waited; 0 where the read models have not moved for a second. */
  behindMs(): number;
};

type Waiter = {
  readonly position: bigint;
  readonly since: number;
  readonly resolve: (passed: boolean) => void;
};

/** Read models that have not moved for so long have nobody at work on them: waiting for them is of no use. */
const stillMs = 1_000;

export function createProgress(): Progress {
  let current = 0n;
  let farthest = 0n;
  let movedAt = Number.NEGATIVE_INFINITY;
  const waiting = new PassingSet<Waiter>();

  const waitFor = (position: bigint, timeoutMs: number): Promise<boolean> => {
    if (position <= current) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (passed: boolean) => {
        clearTimeout(timer);
        waiting.delete(waiter);
        resolve(passed);
      };
      const waiter = { position, since: performance.now(), resolve: settle };
      const timer = setTimeout(() => settle(false), timeoutMs);
      waiting.add(waiter);
    });
  };

  return {
    waitFor,
    passed(position) {
      if (position <= current) return;
      current = position;
      if (current > farthest) farthest = current;
      movedAt = performance.now();
      for (const waiter of waiting) {
        if (waiter.position <= current) waiter.resolve(true);
      }
    },
    owe(position) {
      if (position > farthest) farthest = position;
    },
    unsure() {
      current = 0n;
    },
    hasLost: () => current < farthest,
    restored: (timeoutMs) => waitFor(farthest, timeoutMs),
    behindMs() {
      const now = performance.now();
      // Whoever came first is the first of the set.
      const [longest] = waiting;
      return longest === undefined || now - movedAt > stillMs ? 0 : now - longest.since;
    },
  };
}
