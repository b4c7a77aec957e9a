/**
 * What has left an account today and in this hour, and how much may. Days and hours are those of UTC. A refund takes
 * nothing back: what a payment had taken stays counted, so that failing payments are no way past a limit.
 */
import type { Money } from '../../kernel/money.ts';
import { Rejected } from '../../kernel/rejected.ts';
import type { OutflowLimits } from '../payments/events.ts';

const hourMs = 3_600_000;
const hoursOfDay = 24;

export type Outflow = {
  /** Hours since 1970. */
  readonly hour: number;
  /** In this hour. */
  readonly payments: number;
  /** On the day of this hour, in minor units. */
  readonly volume: bigint;
};

export const noOutflow: Outflow = { hour: 0, payments: 0, volume: 0n };

/** A moment before the counters' hour, from a clock that is behind, counts towards their hour. */
export function outflowAt(outflow: Outflow, at: Date): Outflow {
  const hour = Math.floor(at.getTime() / hourMs);
  if (hour <= outflow.hour) return outflow;
  return { hour, payments: 0, volume: dayOf(hour) === dayOf(outflow.hour) ? outflow.volume : 0n };
}

export function counted(outflow: Outflow, amount: bigint, at: Date): Outflow {
  const { hour, payments, volume } = outflowAt(outflow, at);
  return { hour, payments: payments + 1, volume: volume + amount };
}

/** Throws `Rejected`: DAILY_VOLUME_LIMIT_EXCEEDED or VELOCITY_LIMIT_EXCEEDED. What is absent does not limit. */
export function requireWithinOutflow(
  before: Outflow,
  { minor: amount, currency }: Money,
  { dailyVolume, hourlyPayments }: OutflowLimits,
  at: Date,
): void {
  const { hour, payments, volume } = outflowAt(before, at);
  if (hourlyPayments !== undefined && payments >= hourlyPayments) {
    const message = `The limit of ${hourlyPayments} payments an hour out of the account is reached.`;
    const details = { limit: hourlyPayments, used: payments, resetsAt: startOf(hour + 1) };
    throw new Rejected('VELOCITY_LIMIT_EXCEEDED', message, details);
  }
  if (dailyVolume !== undefined && volume + amount > dailyVolume) {
    const message = `No more than ${dailyVolume} in ${currency} may leave the account in a day.`;
    const resetsAt = startOf((dayOf(hour) + 1) * hoursOfDay);
    const details = { currency, limit: dailyVolume, used: volume, amount, resetsAt };
    throw new Rejected('DAILY_VOLUME_LIMIT_EXCEEDED', message, details);
  }
}

const dayOf = (hour: number): number => Math.floor(hour / hoursOfDay);
const startOf = (hour: number): string => new Date(hour * hourMs).toISOString();
