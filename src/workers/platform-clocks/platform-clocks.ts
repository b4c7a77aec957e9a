/** What a platform of the sandbox does with its clock. One change of a clock at a time. */
import type { PlatformClock, PlatformClockCommand } from '../../domain/platform-clocks/platform-clock.ts';
import type { Standing } from '../../infrastructure/clock/platform-times.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { turnsOf } from '../../infrastructure/jobs/turns.ts';
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
   * Resolves when everything that is due by then is done. A clock that runs goes on from there. Throws `Rejected`
   * (INVALID_INPUT) for a moment that is past or too far. As the others that change a clock it throws `Rejected`
   * (RATE_LIMITED) where as many changes wait as may.
   */
  readonly advance: (platformId: PlatformId, far: Far, cause: Cause) => Promise<Shown & Advanced>;
  /** The clock goes on from where it stands. Safe to repeat. */
  readonly resume: (platformId: PlatformId, cause: Cause) => Promise<Shown>;
};

type Deps = AdvanceDeps & { readonly commands: Commands; readonly installationNow: () => Date };

export function createPlatformClocks(deps: Deps): PlatformClocks {
  const { commands, times, installationNow } = deps;
  const inTurn = turnsOf<PlatformId>({
    ofOneMax: waitingMax.platform,
    inAllMax: waitingMax.process,
    refusal: tooMany,
  });
  const run = async (command: PlatformClockCommand, cause: Cause): Promise<void> => {
    const { platformId } = command;
    const { state, position } = await commands.run('platformClock', uuidOf(platformId), command, cause);
    // Where another process has done it already, this one may not have heard of it.
    if (position !== undefined) times.set({ platformId, standing: standingOf(state), position });
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
  const freeze = (platformId: PlatformId, cause: Cause) =>
    run({ type: 'FreezeClock', platformId, at: times.nowOf(platformId) }, cause);
  const resume = (platformId: PlatformId, cause: Cause) =>
    run({ type: 'ResumeClock', platformId, installationAt: installationNow() }, cause);
  const advanceTo = async (platformId: PlatformId, to: Date, field: string, cause: Cause) => {
    requireReachable(to, { field, now: times.nowOf(platformId), installationNow: installationNow() });
    const move = (at: Date) => run({ type: 'AdvanceClock', platformId, to: at }, cause);
    return advance(deps, { platformId, to, move });
  };
  /** What is due already, the first attempt of a webhook for example, is done before the next is looked for. */
  const advanceToNext = async (platformId: PlatformId, cause: Cause): Promise<Advanced> => {
    const done = await advanceTo(platformId, times.nowOf(platformId), 'to', cause);
    const next = await nextDueAt(deps, platformId);
    if (!next || next <= times.nowOf(platformId)) return done;
    return both(done, await advanceTo(platformId, next, 'to', cause));
  };
  const go = (platformId: PlatformId, far: Far, cause: Cause): Promise<Advanced> => {
    if (far.kind === 'nextTimer') return advanceToNext(platformId, cause);
    if (far.kind === 'to') return advanceTo(platformId, far.at, 'to', cause);
    const to = new Date(times.nowOf(platformId).getTime() + far.ms);
    return advanceTo(platformId, to, 'duration', cause);
  };

  return {
    read,
    freeze: (platformId, at, cause) =>
      inTurn(platformId, async () => {
        await freeze(platformId, cause);
        if (at) await advanceTo(platformId, at, 'at', cause);
        return read(platformId);
      }),
    advance: (platformId, far, cause) =>
      inTurn(platformId, async () => {
        const { status } = await load(platformId);
        await freeze(platformId, cause);
        try {
          const advanced = await go(platformId, far, cause);
          if (status !== 'FROZEN') await resume(platformId, cause);
          return { ...(await read(platformId)), ...advanced };
        } catch (error) {
          if (status !== 'FROZEN') await resume(platformId, cause);
          throw error;
        }
      }),
    resume: (platformId, cause) =>
      inTurn(platformId, async () => {
        await resume(platformId, cause);
        return read(platformId);
      }),
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

type Reach = { readonly field: string; readonly now: Date; readonly installationNow: Date };

function requireReachable(to: Date, { field, now, installationNow }: Reach): void {
  if (to < now) throw badField(field, `is before ${now.toISOString()}: a clock never goes back`);
  const last = daysAfter(installationNow, aheadMaxDays);
  if (to > last)
    throw badField(field, `is more than ${aheadMaxDays} days ahead`, { maximum: last.toISOString() });
}
