/** Rate limits that all processes share, counted in Postgres. */
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { derivedUuid } from '../../../kernel/ids.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import { booksSchema, type Pool } from '../../postgres/pool.ts';

const windowSeconds = 60;

/** Counts a request of `key` under one of the limits. Throws `Rejected` (RATE_LIMITED) when it is one too many. */
export type RateLimits<Name extends string> = (name: Name, ...key: readonly string[]) => Promise<void>;

/** `perMinute` of 0 means no limit. */
export function createRateLimits<Name extends string>(
  pool: Pool,
  perMinute: Readonly<Record<Name, number>>,
): RateLimits<Name> {
  const limiters = new Map(
    (Object.keys(perMinute) as Name[])
      .filter((name) => perMinute[name] > 0)
      .map((name) => [
        name,
        new RateLimiterPostgres({
          storeClient: pool,
          storeType: 'pool',
          points: perMinute[name],
          duration: windowSeconds,
          keyPrefix: name,
          schemaName: booksSchema,
          tableName: 'rate_limits',
          tableCreated: true,
          clearExpiredByTimeout: true,
        }),
      ]),
  );
  return async (name, ...key) => {
    try {
      await limiters.get(name)?.consume(derivedUuid(...key));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const retryAfterSeconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw new Rejected('RATE_LIMITED', `Too many requests. Try again in ${retryAfterSeconds} seconds.`, {
        retryAfterSeconds,
      });
    }
  };
}
