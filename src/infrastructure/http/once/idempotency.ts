/**
 * The first answer to a keyed request is the answer to all. A concurrent duplicate waits for the first: in the same
 * process for its promise, elsewhere by looking again. The wait is bounded: what a keyed request creates follows from
 * its key, so running it twice is harmless.
 */
import type { UsedKey } from '../../../kernel/aggregate.ts';
import { derivedUuid } from '../../../kernel/ids.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import { within } from '../../deadlines/within.ts';
import { PassingMap } from '../../remembered/passing.ts';
import type { Fingerprint } from './fingerprint.ts';
import { type KeysDeps, keysOf, type Since } from './keys.ts';
import {
  type Answered,
  type Asked,
  forgetOldKeys,
  type Held,
  heldMs,
  type Kept,
  type Wanted,
} from './keys-table.ts';

const pollMs = 50;
const retryAfterSeconds = 1;

/** A request and all its repeats: what its doings are identified by, and the key by which those can be found again. */
export type Attempted = { readonly scope: string; readonly key: UsedKey };

/**
 * The right to run a keyed request; `keep`, `leave` or `forget` must follow. One who takes so long that another has
 * taken the key over keeps nothing, and leaves or forgets nothing of the other's: the other's answer is the first.
 */
export type Begun = Asked & {
  /** Follows from the key and when it was first used: a day later the same key means another request. */
  readonly attempted: Attempted;
  /** The log takes nothing of what is done under it after this moment, in milliseconds by the clock of Postgres. */
  readonly latest: number;
  /** It was begun before and has no answer: whatever it does may have been done. */
  readonly isRepeat: boolean;
  /** So long an earlier attempt may still do what it was asked for; `undefined` where none can. */
  readonly othersForSeconds: number | undefined;
  /** For another request with the key, or for keys that were lost. */
  readonly hasWaited: boolean;
  /**
   * What is kept under the key from now on: this answer, or that of who has taken the key over. Where what was done may have
   * been taken back meanwhile nothing is kept: the next one looks for what is there. Throws `Rejected`
   * (SERVICE_UNAVAILABLE) where that one has none either.
   */
  readonly keep: (answer: Answered) => Promise<Kept>;
  /**
   * There is no answer, and something may have been done: the next one begins it again. `isOver` is false where something
   * may yet be done.
   */
  readonly leave: (isOver: boolean) => Promise<void>;
  /** Nothing was done: the key is as good as new. */
  readonly forget: () => Promise<void>;
};

export type IdempotencyStore = {
  /** Whether a request with the key is under way in this process: `begin` would wait for it. */
  isUnderWay(scope: string): boolean;
  /** The kept answer, or the right to run the request. `tenant` is for whom, where that is to be forgotten by itself. */
  begin(scope: string, fingerprint: Fingerprint, tenant?: string): Promise<Kept | Begun>;
  /** Forgets answers older than a day, in steps. */
  forgetOld(now: Date): Promise<void>;
};

/** What a request of this process that is under way will have answered. */
type Running = PromiseWithResolvers<Kept | undefined>;

type Deps = KeysDeps & {
  /** Of a sandbox in which the same calls give the same. */
  readonly seed?: string | undefined;
  /** Up to this position of the log keys may have been lost with their server. */
  readonly lostUntil?: () => bigint;
};

export function idempotencyStore({ seed, lostUntil = () => 0n, ...deps }: Deps): IdempotencyStore {
  const running = new PassingMap<string, Running>();
  const keys = keysOf(deps);

  const ended = (scope: string, own: Running, kept?: Kept) => {
    own.resolve(kept);
    if (running.get(scope) === own) running.delete(scope);
  };
  const right = (held: Held, own: Running, begun: Since, hasWaited: boolean): Begun => {
    const { scope, isRepeat } = held;
    const fingerprint = held.fingerprint ?? undefined;
    const since = held.since.toISOString();
    return {
      fingerprint,
      attempted: { scope: derivedUuid(scope, seed ?? since), key: { scope, since } },
      latest: held.latest,
      isRepeat,
      othersForSeconds: held.othersForSeconds ?? undefined,
      hasWaited,
      async keep(answer) {
        let kept: Kept | undefined;
        try {
          const isOurs = await keys.keep(held, answer, begun);
          if (isOurs === undefined) return { ...answer, fingerprint };
          kept = isOurs
            ? { ...answer, fingerprint }
            : await keptByOther(() => keys.find(scope, begun.tenant));
          return kept;
        } finally {
          ended(scope, own, kept);
        }
      },
      leave: (isOver) => keys.leave(held, isOver).finally(() => ended(scope, own)),
      forget: () => keys.forget(held).finally(() => ended(scope, own)),
    };
  };
  /** The key as it is to be used. Throws `Rejected` (SERVICE_UNAVAILABLE) where it may be one that was lost. */
  const acquireWhole = async (wanted: Wanted, own: Running, waited: boolean): Promise<Begun | undefined> => {
    const begun = keys.sinceNow(wanted.tenant);
    const latest = performance.now() + heldMs;
    for (let hasWaited = waited; ; hasWaited = true) {
      const held = await keys.acquire(wanted);
      if (!held) return undefined;
      if ((held.reached ?? 0n) >= lostUntil()) return right(held, own, begun, hasWaited);
      await (held.isRepeat ? keys.leave(held, true) : keys.forget(held));
      if (performance.now() > latest) throw notKnown();
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };
  /** The right to run the request; without it somebody else has run it, or is at it. */
  const tryBegin = async (wanted: Wanted, hasWaited: boolean): Promise<Begun | undefined> => {
    const { scope } = wanted;
    const own: Running = Promise.withResolvers();
    running.set(scope, own);
    try {
      const begun = await acquireWhole(wanted, own, hasWaited);
      if (!begun) ended(scope, own);
      return begun;
    } catch (error) {
      ended(scope, own);
      throw error;
    }
  };

  return {
    isUnderWay: (scope) => running.has(scope),
    async begin(scope, fingerprint, tenant) {
      for (let hasWaited = false; ; hasWaited = true) {
        const other = running.get(scope);
        const kept = other ? await within(heldMs, other.promise) : undefined;
        if (kept && kept !== 'late') return kept;
        // One that takes too long is overtaken: that is harmless, and better than waiting for ever.
        if (other && running.get(scope) !== other) continue;
        const begun = await tryBegin({ scope, fingerprint, tenant }, hasWaited || other !== undefined);
        if (begun) return begun;
        const elsewhere = await keys.find(scope, tenant);
        if (elsewhere) return elsewhere;
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    },
    forgetOld: async (at) => void (await forgetOldKeys(deps.pool, at)),
  };
}

/** Who holds the key is at it as long as the key is held. */
async function keptByOther(find: () => Promise<Kept | undefined>): Promise<Kept> {
  const latest = performance.now() + heldMs;
  while (performance.now() < latest) {
    const kept = await find();
    if (kept) return kept;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw away('Another request with this Idempotency-Key is under way.');
}

const notKnown = () =>
  away('Whether this Idempotency-Key was used is not known yet: the keys are being restored.');

const away = (what: string) =>
  new Rejected('SERVICE_UNAVAILABLE', `${what} Send it again in ${retryAfterSeconds} second.`, {
    retryAfterSeconds,
  });
