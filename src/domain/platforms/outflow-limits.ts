/** How much may leave an account in a currency: the smaller of what the operator says and what the platform says. */
import type { OutflowLimits } from '../payments/events.ts';
import { type ActivePlatform, settingsOf } from './platform.ts';

/** What holds for every platform; no platform can lift it. */
export type OperatorLimits = {
  /** Minor units that may leave one account in a day, by currency; none for a currency that is not there. */
  readonly dailyVolume: ReadonlyMap<string, bigint>;
  /** Payments that may leave one account in an hour. */
  readonly hourlyPayments: number | undefined;
};

/** `undefined` where nothing is limited. */
export function outflowLimitsOf(
  platform: ActivePlatform,
  currency: string,
  operator: OperatorLimits,
): OutflowLimits | undefined {
  const { dailyVolumeLimit, velocityLimit } = settingsOf(platform, currency) ?? {};
  const dailyVolume = smallest(dailyVolumeLimit, operator.dailyVolume.get(currency));
  const hourlyPayments = smallest(velocityLimit, operator.hourlyPayments);
  if (dailyVolume === undefined && hourlyPayments === undefined) return undefined;
  return {
    ...(dailyVolume !== undefined && { dailyVolume }),
    ...(hourlyPayments !== undefined && { hourlyPayments }),
  };
}

const smallest = <T extends bigint | number>(...limits: readonly (T | undefined)[]): T | undefined =>
  limits.reduce((least, limit) =>
    least === undefined || (limit !== undefined && limit < least) ? limit : least,
  );
