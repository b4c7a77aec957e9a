/** Owners that are held: what is written for them, and read of what is theirs, waits meanwhile. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { PassingSet } from '../remembered/passing.ts';

/** Lets those who wait go on. With a reason they fail with it, and so does whoever comes later. */
export type Release = (reason?: Error) => void;

export type Holds = {
  /**
   * Resolves when nothing is being written for the owner. What is to be written for it, and what is to be read of its
   * named streams, waits until the function is called that this resolves to.
   */
  readonly hold: (owner: string) => Promise<Release>;
  /** Tells later whether an owner has been held since: a part of what it has may have been missing for a while. */
  readonly holding: () => () => boolean;
  /**
   * Writes for the owner what is not in the log: not while it is held, and whoever holds it waits for the end. What it appends
   * for the owner, or reads, waits for nobody.
   */
  readonly beside: <Result>(owner: string, write: () => Promise<Result>) => Promise<Result>;
  /** What has to be waited for before anything is written for the owner, or read: nothing where it is not held. */
  readonly heldFor: (owner: string | undefined) => Promise<void> | undefined;
  /** Whoever holds an owner waits for this write. */
  readonly waitedFor: <Result>(write: Promise<Result>) => Promise<Result>;
};

/** What is written beside the log, until it is. */
type Beside = { readonly owner: string; isOver: boolean };

export function createHolds(): Holds {
  const holds = new Map<string, Promise<void>>();
  let holdsSoFar = 0;
  const writing = new PassingSet<Promise<unknown>>();
  const writingBeside = new AsyncLocalStorage<Beside>();

  const heldFor = (owner: string | undefined): Promise<void> | undefined => {
    if (holds.size === 0 || owner === undefined) return undefined;
    const own = writingBeside.getStore();
    return own?.owner === owner && !own.isOver ? undefined : holds.get(owner);
  };
  const waitedFor = <Result>(write: Promise<Result>): Promise<Result> => {
    writing.add(write);
    const done = () => void writing.delete(write);
    write.then(done, done);
    return write;
  };

  return {
    heldFor,
    waitedFor,
    async beside(owner, write) {
      for (let held = heldFor(owner); held; held = heldFor(owner)) await held;
      const own: Beside = { owner, isOver: false };
      return waitedFor(
        writingBeside.run(own, write).finally(() => {
          own.isOver = true;
        }),
      );
    },
    async hold(owner) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      // There may be nobody who waits.
      promise.catch(() => undefined);
      holds.set(owner, promise);
      holdsSoFar++;
      await Promise.allSettled([...writing]);
      return (reason) => {
        if (reason) return reject(reason);
        holds.delete(owner);
        resolve();
      };
    },
    holding() {
      const before = holds.size > 0 ? undefined : holdsSoFar;
      return () => holdsSoFar !== before;
    },
  };
}
