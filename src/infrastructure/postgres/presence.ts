/** So long after a process was last heard it counts as gone: several times as long as it takes to speak again. */
export const goneAfterMs = 10_000;
/** Before this process has listened so long it may not have heard yet who is there. */
export const settledAfterMs = 3_000;

/** Which other processes listen, as far as this one has heard. Each says that it is there, again and again. */
export type Presence = {
  /** A process says that it is there. Returns whether it was not known to be. */
  heard(process: string): boolean;
  /** This process listens from now on, and knows of nobody. */
  begun(): void;
  /** This process hears nothing any more. */
  deaf(): void;
  /** Whether nobody else listens; `false` also while that cannot be known. */
  isAlone(): boolean;
};

/** `self` is the name of this process, `elapsed` a number of milliseconds that only grows. */
export function createPresence(self: string, elapsed: () => number = () => performance.now()): Presence {
  const others = new Map<string, number>();
  let since: number | undefined;

  const forgetGone = (now: number) => {
    for (const [process, heardAt] of others) if (now - heardAt > goneAfterMs) others.delete(process);
  };
  return {
    heard(process) {
      if (process === self) return false;
      const isNew = !others.has(process);
      others.set(process, elapsed());
      return isNew;
    },
    begun() {
      others.clear();
      since = elapsed();
    },
    deaf() {
      since = undefined;
    },
    isAlone() {
      const now = elapsed();
      forgetGone(now);
      return since !== undefined && now - since > settledAfterMs && others.size === 0;
    },
  };
}
