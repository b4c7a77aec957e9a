/** How much an agent has spent today and this month, by the UTC day. */
import { dayOf } from '../../kernel/moments.ts';
import type { Usage } from './events.ts';

const monthOf = (day: string): string => day.slice(0, 7);

export const noUsage = (at: Date): Usage => ({
  day: dayOf(at),
  dailyTransactionCount: 0,
  dailySpend: 0n,
  monthlySpend: 0n,
});

/** The counters at a moment. A moment before their day, from a clock that is behind, counts towards their day. */
export function usageAt(usage: Usage, at: Date): Usage {
  const day = dayOf(at);
  if (day <= usage.day) return usage;
  const monthlySpend = monthOf(day) === monthOf(usage.day) ? usage.monthlySpend : 0n;
  return { ...noUsage(at), monthlySpend };
}

export function reserve(usage: Usage, spend: bigint, at: Date): Usage {
  const current = usageAt(usage, at);
  return {
    day: current.day,
    dailyTransactionCount: current.dailyTransactionCount + 1,
    dailySpend: current.dailySpend + spend,
    monthlySpend: current.monthlySpend + spend,
  };
}

/** Takes back what was counted on `countedOn`, as far as the counters still count that day and month. */
export function release(usage: Usage, spend: bigint, countedOn: string): Usage {
  const sameDay = usage.day === countedOn;
  const sameMonth = monthOf(usage.day) === monthOf(countedOn);
  return {
    day: usage.day,
    dailyTransactionCount: usage.dailyTransactionCount - (sameDay ? 1 : 0),
    dailySpend: usage.dailySpend - (sameDay ? spend : 0n),
    monthlySpend: usage.monthlySpend - (sameMonth ? spend : 0n),
  };
}

/** When the counters will be zero again: the next UTC day, and the next UTC month. */
export function resetsOf({ day }: Usage): {
  readonly dailyResetDate: string;
  readonly monthlyResetMonth: string;
} {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return {
    dailyResetDate: dayOf(new Date(Date.UTC(year, month - 1, date + 1))),
    monthlyResetMonth: monthOf(dayOf(new Date(Date.UTC(year, month, 1)))),
  };
}
