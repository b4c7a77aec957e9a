import type { PlatformClockEvent } from '../../../src/domain/platform-clocks/events.ts';
import type { RestorationEvent } from '../../../src/domain/restorations/events.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { testStart } from '../time/clock.ts';
import { uuidNumber } from '../values/ids.ts';

export const clockOf = { platformId: idOf('Platform', uuidNumber(1)) } as const;

export const platformRestored = (overrides: Partial<RestorationEvent['data']> = {}): RestorationEvent => ({
  type: 'PlatformStateRestored',
  data: Object.assign(
    {
      platformId: clockOf.platformId,
      snapshotId: idOf('Snapshot', uuidNumber(2)),
      generation: 1,
      streams: [`account-${uuidNumber(3)}`],
      at: testStart,
    },
    overrides,
  ),
});
export const clockFrozen = (at: Date): PlatformClockEvent => ({
  type: 'PlatformClockFrozen',
  data: { ...clockOf, at },
});
export const clockFrozenForAdvance = (at: Date): PlatformClockEvent => ({
  type: 'PlatformClockFrozen',
  data: { ...clockOf, at, forAdvance: true },
});
export const clockAdvanced = (from: Date, at: Date): PlatformClockEvent => ({
  type: 'PlatformClockAdvanced',
  data: { ...clockOf, from, at },
});
export const clockResumed = (at: Date, aheadMs: number): PlatformClockEvent => ({
  type: 'PlatformClockResumed',
  data: { ...clockOf, at, aheadMs },
});
