/**
 * The first answer to a keyed request is the answer to all. A concurrent duplicate waits for the first: in the same
 * process for its promise, elsewhere by looking again. The wait is bounded: what a keyed request creates follows from
 * its key, so running it twice is harmless. Keys that arrive together are taken, and kept, together.
 */
import { inBatches } from '../../batches.ts';
import type { Pool } from '../../postgres/pool.ts';
import { within } from '../../within.ts';

const keptHours = 24;
const heldMs = 5_000;
const pollMs = 50;
const togetherMax = 256;

/** Of the row `k` and the moment `$3`. */
const isOld = `k.created_at < $3 - $4 * interval '1 hour'`;

export type Kept = { readonly status: number; readonly body: string };

/**
 * The right to run a keyed request; `keep` or `release` must follow. One who takes so long that another has taken the
 * key over keeps nothing, and releases nothing of the other's.
 */
export type Begun = {
  /** When the key was first used: a day later the same key means another request. */
  readonly since: string;
  readonly keep: (answer: Kept) => Promise<void>;
  readonly release: () => Promise<void>;
};

export type IdempotencyStore = {
  /** The kept answer, or the right to run the request. */
  begin(scope: string): Promise<Kept | Begun>;
  /** Forgets answers older than a day. */
  forgetOld(now: Date): Promise<void>;
};

type Settled<Result> = {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};
/** A key that is held. Each time that it is taken it is held until another moment. */
type Held = { readonly scope: string; readonly since: Date; readonly until: string };
type Taking = { readonly scope: string } & Settled<Held | undefined>;
type Keeping = { readonly held: Held; readonly answer: Kept } & Settled<void>;
/** What a request of this process that is under way will have answered. */
type Running = PromiseWithResolvers<Kept | undefined>;

export function idempotencyStore(pool: Pool, now: () => Date): IdempotencyStore {
  const running = new Map<string, Running>();

  const take = inBatches<Taking>(togetherMax, (group) => takeAll(pool, now(), group));
  const save = inBatches<Keeping>(togetherMax, (group) => keepAll(pool, group));
  const acquire = (scope: string): Promise<Held | undefined> =>
    new Promise((resolve, reject) => take({ scope, resolve, reject }));

  const ended = (scope: string, own: Running, kept?: Kept) => {
    own.resolve(kept);
    if (running.get(scope) === own) running.delete(scope);
  };
  const right = (held: Held, own: Running): Begun => ({
    since: held.since.toISOString(),
    keep: (answer) =>
      new Promise<void>((resolve, reject) => save({ held, answer, resolve, reject })).then(
        () => ended(held.scope, own, answer),
        (error) => {
          ended(held.scope, own);
          throw error;
        },
      ),
    release: () => release(pool, held).finally(() => ended(held.scope, own)),
  });
  /** The right to run the request; without it somebody else has run it, or is at it. */
  const tryBegin = async (scope: string): Promise<Begun | undefined> => {
    const own: Running = Promise.withResolvers();
    running.set(scope, own);
    try {
      const held = await acquire(scope);
      if (held) return right(held, own);
      ended(scope, own);
      return undefined;
    } catch (error) {
      ended(scope, own);
      throw error;
    }
  };

  return {
    async begin(scope) {
      for (;;) {
        const other = running.get(scope);
        const kept = other ? await within(heldMs, other.promise) : undefined;
        if (kept && kept !== 'late') return kept;
        // One that takes too long is overtaken: that is harmless, and better than waiting for ever.
        if (other && running.get(scope) !== other) continue;
        const begun = await tryBegin(scope);
        if (begun) return begun;
        const elsewhere = await find(pool, scope);
        if (elsewhere) return elsewhere;
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    },
    async forgetOld(at) {
      await pool.query(
        `delete from idempotency_keys where created_at < $1::timestamptz - $2 * interval '1 hour'`,
        [at, keptHours],
      );
    },
  };
}

async function takeAll(pool: Pool, at: Date, group: readonly Taking[]): Promise<void> {
  try {
    const scopes = [...new Set(group.map(({ scope }) => scope))].sort();
    const { rows } = await pool.query<{ scope: string; since: Date; until: string }>({
      name: 'take-keys',
      text: `
        insert into idempotency_keys as k (scope, held_until, created_at)
        select scope, clock_timestamp() + $2 * interval '1 millisecond', $3 from unnest($1::text[]) as s (scope)
        on conflict (scope) do update
          set held_until = excluded.held_until, status = null, body = null,
              created_at = case when ${isOld} then excluded.created_at else k.created_at end
          where (k.status is null and k.held_until < clock_timestamp()) or ${isOld}
        returning scope, created_at as since, held_until::text as until`,
      values: [scopes, heldMs, at, keptHours],
    });
    const taken = new Map(rows.map((row) => [row.scope, row]));
    for (const { scope, resolve } of group) {
      const held = taken.get(scope);
      // Of several that want the same key at the same moment the first has it.
      taken.delete(scope);
      resolve(held);
    }
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

async function keepAll(pool: Pool, group: readonly Keeping[]): Promise<void> {
  try {
    await pool.query({
      name: 'keep-answers',
      text: `
        insert into idempotency_keys as k (scope, status, body, held_until, created_at)
        select * from unnest($1::text[], $2::int[], $3::text[], $4::timestamptz[], $5::timestamptz[])
        on conflict (scope) do update set status = excluded.status, body = excluded.body
        where k.status is null and k.held_until = excluded.held_until`,
      values: [
        group.map(({ held }) => held.scope),
        group.map(({ answer }) => answer.status),
        group.map(({ answer }) => answer.body),
        group.map(({ held }) => held.until),
        group.map(({ held }) => held.since),
      ],
    });
    for (const { resolve } of group) resolve();
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

async function release(pool: Pool, { scope, until }: Held): Promise<void> {
  await pool.query(
    `update idempotency_keys set held_until = clock_timestamp()
     where scope = $1 and status is null and held_until = $2::timestamptz`,
    [scope, until],
  );
}

async function find(pool: Pool, scope: string): Promise<Kept | undefined> {
  const { rows } = await pool.query<{ status: number | null; body: string | null }>(
    'select status, body from idempotency_keys where scope = $1',
    [scope],
  );
  const [row] = rows;
  return row && row.status !== null ? { status: row.status, body: row.body ?? '' } : undefined;
}
