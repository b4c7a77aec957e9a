/** How a platform's clock stands, by the log and by what this process has heard, and what is recorded of it. */
import type { PlatformClock, PlatformClockCommand } from '../../domain/platform-clocks/platform-clock.ts';
import type { Standing } from '../../infrastructure/clock/platform-times.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { type PlatformId, uuidOf } from '../../kernel/ids.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { type AdvanceDeps, nextDueAt } from './advance.ts';

/** How a clock stands, with its time and what is due next; `undefined` where nothing is. */
export type Shown = {
  readonly status: PlatformClock['status'];
  readonly now: Date;
  readonly nextDueAt: Date | undefined;
};

/** What is to be done with a clock. */
type Change = PlatformClockCommand extends infer Command
  ? Command extends PlatformClockCommand
    ? Omit<Command, 'platformId' | 'installationAt'>
    : never
  : never;

export type StandingDeps = Pick<AdvanceDeps, 'times' | 'readDb'> & {
  readonly commands: Commands;
  readonly installationNow: () => Date;
};

export async function changeClock(
  { commands, times, installationNow }: Omit<StandingDeps, 'readDb'>,
  platformId: PlatformId,
  change: Change,
  cause: Cause,
): Promise<void> {
  const command = { ...change, platformId, installationAt: installationNow() };
  const { state, position } = await commands.run('platformClock', uuidOf(platformId), command, cause);
  // Where another process has done it already, this one may not have heard of it.
  if (position !== undefined) times.set({ platformId, standing: standingOf(state), position });
}

/** Also where the platform has gone back since the advance was asked for. */
export const endAdvance = (
  deps: Omit<StandingDeps, 'readDb'>,
  platformId: PlatformId,
  { requireSame: _, ...cause }: Cause,
): Promise<void> => changeClock(deps, platformId, { type: 'EndAdvance' }, cause);

export async function showClock(deps: StandingDeps, platformId: PlatformId): Promise<Shown> {
  const [clock, next] = await Promise.all([
    deps.commands.load('platformClock', uuidOf(platformId)),
    nextDueAt(deps, platformId),
  ]);
  return { status: clock.status, now: nowBy(deps, platformId, clock), nextDueAt: next };
}

type HeardDeps = Pick<StandingDeps, 'times' | 'installationNow'>;

/** As far as this process has heard. */
export const standsHere = ({ times, installationNow }: HeardDeps, platformId: string): boolean =>
  times.installationTime(platformId, installationNow()) === undefined;

/** By what the log says of one that stands still, where this process has not heard that it does. */
const nowBy = (deps: HeardDeps, platformId: PlatformId, clock: PlatformClock): Date =>
  clock.status === 'FROZEN' && !standsHere(deps, platformId) ? clock.at : deps.times.nowOf(platformId);

function standingOf(clock: PlatformClock): Standing | undefined {
  if (clock.status === 'FOLLOWING') return undefined;
  if (clock.status === 'FROZEN') return { kind: 'frozen', at: clock.at };
  return { kind: 'running', aheadMs: clock.aheadMs };
}
