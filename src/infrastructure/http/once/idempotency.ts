/**
 * The first answer to a keyed request is the answer to all. A concurrent duplicate waits for the first: in the same
 * process for its promise, elsewhere by looking again. The wait is bounded: what a keyed request creates follows from
 * its key, so running it twice is harmless. Keys that arrive together are taken, and kept, together.
 */
import { inBatches } from '../../batches.ts';
import type { Pool } from '../../postgres/pool.ts';
import { within } from '../../within.ts';

export const keptHours = 24;
const heldMs = 5_000;
const pollMs = 50;
const togetherMax = 256;

/** Of the row `k` and the moment `$3`. */
const isOld = `k.created_at < $3 - $4 * interval '1 hour'`;

export type Kept = { readonly status: number; readonly body: string };

/**
 * The right to run a keyed request; `keep` or `release` must follow. `since` is when the key was first used: a day
 * later the same key means another request.
 */
export type Begun = { readonly since: string };

export type IdempotencyStore = {
  /** The kept answer, or the right to run the request. */
  begin(scope: string): Promise<Kept | Begun>;
  keep(scope: string, answer: Kept): Promise<void>;
  release(scope: string): Promise<void>;
  /** Forgets answers older than a day. */
  forgetOld(now: Date): Promise<void>;
};

type Settled<Result> = {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};
type Taking = { readonly scope: string } & Settled<Begun | undefined>;
type Keeping = { readonly scope: string; readonly answer: Kept } & Settled<void>;

export function idempotencyStore(pool: Pool, now: () => Date): IdempotencyStore {
  /** Requests of this process that are under way, each with what it will have answered. */
  const running = new Map<string, PromiseWithResolvers<Kept | undefined>>();

  const take = inBatches<Taking>(togetherMax, (group) => takeAll(pool, now(), group));
  const save = inBatches<Keeping>(togetherMax, (group) => keepAll(pool, group));
  const acquire = (scope: string): Promise<Begun | undefined> =>
    new Promise((resolve, reject) => take({ scope, resolve, reject }));

  const ended = (scope: string, kept?: Kept) => {
    running.get(scope)?.resolve(kept);
    running.delete(scope);
  };
  /** The right to run the request; without it somebody else has run it, or is at it. */
  const tryBegin = async (scope: string): Promise<Begun | undefined> => {
    running.set(scope, Promise.withResolvers());
    try {
      const right = await acquire(scope);
      if (!right) ended(scope);
      return right;
    } catch (error) {
      ended(scope);
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
        const right = await tryBegin(scope);
        if (right) return right;
        const elsewhere = await find(pool, scope);
        if (elsewhere) return elsewhere;
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    },
    async keep(scope, answer) {
      try {
        await new Promise<void>((resolve, reject) => save({ scope, answer, resolve, reject }));
        ended(scope, answer);
      } catch (error) {
        ended(scope);
        throw error;
      }
    },
    async release(scope) {
      await pool
        .query(
          'update idempotency_keys set held_until = clock_timestamp() where scope = $1 and status is null',
          [scope],
        )
        .finally(() => ended(scope));
    },
    async forgetOld(at) {
      await pool.query(`delete from idempotency_keys where created_at < $1 - $2 * interval '1 hour'`, [
        at,
        keptHours,
      ]);
    },
  };
}

async function takeAll(pool: Pool, at: Date, group: readonly Taking[]): Promise<void> {
  try {
    const scopes = [...new Set(group.map(({ scope }) => scope))].sort();
    const { rows } = await pool.query<{ scope: string; created_at: Date }>({
      name: 'take-keys',
      text: `
        insert into idempotency_keys as k (scope, held_until, created_at)
        select scope, clock_timestamp() + $2 * interval '1 millisecond', $3 from unnest($1::text[]) as s (scope)
        on conflict (scope) do update
          set held_until = excluded.held_until, status = null, body = null,
              created_at = case when ${isOld} then excluded.created_at else k.created_at end
          where (k.status is null and k.held_until < clock_timestamp()) or ${isOld}
        returning scope, created_at`,
      values: [scopes, heldMs, at, keptHours],
    });
    const taken = new Map(rows.map((row) => [row.scope, row.created_at]));
    for (const { scope, resolve } of group) {
      const since = taken.get(scope);
      // Of several that want the same key at the same moment the first has it.
      taken.delete(scope);
      resolve(since && { since: since.toISOString() });
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
        update idempotency_keys as k set status = a.status, body = a.body
        from unnest($1::text[], $2::int[], $3::text[]) as a (scope, status, body) where k.scope = a.scope`,
      values: [
        group.map(({ scope }) => scope),
        group.map(({ answer }) => answer.status),
        group.map(({ answer }) => answer.body),
      ],
    });
    for (const { resolve } of group) resolve();
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

async function find(pool: Pool, scope: string): Promise<Kept | undefined> {
  const { rows } = await pool.query<{ status: number | null; body: string | null }>(
    'select status, body from idempotency_keys where scope = $1',
    [scope],
  );
  const [row] = rows;
  return row && row.status !== null ? { status: row.status, body: row.body ?? '' } : undefined;
}
