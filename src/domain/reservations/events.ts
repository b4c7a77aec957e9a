import { z } from 'zod';
import { type EventOf, instant } from '../../kernel/codecs.ts';

const holder = z.string().min(1);
/** One of several claims of a holder to the name; absent for the first. */
const claim = z.string().optional();

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const reservationEvents = {
  /** The name itself is not in the event: the stream's id is its digest. */
  NameReserved: z.object({
    holder,
    claim,
    /** A keyed hash of a request without an Idempotency-Key: the same request sent again may take the name over. */
    request: z.string().min(1).optional(),
    at: instant,
  }),
  ReservationConfirmed: z.object({ holder, claim, at: instant }),
  NameReleased: z.object({ holder, claim, at: instant }),
};
export type ReservationEvent = EventOf<typeof reservationEvents>;
