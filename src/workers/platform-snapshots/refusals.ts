/** Why a snapshot is not taken, or a platform does not go back, and what to do. */
import { Rejected } from '../../kernel/rejected.ts';
import type { SnapshotRow } from './fill.ts';

const retryAfterSeconds = 5;

export const underWay =
  'What your platform did last is under way, or not in the lists yet. Send the request again when your other requests have been answered.';
export const setAside =
  'Something that follows from what your platform did has failed, and is tried again by itself. Send the request again later; `daybook parked` says what it is.';

export const sharedSince = ({ created_at: at }: SnapshotRow) =>
  new Rejected(
    'CONFLICT',
    `Since the snapshot of ${at.toISOString()} your platform has shared a payment, or a name, with another one, whose books cannot go back with yours.`,
  );

export const tooLarge = (events: number, maximum: number) =>
  new Rejected(
    'CONFLICT',
    `Your platform has ${events} events in the log. Snapshots are for up to ${maximum}.`,
    { events, maximum },
  );

/** Of a log that takes so many bytes at once: one event names all streams, so that none is left without the others. */
export const tooManyObjects = (objects: number) =>
  new Rejected(
    'CONFLICT',
    `Your platform would leave ${objects} objects, and EventStoreDB does not take the names of so many in one append. Have its \`MaxAppendSize\` raised.`,
    { objects },
  );

export const isHalfway = () =>
  new Rejected(
    'SERVICE_UNAVAILABLE',
    `Your platform is halfway back to a snapshot, which goes on by itself. Send the request again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );

export const wentBack = () =>
  new Rejected(
    'SERVICE_UNAVAILABLE',
    'Your platform went back to a snapshot meanwhile. Send the request again in 1 second.',
    { retryAfterSeconds: 1 },
  );

export const tooMany = () =>
  new Rejected(
    'RATE_LIMITED',
    `As many snapshots wait as may. Send the request again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
