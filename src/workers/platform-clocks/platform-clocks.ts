/**
 * What a platform of the sandbox does with its clock. One change of a clock at a time in each process; of two processes
 * each may have the clock stopped, moved or gone on while the other is at it. The log says which clocks stand still for
 * an advance alone: those go on with its end, whoever comes to that.
 */
import type { PlatformClock, PlatformClockCommand } from '../../domain/platform-clocks/platform-clock.ts';
import type { Standing } from '../../infrastructure/clock/platform-times.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { whateverTheTime } from '../../infrastructure/deadline.ts';
import { pause } from '../../infrastructure/jobs/pause.ts';
import { turnsOf } from '../../infrastructure/jobs/turns.ts';
import { unlessAborted, within } from '../../infrastructure/within.ts';
import { pauseMs } from '../../kernel/backoff.ts';
import { daysAfter } from '../../kernel/clock.ts';
import { type PlatformId, uuidOf } from '../../kernel/ids.ts';
import { badField, Rejected } from '../../kernel/rejected.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { type AdvanceDeps, type Advanced, advance, nextDueAt, shownMax } from './advance.ts';

/** No clock is put further ahead of the installation's. */
export const aheadMaxDays = 3_660;
/**
 * Changes of clocks that are under way or wait in one process, and of them those of one platform. Each may take a minute,
 * and holds the place of a request as long as it waits.
 */
export const waitingMax = { process: 64, platform: 4 };
const retryAfterSeconds = 5;
/** A clock that ran is not to stand still for want of a store. */
const againBounds = { minMs: 100, maxMs: 2_000 };
/** Whoever went back to the middle of an advance waits so long for its end. */
const endMaxMs = 2_000;
/** So often it is looked for whether the process stops. */
const shownEveryMs = 1_000;
/** A stop waits so long for clocks to go on. */
const stopMaxMs = 2_000;

/** How a clock stands, with its time and what is due next; `undefined` where nothing is. */
export type Shown = {
  readonly status: PlatformClock['status'];
  readonly now: Date;
  readonly nextDueAt: Date | undefined;
};

/** How far: by so much, to a moment, or to when something is due next. */
export type Far =
  | { readonly kind: 'by'; readonly ms: number }
  | { readonly kind: 'to'; readonly at: Date }
  | { readonly kind: 'nextTimer' };

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

type Deps = Omit<AdvanceDeps, 'signal'> & {
  readonly commands: Commands;
  readonly installationNow: () => Date;
};
/** What is to be done with a clock. */
type Change = PlatformClockCommand extends infer Command
  ? Command extends PlatformClockCommand
    ? Omit<Command, 'platformId' | 'installationAt'>
    : never
  : never;

/** To what, and what a clock that is found to run is stopped for on the way. */
type Way = { readonly to: Date; readonly field: string; readonly forAdvance: boolean };

