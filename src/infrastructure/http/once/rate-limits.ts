/** Rate limits: those that all processes share, counted in Postgres, and those that each counts for itself. */
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { derivedUuid } from '../../../kernel/ids.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import { booksSchema, type Pool } from '../../postgres/pool.ts';

const windowSeconds = 60;

/** Counts a request of `key` under one of the limits. Throws `Rejected` (RATE_LIMITED) when it is one too many. */
export type RateLimits<Name extends string> = (name: Name, ...key: readonly string[]) => Promise<void>;

/**
 * Limits what goes wrong, and leaves what goes well uncounted. What is under way at the same moment is counted when it
 * ends, so as many as are at work at once may go beyond the limit, once in its window.
 */
export type FailureLimit = {
  /** Throws `Rejected` (RATE_LIMITED) when as much has gone wrong for `key` as may. */
  readonly check: (...key: readonly string[]) => Promise<void>;
  readonly count: (...key: readonly string[]) => Promise<void>;
};

/** `perMinute` of 0 means no limit. */
export function createRateLimits<Name extends string>(
  pool: Pool,
  perMinute: Readonly<Record<Name, number>>,
): RateLimits<Name> {
  const limiters = new Map(
    (Object.keys(perMinute) as Name[])
      .filter((name) => perMinute[name] > 0)
      .map((name) => [name, limiterOf(pool, name, perMinute[name])]),
  );
  return async (name, ...key) => {
    try {
      await limiters.get(name)?.consume(derivedUuid(...key));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw limited(error.msBeforeNext);
    }
  };
}

/** `perMinute` of 0 means no limit. */
export function createFailureLimit(pool: Pool, name: string, perMinute: number): FailureLimit {
  if (perMinute === 0) return { check: async () => {}, count: async () => {} };
  const limiter = limiterOf(pool, name, perMinute);
  return {
    async check(...key) {
      const failed = await limiter.get(derivedUuid(...key));
      if (failed && failed.consumedPoints >= perMinute) throw limited(failed.msBeforeNext);
    },
    async count(...key) {
      await limiter.penalty(derivedUuid(...key));
    },
  };
}

const limiterOf = (pool: Pool, name: string, perMinute: number) =>
  new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    points: perMinute,
    duration: windowSeconds,
    keyPrefix: name,
    schemaName: booksSchema,
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: true,
  });

/**
 * Counts in this process alone, which costs next to nothing. Throws `Rejected` (RATE_LIMITED) for a request of `key`
 * that is one too many. `perMinute` of 0 means no limit.
 */
export function createOwnRateLimit(perMinute: number): (key: string) => void {
  const counts = new Map<string, number>();
  let ends = 0;
  return (key) => {
    if (perMinute === 0) return;
    const now = performance.now();
    if (now >= ends) {
      counts.clear();
      ends = now + windowSeconds * 1000;
    }
    const count = (counts.get(key) ?? 0) + 1;
    if (count > perMinute) throw limited(ends - now);
    counts.set(key, count);
  };
}

function limited(waitMs: number): Rejected {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `Too many requests. Try again in ${retryAfterSeconds} seconds.`;
  return new Rejected('RATE_LIMITED', message, { retryAfterSeconds });
}
