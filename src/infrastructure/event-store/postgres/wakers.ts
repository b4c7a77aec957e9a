/** What wakes a subscriber; where it is not known that there is something new, the database has to be asked. */
export type Waker = (isKnown: boolean) => void;

/** Those who follow the log in this process, and are told when there may be something new. */
export type Wakers = {
  add(waker: Waker): void;
  delete(waker: Waker): void;
  wakeAll(isKnown: boolean): void;
};

/** `begin` is called for the first who follows, and what it returns once nobody does: nobody else is to be told anything. */
export function createWakers(begin?: () => () => void): Wakers {
  const wakers = new Set<Waker>();
  let end: (() => void) | undefined;
  return {
    add(waker) {
      wakers.add(waker);
      end ??= begin?.();
    },
    delete(waker) {
      wakers.delete(waker);
      if (wakers.size > 0) return;
      end?.();
      end = undefined;
    },
    wakeAll(isKnown) {
      for (const wake of wakers) wake(isKnown);
    },
  };
}
