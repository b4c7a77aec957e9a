/** Refuses early what could not be carried in time: a request that waits in vain costs as much as one that is answered. */
import { Rejected } from '../../kernel/rejected.ts';
import type { Method } from './operation.ts';

/** Requests at the same time. Those before them would be done within a second or so. */
export const underWayMax = 256;
/** So far behind their callers the read models may be before more is recorded. */
export const behindMaxMs = 1_000;
const retryAfterSeconds = 1;

export type Pressure = {
  /** Returns what ends the request. Throws `Rejected` (SERVICE_UNAVAILABLE) for one too many. */
  readonly enter: (method: Method) => () => void;
};

/** `behindMs` is how long the read models have let somebody wait, or 0 where they do not move at all. */
export function createPressure(behindMs: () => number, mostMs = behindMaxMs): Pressure {
  let underWay = 0;
  const leave = () => {
    underWay -= 1;
  };
  return {
    enter(method) {
      if (underWay >= underWayMax) throw tooMuch('More requests are under way than are answered in time.');
      if (method !== 'get' && behindMs() > mostMs)
        throw tooMuch('What was recorded before is still being taken into the lists.');
      underWay += 1;
      return leave;
    },
  };
}

const tooMuch = (why: string) =>
  new Rejected('SERVICE_UNAVAILABLE', `${why} Send the request again in ${retryAfterSeconds} second.`, {
    retryAfterSeconds,
  });
