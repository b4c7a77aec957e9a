/**
 * The time of each platform. It is the installation's, but for platforms whose clock was moved in the sandbox: theirs
 * stands still, or runs ahead or behind. What a request, a timer or a delivery does for a platform is done within that
 * platform's time (docs/decisions/0061-a-clock-for-each-platform.md).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../kernel/clock.ts';

/** Where a clock stands that does not follow the installation's. Milliseconds. */
export type Standing =
  | { readonly kind: 'frozen'; readonly at: Date }
  /** Negative where it is behind. */
  | { readonly kind: 'running'; readonly aheadMs: number };

/** How a platform's clock was set; `undefined` while it follows the installation's. */
export type Setting = {
  readonly platformId: string;
  readonly standing: Standing | undefined;
  /** Of the event in the log: what is older changes nothing. */
  readonly position: bigint;
};

/** A platform whose clock was moved, and its time. */
export type Moved = { readonly platformId: string; readonly at: Date };

export type PlatformTimes = {
  /** Of the platform for whose sake this code runs; of the installation where it runs for none. */
  readonly now: () => Date;
  readonly nowOf: (platformId: string) => Date;
  /** `undefined` where the platform's time is the installation's. */
  readonly movedOf: (platformId: string) => Date | undefined;
  readonly isAnyMoved: () => boolean;
  /** All whose clock was moved. */
  readonly moved: () => readonly Moved[];
  /** Runs the work in the time of the platform. */
  readonly within: <Result>(platformId: string, work: () => Result) => Result;
  /** The platform for whose sake this code runs. */
  readonly tenant: () => string | undefined;
  /** When the installation's clock will show what the platform's shows then; `undefined` while that stands still. */
  readonly installationTime: (platformId: string, at: Date) => Date | undefined;
  readonly set: (setting: Setting) => void;
  /** Of a clock that stands still: where it is on its way to a moment, in this process. */
  readonly pass: (platformId: string, at: Date) => void;
  /** Until when this process is taking the clock, while it does so and nothing else is due on the way. */
  readonly reachOf: (platformId: string) => Date | undefined;
  readonly reach: (platformId: string, until: Date | undefined) => void;
};

type Known = { readonly standing: Standing | undefined; readonly position: bigint };

export function createPlatformTimes(clock: Clock): PlatformTimes {
  const scope = new AsyncLocalStorage<string>();
  const known = new Map<string, Known>();
  const reaches = new Map<string, Date>();

  const timeBy = (standing: Standing): Date =>
    standing.kind === 'frozen' ? standing.at : new Date(clock.now().getTime() + standing.aheadMs);
  const movedOf = (platformId: string): Date | undefined => {
    const standing = known.get(platformId)?.standing;
    return standing && timeBy(standing);
  };
  const nowOf = (platformId: string) => movedOf(platformId) ?? clock.now();

  return {
    now() {
      const platformId = known.size > 0 ? scope.getStore() : undefined;
      return platformId === undefined ? clock.now() : nowOf(platformId);
    },
    nowOf,
    movedOf,
    isAnyMoved: () => known.size > 0,
    moved: () =>
      [...known].flatMap(([platformId, { standing }]) =>
        standing ? [{ platformId, at: timeBy(standing) }] : [],
      ),
    within: (platformId, work) => scope.run(platformId, work),
    tenant: () => scope.getStore(),
    reachOf: (platformId) => reaches.get(platformId),
    reach(platformId, until) {
      if (until) reaches.set(platformId, until);
      else reaches.delete(platformId);
    },
    installationTime(platformId, at) {
      const standing = known.get(platformId)?.standing;
      if (!standing) return at;
      return standing.kind === 'frozen' ? undefined : new Date(at.getTime() - standing.aheadMs);
    },
    set({ platformId, standing, position }) {
      if (position > (known.get(platformId)?.position ?? -1n)) known.set(platformId, { standing, position });
    },
    pass(platformId, at) {
      const last = known.get(platformId);
      if (last?.standing?.kind !== 'frozen' || last.standing.at >= at) return;
      known.set(platformId, { ...last, standing: { kind: 'frozen', at } });
    },
  };
}
