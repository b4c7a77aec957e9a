import { z } from 'zod';
import { type EventOf, instant } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';

const platformId = idField('Platform');

/** Persisted for ever: add optional fields; never rename, retype or reuse one. All times are the platform's. */
export const platformClockEvents = {
  PlatformClockFrozen: z.object({
    platformId,
    at: instant,
    /** It stands still for an advance, with which it goes on again. */
    forAdvance: z.literal(true).optional(),
  }),
  /** A clock that stands still was put forward. */
  PlatformClockAdvanced: z.object({ platformId, from: instant, at: instant }),
  /** It goes on from where it stood, this much ahead of the installation's; negative where it is behind. */
  PlatformClockResumed: z.object({ platformId, at: instant, aheadMs: z.int() }),
};
export type PlatformClockEvent = EventOf<typeof platformClockEvents>;
