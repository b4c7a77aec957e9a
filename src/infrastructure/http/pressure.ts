/** Refuses early what could not be carried in time: a request that waits in vain costs as much as one that is answered. */
import { Rejected } from '../../kernel/rejected.ts';
import type { Method } from './operation.ts';

/** Requests at the same time. Those before them would be done within a second or so. */
export const underWayMax = 256;
/** For each place that is free one tenant may hold so many: however many tenants ask for all there is, one more finds a place. */
export const heldForEachFree = 3;
/** What that comes to for a tenant who is alone. */
export const ofOneTenantMax = (underWayMax * heldForEachFree) / (1 + heldForEachFree);
/** So far behind their callers the read models may be before more is recorded. */
export const behindMaxMs = 1_000;
const retryAfterSeconds = 1;

export type Pressure = {
  /**
   * Returns what ends the request. Throws `Rejected` (SERVICE_UNAVAILABLE) for one too many. `tenant` is for whom it is;
   * those of nobody count as one.
   */
  readonly enter: (method: Method, tenant: string | undefined) => () => void;
};

/** `behindMs` is how long the read models have let somebody wait, or 0 where they do not move at all. */
export function createPressure(behindMs: () => number, mostMs = behindMaxMs): Pressure {
  const held = new Map<string, number>();
  let underWay = 0;
  const add = (tenant: string, count: 1 | -1) => {
    const own = (held.get(tenant) ?? 0) + count;
    if (own > 0) held.set(tenant, own);
    else held.delete(tenant);
    underWay += count;
  };
  return {
    enter(method, tenant = '') {
      const free = underWayMax - underWay;
      const own = held.get(tenant) ?? 0;
      if (own >= heldForEachFree * free)
        throw tooMuch('More requests are under way than are answered in time.');
      if (method !== 'get' && behindMs() > mostMs)
        throw tooMuch('What was recorded before is still being taken into the lists.');
      add(tenant, 1);
      return () => add(tenant, -1);
    },
  };
}

const tooMuch = (why: string) =>
  new Rejected('SERVICE_UNAVAILABLE', `${why} Send the request again in ${retryAfterSeconds} second.`, {
    retryAfterSeconds,
  });
