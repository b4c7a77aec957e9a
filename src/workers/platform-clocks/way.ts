/** How far a platform's clock is put forward, and that it may go so far. */
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { daysAfter } from '../../kernel/clock.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import { badField } from '../../kernel/rejected.ts';
import { type AdvanceDeps, type Advanced, advance, nextDueAt, shownMax } from './advance.ts';
import { changeClock, type StandingDeps } from './standing.ts';

/** No clock is put further ahead of the installation's. */
const aheadMaxDays = 3_660;

/** How far: by so much, to a moment, or to when something is due next. */
export type Far =
  | { readonly kind: 'by'; readonly ms: number }
  | { readonly kind: 'to'; readonly at: Date }
  | { readonly kind: 'nextTimer' };

/** To what, and what a clock that is found to run is stopped for on the way. */
type Way = { readonly to: Date; readonly field: string; readonly forAdvance: boolean };

export type WayDeps = AdvanceDeps & StandingDeps;

/** Throws `Rejected` (INVALID_INPUT) for a moment that is past or too far. When something is due next is found on the way. */
export function requireFar(deps: ReachDeps, platformId: PlatformId, far: Far): void {
  if (far.kind !== 'nextTimer') requireWay(deps, platformId, wayOf(deps, platformId, far));
}

export const advanceFar = (
  deps: WayDeps,
  platformId: PlatformId,
  far: Far,
  cause: Cause,
): Promise<Advanced> =>
  far.kind === 'nextTimer'
    ? advanceToNext(deps, platformId, cause)
    : advanceTo(deps, platformId, wayOf(deps, platformId, far), cause);

function wayOf(
  { times }: Pick<WayDeps, 'times'>,
  platformId: PlatformId,
  far: Exclude<Far, { kind: 'nextTimer' }>,
): Way {
  if (far.kind === 'to') return { to: far.at, field: 'to', forAdvance: true };
  const to = new Date(times.nowOf(platformId).getTime() + far.ms);
  return { to, field: 'duration', forAdvance: true };
}

/** Throws `Rejected` (INVALID_INPUT) for a moment that is past or too far. */
export async function advanceTo(
  deps: WayDeps,
  platformId: PlatformId,
  way: Way,
  cause: Cause,
): Promise<Advanced> {
  requireWay(deps, platformId, way);
  const { to, forAdvance } = way;
  const move = (at: Date) =>
    changeClock(deps, platformId, { type: 'AdvanceClock', to: at, forAdvance }, cause);
  return advance(deps, { platformId, to, move });
}

/** What is due already, the first attempt of a webhook for example, is done before the next is looked for. */
async function advanceToNext(deps: WayDeps, platformId: PlatformId, cause: Cause): Promise<Advanced> {
  const { times } = deps;
  const way = { field: 'toNextTimer', forAdvance: true };
  const done = await advanceTo(deps, platformId, { ...way, to: times.nowOf(platformId) }, cause);
  const next = await nextDueAt(deps, platformId);
  if (!next || next <= times.nowOf(platformId)) return done;
  return both(done, await advanceTo(deps, platformId, { ...way, to: next }, cause));
}

const both = (one: Advanced, other: Advanced): Advanced => ({
  fired: [...one.fired, ...other.fired].slice(0, shownMax),
  firedCount: one.firedCount + other.firedCount,
});

type ReachDeps = Pick<WayDeps, 'times' | 'installationNow'>;

/** Throws `Rejected` (INVALID_INPUT) for a moment that is past or too far. */
export function requireWay(
  { times, installationNow }: ReachDeps,
  platformId: PlatformId,
  { to, field }: Way,
): void {
  const now = times.nowOf(platformId);
  const last = daysAfter(installationNow(), aheadMaxDays);
  if (to < now) throw badField(field, `is before ${now.toISOString()}: a clock never goes back`);
  if (to > last)
    throw badField(field, `leads to ${to.toISOString()}, more than ${aheadMaxDays} days ahead`, {
      maximum: last.toISOString(),
    });
}
