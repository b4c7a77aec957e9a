/** Rate limits: those that all processes share, counted in Postgres, and those that each counts for itself. */
import { derivedUuid } from '../../../kernel/ids.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import { booksSchema, type Pool } from '../../postgres/pool.ts';
import { forgetInSteps } from '../../steps.ts';

const windowMs = 60_000;
/** What ends later was put there by a clock that was wrong, and counts as over. */
const endsWithinMs = 2 * windowMs;

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

type Deps = {
  readonly pool: Pool;
  /** The installation's time: the hosts of its processes may have others. */
  readonly now: () => Date;
};

/** `perMinute` of 0 means no limit. */
export function createRateLimits<Name extends string>(
  deps: Deps,
  perMinute: Readonly<Record<Name, number>>,
): RateLimits<Name> {
  const counters = new Map(
    (Object.keys(perMinute) as Name[])
      .filter((name) => perMinute[name] > 0)
      .map((name) => [name, counterOf(deps, name)]),
  );
  return async (name, ...key) => {
    const window = await counters.get(name)?.count(key);
    if (window && window.points > perMinute[name]) throw limited(window.leftMs);
  };
}

/** `perMinute` of 0 means no limit. */
export function createFailureLimit(deps: Deps, name: string, perMinute: number): FailureLimit {
  if (perMinute === 0) return { check: async () => {}, count: async () => {} };
  const counter = counterOf(deps, name);
  return {
    async check(...key) {
      const window = await counter.read(key);
      if (window && window.points >= perMinute) throw limited(window.leftMs);
    },
    async count(...key) {
      await counter.count(key);
    },
  };
}

type Window = { readonly points: number; readonly leftMs: number };
type Row = { readonly points: number; readonly expire: number };

const table = `${booksSchema}.rate_limits`;
/** At the time that is the first parameter. */
const isOpen = `r.expire > $1::bigint and r.expire <= $1::bigint + ${endsWithinMs}`;

function counterOf({ pool, now }: Deps, limit: string) {
  const ask = async (name: string, text: string, key: readonly string[]): Promise<Window | undefined> => {
    const nowMs = now().getTime();
    const values = [nowMs, `${limit}:${derivedUuid(...key)}`];
    const { rows } = await pool.query<Row>({ name, text, values });
    const [row] = rows;
    return row && { points: row.points, leftMs: row.expire - nowMs };
  };
  return {
    /** With this one. */
    count: (key: readonly string[]) => ask('count-rate', countQuery, key),
    read: (key: readonly string[]) => ask('read-rate', readQuery, key),
  };
}

const countQuery = `
  insert into ${table} as r (key, points, expire) values ($2, 1, $1::bigint + ${windowMs})
  on conflict (key) do update set
    points = case when ${isOpen} then r.points + 1 else 1 end,
    expire = case when ${isOpen} then r.expire else excluded.expire end
  returning points, expire`;

const readQuery = `select points, expire from ${table} as r where key = $2 and ${isOpen}`;

/** Forgets the windows that are over. */
export async function forgetRates({ pool, now }: Deps): Promise<void> {
  await forgetInSteps(pool, forgetQuery, [now().getTime()]);
}

const forgetQuery = `
  delete from ${table} where key in (
    select key from ${table} as r where not (${isOpen}) limit $2 for update skip locked)`;

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
      ends = now + windowMs;
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
