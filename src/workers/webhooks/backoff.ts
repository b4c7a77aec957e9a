/** When a failed call is tried again: after 5 s, doubling, at most 30 min apart, for 7 days. */
import { doubledMs } from '../../kernel/backoff.ts';

export const firstRetryMs = 5_000;
export const longestRetryMs = 30 * 60_000;
export const retryForMs = 7 * 24 * 3_600_000;
/** A receiver may ask for more time than that, but not for ever. */
export const retryAfterMaxMs = 24 * 3_600_000;

/** `retries` counts the failed calls before this one. */
export const retryDelayMs = (retries: number): number =>
  doubledMs(retries + 1, { minMs: firstRetryMs, maxMs: longestRetryMs });

type Failure = {
  readonly retries: number;
  /** When this delivery began. */
  readonly since: Date;
  readonly now: Date;
  readonly retryAfterMs?: number | undefined;
};

/** `undefined` when it is not tried again. */
export function nextAttemptAt({ retries, since, now, retryAfterMs = 0 }: Failure): Date | undefined {
  const delayMs = Math.max(retryDelayMs(retries), Math.min(retryAfterMs, retryAfterMaxMs));
  const at = new Date(now.getTime() + delayMs);
  return at.getTime() - since.getTime() > retryForMs ? undefined : at;
}

/** The header `Retry-After`: seconds, or an HTTP date. `undefined` when it is neither. */
export function parseRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const at = /^[a-z]{3,9},? /i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
