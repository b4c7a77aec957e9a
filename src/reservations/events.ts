import { z } from 'zod';
import { type EventOf, instant } from '../infrastructure/codecs.ts';

const holder = z.string().min(1);

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const reservationEvents = {
  /** The name itself is not in the event: the stream's id is its digest. */
  NameReserved: z.object({ holder, at: instant }),
  ReservationConfirmed: z.object({ holder, at: instant }),
  NameReleased: z.object({ holder, at: instant }),
};
export type ReservationEvent = EventOf<typeof reservationEvents>;
