/**
 * What a platform of the sandbox does with its clock. One change of a clock at a time in each process; of two processes
 * each may have the clock stopped, moved or gone on while the other is at it. The log says which clocks stand still for
 * an advance alone: those go on with its end, whoever comes to that.
 */
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { within } from '../../infrastructure/deadlines/within.ts';
import { turnsOf } from '../../infrastructure/scheduling/turns-by-key.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { Advanced } from './advance.ts';
import { endAtLast, ofAbandoned, untilAllIsShown } from './at-last.ts';
import { changeClock, endAdvance, type Shown, showClock, standsHere } from './standing.ts';
import { advanceFar, advanceTo, type Far, requireFar, requireWay, type WayDeps } from './way.ts';

/**
 * Changes of clocks that are under way or wait in one process, and of them those of one platform. Each may take a minute,
 * and holds the place of a request as long as it waits.
 */
export const waitingMax = { process: 64, platform: 4 };
const retryAfterSeconds = 5;
/** Whoever went back to the middle of an advance waits so long for its end. */
const endMaxMs = 2_000;
/** A stop waits so long for clocks to go on. */
const stopMaxMs = 2_000;

export type PlatformClocks = {
  readonly read: (platformId: PlatformId) => Promise<Shown>;
  /** From now on the clock stands still; with a moment, it is advanced to that. Safe to repeat. */
  readonly freeze: (platformId: PlatformId, at: Date | undefined, cause: Cause) => Promise<Shown>;
  /**
   * Resolves when everything that is due by then is done. A clock that runs goes on from there, and where this throws from
   * where it has come: at once, or when the log can be written again. Throws `Rejected` (INVALID_INPUT) for a moment that
   * is past or too far. As the others that change a clock it throws `Rejected` (RATE_LIMITED) where as many changes wait as
   * may.
   */
  readonly advance: (platformId: PlatformId, far: Far, cause: Cause) => Promise<Shown & Advanced>;
  /** The clock goes on from where it stands. Safe to repeat. */
  readonly resume: (platformId: PlatformId, cause: Cause) => Promise<Shown>;
  /** At a start: lets clocks run on that an interrupted advance left standing. */
  readonly endAbandoned: () => Promise<void>;
  /** The same for one platform, as where it went back to the middle of an advance. */
  readonly endAbandonedOf: (platformId: PlatformId) => Promise<void>;
  /** Ends the advances that are under way, and has their clocks go on. */
  readonly stop: () => Promise<void>;
};

type Deps = Omit<WayDeps, 'signal'>;

export function createPlatformClocks(given: Deps): PlatformClocks {
  const inTurn = turnsOf<PlatformId>({
    ofOneMax: waitingMax.platform,
    inAllMax: waitingMax.process,
    refusal: tooMany,
  });
  const stopping = new AbortController();
  const advancing = new Set<Promise<unknown>>();
  const { signal } = stopping;
  const deps = { ...given, signal };
  /** Where too many changes wait, those of them that advance the clock end it themselves. */
  const endAbandonedOf = (platformId: PlatformId): Promise<void> =>
    inTurn(platformId, () => endAtLast(deps, platformId, ofAbandoned(platformId))).catch((error) => {
      if (!(error instanceof Rejected)) throw error;
    });
  /** A stop waits for it. */
  const beside = (work: () => Promise<void>): Promise<void> => {
    const done = work().finally(() => advancing.delete(done));
    advancing.add(done);
    return done;
  };

  return {
    read: (platformId) => showClock(deps, platformId),
    freeze: (platformId, at, cause) =>
      inTurn(platformId, async () => {
        const way = at && ({ to: at, field: 'at', forAdvance: false } as const);
        // What is refused stops nobody's clock.
        if (way) requireWay(deps, platformId, way);
        await changeClock(deps, platformId, { type: 'FreezeClock' }, cause);
        if (way) await advanceTo(deps, platformId, way, cause);
        return showChanged(deps, platformId, cause);
      }),
    advance(platformId, far, cause) {
      const told = Promise.withResolvers<Shown & Advanced>();
      void beside(() =>
        inTurn(platformId, () => advanceInTurn(deps, { platformId, far, cause }, told)).catch(told.reject),
      );
      return told.promise;
    },
    resume: (platformId, cause) =>
      inTurn(platformId, async () => {
        await changeClock(deps, platformId, { type: 'ResumeClock' }, cause);
        return showChanged(deps, platformId, cause);
      }),
    endAbandoned: () =>
      beside(async () => {
        await untilAllIsShown(deps);
        for (const { platformId } of deps.times.moved()) {
          if (signal.aborted) return;
          if (standsHere(deps, platformId)) await endAbandonedOf(platformId as PlatformId);
        }
      }),
    async endAbandonedOf(platformId) {
      await within(
        endMaxMs,
        beside(() => endAbandonedOf(platformId)),
      );
    },
    async stop() {
      stopping.abort(isStopping());
      await within(stopMaxMs, Promise.all(advancing));
    },
  };
}

/** What has been made of it. Throws where the platform went back since: the clock is another then, and nothing was done. */
async function showChanged(deps: WayDeps, platformId: PlatformId, { requireSame }: Cause): Promise<Shown> {
  const shown = await showClock(deps, platformId);
  requireSame?.();
  return shown;
}

type Asked = { readonly platformId: PlatformId; readonly far: Far; readonly cause: Cause };

/** Whoever asked is told of a failure at once; others have their turn when the clock goes on again. */
async function advanceInTurn(
  deps: WayDeps,
  { platformId, far, cause }: Asked,
  told: PromiseWithResolvers<Shown & Advanced>,
): Promise<void> {
  deps.signal.throwIfAborted();
  // What is refused ends nobody's advance.
  requireFar(deps, platformId, far);
  try {
    await changeClock(deps, platformId, { type: 'BeginAdvance' }, cause);
    const advanced = await advanceFar(deps, platformId, far, cause);
    await endAdvance(deps, platformId, cause);
    told.resolve({ ...(await showChanged(deps, platformId, cause)), ...advanced });
  } catch (error) {
    told.reject(error);
    await endAtLast(deps, platformId, cause);
  }
}

const tooMany = () =>
  new Rejected(
    'RATE_LIMITED',
    `As many changes of clocks wait as may. Send the request again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );

const isStopping = () =>
  new Rejected('SERVICE_UNAVAILABLE', 'The service stops. Send the request again.', { retryAfterSeconds });
