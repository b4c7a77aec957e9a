/** How far the read models have come, and waiting until they have passed a position of the log. */
export type Progress = {
  /** The read models contain every event up to `position`. */
  passed(position: bigint): void;
  /** Resolves `true` once `position` is passed, `false` when that takes longer than `timeoutMs`. */
  waitFor(position: bigint, timeoutMs: number): Promise<boolean>;
};

export function createProgress(): Progress {
  let current = 0n;
  const waiting = new Set<{ readonly position: bigint; readonly resolve: (passed: boolean) => void }>();

  return {
    passed(position) {
      if (position <= current) return;
      current = position;
      for (const waiter of waiting) {
        if (waiter.position <= current) waiter.resolve(true);
      }
    },
    waitFor(position, timeoutMs) {
      if (position <= current) return Promise.resolve(true);
      return new Promise((resolve) => {
        const settle = (passed: boolean) => {
          clearTimeout(timer);
          waiting.delete(waiter);
          resolve(passed);
        };
        const waiter = { position, resolve: settle };
        const timer = setTimeout(() => settle(false), timeoutMs);
        waiting.add(waiter);
      });
    },
  };
}
