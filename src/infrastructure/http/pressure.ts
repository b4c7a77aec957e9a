/** Refuses early what could not be carried in time: a request that waits in vain costs as much as one that is answered. */
import { Rejected } from '../../kernel/rejected.ts';
import { createShares, ofOneMax } from '../jobs/shares.ts';
import { createTurns, type Turns } from '../scheduling/tenant-turns.ts';
import type { Caller, Method } from './operation.ts';

/** Requests at the same time. Those before them would be done within a second or so. */
export const underWayMax = 256;
/** Of a tenant who is alone. */
export const ofOneTenantMax = ofOneMax(underWayMax);
/** So far behind their callers the read models may be before more is recorded. */
export const behindMaxMs = 1_000;
const retryAfterSeconds = 1;
/**
 * So much later one too many is told: who asks again at once does so four times a second on each connection, and leaves
 * the processor to those who are answered.
 */
export const refusedAfterMs = 250;
/** Of those who wait to be told; further ones are told at once. */
export const toBeToldMax = 1_024;

export type Pressure = Turns & {
  /**
   * Returns what ends the request. Throws `Rejected` (SERVICE_UNAVAILABLE) for one too many. `tenant` is for whom it is;
   * those of nobody count as one.
   */
  readonly enter: (method: Method, tenant: string | undefined) => () => void;
  /** Until one who was refused may be told. */
  readonly untilTold: () => Promise<void> | undefined;
};

/** `behindMs` is how long the read models have let somebody wait, or 0 where they do not move at all. */
export function createPressure(behindMs: () => number, mostMs = behindMaxMs): Pressure {
  const shares = createShares(underWayMax);
  let toBeTold = 0;
  return {
    ...createTurns(),
    enter(method, tenant = '') {
      const leave = shares.take(tenant);
      if (!leave) throw tooMuch('More requests are under way than are answered in time.');
      if (method === 'get' || behindMs() <= mostMs) return leave;
      leave();
      throw tooMuch('What was recorded before is still being taken into the lists.');
    },
    untilTold() {
      if (toBeTold >= toBeToldMax) return undefined;
      toBeTold += 1;
      return new Promise<void>((resolve) => void setTimeout(resolve, refusedAfterMs)).finally(() => {
        toBeTold -= 1;
      });
    },
  };
}

/** Does what is to be done for a caller in one of the places, in turn. Throws as `enter` does where there is none. */
export async function underWay(
  pressure: Pressure,
  method: Method,
  caller: Caller | undefined,
  work: () => Promise<void>,
): Promise<void> {
  const leave = await entered(pressure, method, caller);
  try {
    await pressure.inTurn(caller?.platformId ?? '', work);
  } finally {
    leave();
  }
}

async function entered(
  { enter, untilTold }: Pressure,
  method: Method,
  caller: Caller | undefined,
): Promise<() => void> {
  try {
    return enter(method, caller?.platformId);
  } catch (error) {
    await untilTold();
    throw error;
  }
}

const tooMuch = (why: string) =>
  new Rejected('SERVICE_UNAVAILABLE', `${why} Send the request again in ${retryAfterSeconds} second.`, {
    retryAfterSeconds,
  });
