/**
 * What a platform of the sandbox does with its clock. One change of a clock at a time in each process; of two processes
 * each may have the clock stopped, moved or gone on while the other is at it.
 */
import type { PlatformClock, PlatformClockCommand } from '../../domain/platform-clocks/platform-clock.ts';
import type { Standing } from '../../infrastructure/clock/platform-times.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { whateverTheTime } from '../../infrastructure/deadline.ts';
import { pause } from '../../infrastructure/jobs/pause.ts';
import { turnsOf } from '../../infrastructure/jobs/turns.ts';
import { within } from '../../infrastructure/within.ts';
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

type Advancing = {
  readonly cause: Cause;
  /** Told that the clock ran, and was stopped for this. */
  readonly ran: () => void;
};

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
  /** Says whether the clock ran until now. */
  const run = async (platformId: PlatformId, change: Change, cause: Cause): Promise<boolean> => {
    const command = { ...change, platformId, installationAt: installationNow() };
    const { state, events, position } = await commands.run(
      'platformClock',
      uuidOf(platformId),
      command,
      cause,
    );
    // Where another process has done it already, this one may not have heard of it.
    if (position !== undefined) times.set({ platformId, standing: standingOf(state), position });
    return events.some(({ type }) => type === 'PlatformClockFrozen');
  };
  const load = (platformId: PlatformId) => commands.load('platformClock', uuidOf(platformId));
  /** By what the log says of one that stands still, where this process has not heard that it does. */
  const nowBy = (platformId: PlatformId, clock: PlatformClock): Date => {
    const standsHere = times.installationTime(platformId, installationNow()) === undefined;
    return clock.status === 'FROZEN' && !standsHere ? clock.at : times.nowOf(platformId);
  };
  const read = async (platformId: PlatformId): Promise<Shown> => {
    const [clock, next] = await Promise.all([load(platformId), nextDueAt(deps, platformId)]);
    return { status: clock.status, now: nowBy(platformId, clock), nextDueAt: next };
  };
  const freeze = (platformId: PlatformId, cause: Cause) => run(platformId, { type: 'FreezeClock' }, cause);
  const resume = (platformId: PlatformId, cause: Cause) => run(platformId, { type: 'ResumeClock' }, cause);
  /** The same for one that nobody waits for: until it is done, or refused, or the process stops. */
  const resumeAtLast = async (platformId: PlatformId, cause: Cause): Promise<void> => {
    for (let failures = 1; ; failures++) {
      try {
        await whateverTheTime(() => resume(platformId, cause));
        return;
      } catch (error) {
        if (error instanceof Rejected || signal.aborted) return;
        await pause(pauseMs(failures, againBounds), signal);
      }
    }
  };
  const advanceTo = async (
    platformId: PlatformId,
    to: Date,
    field: string,
    { cause, ran }: Advancing,
  ): Promise<Advanced> => {
    requireReachable(to, { field, now: times.nowOf(platformId), installationNow: installationNow() });
    const move = async (at: Date) => {
      if (await run(platformId, { type: 'AdvanceClock', to: at }, cause)) ran();
    };
    return advance({ ...deps, signal }, { platformId, to, move });
  };
  /** What is due already, the first attempt of a webhook for example, is done before the next is looked for. */
  const advanceToNext = async (platformId: PlatformId, advancing: Advancing): Promise<Advanced> => {
    const done = await advanceTo(platformId, times.nowOf(platformId), 'to', advancing);
    const next = await nextDueAt(deps, platformId);
    if (!next || next <= times.nowOf(platformId)) return done;
    return both(done, await advanceTo(platformId, next, 'to', advancing));
  };
  const go = (platformId: PlatformId, far: Far, advancing: Advancing): Promise<Advanced> => {
    if (far.kind === 'nextTimer') return advanceToNext(platformId, advancing);
    if (far.kind === 'to') return advanceTo(platformId, far.at, 'to', advancing);
    const to = new Date(times.nowOf(platformId).getTime() + far.ms);
    return advanceTo(platformId, to, 'duration', advancing);
  };
  /** Whoever asked is told of a failure at once; others have their turn when the clock goes on again. */
  const advanceInTurn = async (
    platformId: PlatformId,
    far: Far,
    cause: Cause,
    told: PromiseWithResolvers<Shown & Advanced>,
  ): Promise<void> => {
    // Where the answer to the freeze is lost, or another process has it go on in between.
    let goesOn = (await load(platformId)).status !== 'FROZEN';
    const ran = () => {
      goesOn = true;
    };
    try {
      signal.throwIfAborted();
      if (await freeze(platformId, cause)) ran();
      const advanced = await go(platformId, far, { cause, ran });
      if (goesOn) await resume(platformId, cause);
      told.resolve({ ...(await read(platformId)), ...advanced });
    } catch (error) {
      told.reject(error);
      if (goesOn) await resumeAtLast(platformId, cause);
    }
  };

  return {
    read,
    freeze: (platformId, at, cause) =>
      inTurn(platformId, async () => {
        await freeze(platformId, cause);
        if (at) await advanceTo(platformId, at, 'at', { cause, ran: () => undefined });
        return read(platformId);
      }),
    advance(platformId, far, cause) {
      const told = Promise.withResolvers<Shown & Advanced>();
      const work = inTurn(platformId, () => advanceInTurn(platformId, far, cause, told))
        .catch(told.reject)
        .finally(() => advancing.delete(work));
      advancing.add(work);
      return told.promise;
    },
    resume: (platformId, cause) =>
      inTurn(platformId, async () => {
        await resume(platformId, cause);
        return read(platformId);
      }),
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
