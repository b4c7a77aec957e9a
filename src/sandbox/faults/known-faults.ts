/** The faults that this process knows of, so that nobody asks the table where there are none. */
import type { PlatformId } from '../../kernel/ids.ts';
import type { Fault } from './rules.ts';

export type Known = { readonly fault: Fault; matched: number };

export type KnownFaults = {
  readonly of: (platformId: PlatformId) => readonly Known[];
  readonly hasAny: (platformId: PlatformId) => boolean;
  /** What there is of a platform, with how often each has matched in this process. */
  readonly remember: (platformId: PlatformId, faults: readonly Fault[]) => void;
  /** The same for what there is of all platforms. */
  readonly rememberAll: (faults: readonly Fault[]) => void;
  /** As if none of the platform's had matched yet. */
  readonly countAnew: (platformId: PlatformId) => void;
  /** It has happened as often as it may, or its time is over: nobody is asked about it any more. */
  readonly forget: (fault: Fault) => void;
};

export function knownFaults(): KnownFaults {
  let known = new Map<PlatformId, readonly Known[]>();

  const remember = (platformId: PlatformId, faults: readonly Fault[]) => {
    const before = new Map(known.get(platformId)?.map(({ fault, matched }) => [fault.id, matched]));
    if (faults.length === 0) known.delete(platformId);
    else
      known.set(
        platformId,
        faults.map((fault) => ({ fault, matched: before.get(fault.id) ?? 0 })),
      );
  };

  return {
    of: (platformId) => known.get(platformId) ?? [],
    hasAny: (platformId) => known.has(platformId),
    remember,
    countAnew(platformId) {
      for (const one of known.get(platformId) ?? []) one.matched = 0;
    },
    rememberAll(all) {
      const byPlatform = Map.groupBy(all, ({ platformId }) => platformId);
      known = new Map([...known].filter(([platformId]) => byPlatform.has(platformId)));
      for (const [platformId, faults] of byPlatform) remember(platformId, faults);
    },
    forget({ id, platformId }) {
      const others = (known.get(platformId) ?? []).filter(({ fault }) => fault.id !== id);
      if (others.length > 0) known.set(platformId, others);
      else known.delete(platformId);
    },
  };
}
