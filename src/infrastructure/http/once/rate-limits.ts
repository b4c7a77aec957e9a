/** Rate limits: those that all processes share, counted in Postgres, and those that each counts for itself. */

import { derivedUuid } from '../../../kernel/ids.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import { arrayText } from '../../postgres/arrays.ts';
import { booksSchema, type Pool } from '../../postgres/pool.ts';
import { rememberNewest } from '../../remembered/newest.ts';
import { askedTogether } from '../../scheduling/batches.ts';
import { forgetInSteps } from '../../scheduling/steps.ts';

const windowMs = 60_000;
/** What ends later was put there by a clock that was wrong, and counts as over. */
const endsWithinMs = 2 * windowMs;
/** Requests that are counted by one statement. */
const countedTogether = 256;
/** Of those who are beyond a limit, so many are refused without a look at the table. */
const beyondMax = 10_000;

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

/** `perMinute` of 0 means no limit. Who is beyond one is refused until it ends, and not counted any more. */
export function createRateLimits<Name extends string>(
  deps: Deps,
  perMinute: Readonly<Record<Name, number>>,
): RateLimits<Name> {
  const { count } = counterOf(deps);
  const beyond = rememberNewest<string, number>(beyondMax);
  return async (name, ...about) => {
    if (perMinute[name] === 0) return;
    const [key, nowMs] = [keyOf(name, about), deps.now().getTime()];
    const known = beyond.get(key);
    if (known !== undefined && isOpenAt(nowMs, known)) throw limited(known - nowMs);
    const { points, expire } = await count(key);
    if (points <= perMinute[name]) return;
    beyond.set(key, expire);
    throw limited(expire - nowMs);
  };
}

/** `perMinute` of 0 means no limit. */
export function createFailureLimit(deps: Deps, name: string, perMinute: number): FailureLimit {
  if (perMinute === 0) return { check: async () => {}, count: async () => {} };
  const { count, read } = counterOf(deps);
  return {
    async check(...about) {
      const window = await read(keyOf(name, about));
      if (window && window.points >= perMinute) throw limited(window.expire - deps.now().getTime());
    },
    async count(...about) {
      await count(keyOf(name, about));
    },
  };
}

/** `expire` in milliseconds of the installation's time. */
type Window = { readonly points: number; readonly expire: number };

const keyOf = (limit: string, about: readonly string[]): string => `${limit}:${derivedUuid(...about)}`;

const table = `${booksSchema}.rate_limits`;
/** At the time that is the first parameter. */
const isOpen = `r.expire > $1::bigint and r.expire <= $1::bigint + ${endsWithinMs}`;
const isOpenAt = (nowMs: number, expire: number): boolean => expire > nowMs && expire <= nowMs + endsWithinMs;

/** Those that come together are counted by one statement: requests of one token would wait for its row one by one. */
function counterOf({ pool, now }: Deps) {
  const count = askedTogether<string, Window>(countedTogether, async (keys) => {
    const counted = new Map<string, number>();
    const places = keys.map((key) => {
      const place = (counted.get(key) ?? 0) + 1;
      counted.set(key, place);
      return place;
    });
    const windows = await add(counted);
    return keys.map((key, n) => {
      const { points, expire } = windows.get(key) as Window;
      return { points: points - (counted.get(key) as number) + (places[n] as number), expire };
    });
  });
  const add = async (counted: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, Window>> => {
    const values = [now().getTime(), arrayText([...counted.keys()]), arrayText([...counted.values()])];
    const { rows } = await pool.query<Window & { readonly key: string }>({
      name: 'count-rates',
      text: countQuery,
      values,
    });
    return new Map(rows.map((row) => [row.key, row]));
  };
  return {
    /** With this one. */
    count,
    async read(key: string): Promise<Window | undefined> {
      const values = [now().getTime(), key];
      const { rows } = await pool.query<Window>({ name: 'read-rate', text: readQuery, values });
      return rows[0];
    },
  };
}

/** In the order of the keys: two processes would wait for each other for ever otherwise. */
const countQuery = `
  insert into ${table} as r (key, points, expire)
  select key, many, $1::bigint + ${windowMs} from unnest($2::text[], $3::int[]) as asked (key, many) order by key
  on conflict (key) do update set
    points = case when ${isOpen} then r.points + excluded.points else excluded.points end,
    expire = case when ${isOpen} then r.expire else excluded.expire end
  returning key, points, expire`;

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