export function createPlatformClocks(deps: Deps): PlatformClocks {
  const { commands, times, installationNow } = deps;
  const inTurn = turnsOf<PlatformId>({
    ofOneMax: waitingMax.platform,
    inAllMax: waitingMax.process,
    refusal: tooMany,
  });
  const stopping = new AbortController();
  const advancing = new Set<Promise<unknown>>();
  const { signal } = stopping;
  const run = async (platformId: PlatformId, change: Change, cause: Cause): Promise<void> => {
    const command = { ...change, platformId, installationAt: installationNow() };
    const { state, position } = await commands.run('platformClock', uuidOf(platformId), command, cause);
    // Where another process has done it already, this one may not have heard of it.
    if (position !== undefined) times.set({ platformId, standing: standingOf(state), position });
  };
  const load = (platformId: PlatformId) => commands.load('platformClock', uuidOf(platformId));
  /** As far as this process has heard. */
  const standsHere = (platformId: string): boolean =>
    times.installationTime(platformId, installationNow()) === undefined;
  /** By what the log says of one that stands still, where this process has not heard that it does. */
  const nowBy = (platformId: PlatformId, clock: PlatformClock): Date =>
    clock.status === 'FROZEN' && !standsHere(platformId) ? clock.at : times.nowOf(platformId);
  const read = async (platformId: PlatformId): Promise<Shown> => {
    const [clock, next] = await Promise.all([load(platformId), nextDueAt(deps, platformId)]);
    return { status: clock.status, now: nowBy(platformId, clock), nextDueAt: next };
  };
  /** Also where the platform has gone back since the advance was asked for. */
  const end = (platformId: PlatformId, { requireSame: _, ...cause }: Cause) =>
    run(platformId, { type: 'EndAdvance' }, cause);
  /** What nobody waits for: until it is done, or refused, or the process stops. */
  const untilDone = async (work: () => Promise<void>): Promise<void> => {
    for (let failures = 1; ; failures++) {
      try {
        await whateverTheTime(work);
        return;
      } catch (error) {
        if (error instanceof Rejected || signal.aborted) return;
        await pause(pauseMs(failures, againBounds), signal);
      }
    }
  };
  const endAtLast = (platformId: PlatformId, cause: Cause) => untilDone(() => end(platformId, cause));
  const wayOf = (platformId: PlatformId, far: Exclude<Far, { kind: 'nextTimer' }>): Way => {
    if (far.kind === 'to') return { to: far.at, field: 'to', forAdvance: true };
    const to = new Date(times.nowOf(platformId).getTime() + far.ms);
    return { to, field: 'duration', forAdvance: true };
  };
  const requireWay = (platformId: PlatformId, { to, field }: Way): void =>
    requireReachable(to, { field, now: times.nowOf(platformId), installationNow: installationNow() });
  const advanceTo = async (platformId: PlatformId, way: Way, cause: Cause): Promise<Advanced> => {
    requireWay(platformId, way);
    const { to, forAdvance } = way;
    const move = (at: Date) => run(platformId, { type: 'AdvanceClock', to: at, forAdvance }, cause);
    return advance({ ...deps, signal }, { platformId, to, move });
  };
  /** What is due already, the first attempt of a webhook for example, is done before the next is looked for. */
  const advanceToNext = async (platformId: PlatformId, cause: Cause): Promise<Advanced> => {
    const way = { field: 'to', forAdvance: true };
    const done = await advanceTo(platformId, { ...way, to: times.nowOf(platformId) }, cause);
    const next = await nextDueAt(deps, platformId);
    if (!next || next <= times.nowOf(platformId)) return done;
    return both(done, await advanceTo(platformId, { ...way, to: next }, cause));
  };
  const go = (platformId: PlatformId, far: Far, cause: Cause): Promise<Advanced> =>
    far.kind === 'nextTimer'
      ? advanceToNext(platformId, cause)
      : advanceTo(platformId, wayOf(platformId, far), cause);
  /** Whoever asked is told of a failure at once; others have their turn when the clock goes on again. */
  const advanceInTurn = async (
    platformId: PlatformId,
    far: Far,
    cause: Cause,
    told: PromiseWithResolvers<Shown & Advanced>,
  ): Promise<void> => {
    signal.throwIfAborted();
    // What is refused ends nobody's advance.
    if (far.kind !== 'nextTimer') requireWay(platformId, wayOf(platformId, far));
    try {
      await run(platformId, { type: 'BeginAdvance' }, cause);
      const advanced = await go(platformId, far, cause);
      await end(platformId, cause);
      told.resolve({ ...(await read(platformId)), ...advanced });
    } catch (error) {
      told.reject(error);
      await endAtLast(platformId, cause);
    }
  };

  /** Where too many changes wait, those of them that advance the clock end it themselves. */
  const endAbandonedOf = (platformId: PlatformId): Promise<void> =>
    inTurn(platformId, () => endAtLast(platformId, ofAbandoned(platformId))).catch((error) => {
      if (!(error instanceof Rejected)) throw error;
    });
  /** What the log has by now is in the read models, by which a process knows which clocks stand still. */
  const untilAllIsShown = async (): Promise<void> => {
    const last = await deps.store.last();
    while (!signal.aborted && !(await deps.progress.waitFor(last, shownEveryMs)));
  };
  /** A stop waits for it. */
  const beside = (work: () => Promise<void>): Promise<void> => {
    const done = work().finally(() => advancing.delete(done));
    advancing.add(done);
    return done;
  };

  return {
    read,
    freeze: (platformId, at, cause) =>
      inTurn(platformId, async () => {
        await run(platformId, { type: 'FreezeClock' }, cause);
        if (at) await advanceTo(platformId, { to: at, field: 'at', forAdvance: false }, cause);
        return read(platformId);
      }),
    advance(platformId, far, cause) {
      const told = Promise.withResolvers<Shown & Advanced>();
      void beside(() =>
        inTurn(platformId, () => advanceInTurn(platformId, far, cause, told)).catch(told.reject),
      );
      return told.promise;
    },
    resume: (platformId, cause) =>
      inTurn(platformId, async () => {
        await run(platformId, { type: 'ResumeClock' }, cause);
        return read(platformId);
      }),
    endAbandoned: () =>
      beside(async () => {
        await untilDone(() => unlessAborted(signal, untilAllIsShown()));
        for (const { platformId } of times.moved()) {
          if (signal.aborted) return;
          if (standsHere(platformId)) await endAbandonedOf(platformId as PlatformId);
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

function standingOf(clock: PlatformClock): Standing | undefined {
  if (clock.status === 'FOLLOWING') return undefined;
  if (clock.status === 'FROZEN') return { kind: 'frozen', at: clock.at };
  return { kind: 'running', aheadMs: clock.aheadMs };
}

const ofAbandoned = (platformId: PlatformId): Cause => ({
  platformId,
  correlationId: `clock:${platformId}`,
  causationId: 'advance-abandoned',
  actor: 'timer',
});

const both = (one: Advanced, other: Advanced): Advanced => ({
  fired: [...one.fired, ...other.fired].slice(0, shownMax),
  firedCount: one.firedCount + other.firedCount,
});

const tooMany = () =>
  new Rejected(
    'RATE_LIMITED',
    `As many changes of clocks wait as may. Send the request again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );

const isStopping = () =>
  new Rejected('SERVICE_UNAVAILABLE', 'The service stops. Send the request again.', { retryAfterSeconds });

type Reach = { readonly field: string; readonly now: Date; readonly installationNow: Date };

function requireReachable(to: Date, { field, now, installationNow }: Reach): void {
  if (to < now) throw badField(field, `is before ${now.toISOString()}: a clock never goes back`);
  const last = daysAfter(installationNow, aheadMaxDays);
  if (to > last)
    throw badField(field, `is more than ${aheadMaxDays} days ahead`, { maximum: last.toISOString() });
}
