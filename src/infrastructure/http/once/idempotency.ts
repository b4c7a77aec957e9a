/**
 * The first answer to a keyed request is the answer to all. A concurrent duplicate waits for the
 * first. The wait is bounded: what a keyed request creates follows from its key, so running it twice is harmless.
 */
import type { Pool } from '../../postgres/pool.ts';

const keptHours = 24;
const heldMs = 5_000;
const pollMs = 50;

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

export function idempotencyStore(pool: Pool, now: () => Date): IdempotencyStore {
  const acquire = async (scope: string): Promise<Begun | undefined> => {
    const { rows } = await pool.query<{ created_at: Date }>(
      `insert into idempotency_keys as k (scope, held_until, created_at)
       values ($1, clock_timestamp() + $2 * interval '1 millisecond', $3)
       on conflict (scope) do update
         set held_until = excluded.held_until, status = null, body = null,
             created_at = case when ${isOld} then excluded.created_at else k.created_at end
         where (k.status is null and k.held_until < clock_timestamp()) or ${isOld}
       returning created_at`,
      [scope, heldMs, now(), keptHours],
    );
    return rows[0] && { since: rows[0].created_at.toISOString() };
  };
  const find = async (scope: string) => {
    const { rows } = await pool.query<{ status: number | null; body: string | null }>(
      'select status, body from idempotency_keys where scope = $1',
      [scope],
    );
    return rows[0];
  };

  return {
    async begin(scope) {
      for (;;) {
        const begun = await acquire(scope);
        if (begun) return begun;
        const row = await find(scope);
        if (row && row.status !== null) return { status: row.status, body: row.body ?? '' };
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    },
    async keep(scope, { status, body }) {
      await pool.query('update idempotency_keys set status = $2, body = $3 where scope = $1', [
        scope,
        status,
        body,
      ]);
    },
    async release(scope) {
      await pool.query(
        'update idempotency_keys set held_until = clock_timestamp() where scope = $1 and status is null',
        [scope],
      );
    },
    async forgetOld(at) {
      await pool.query(`delete from idempotency_keys where created_at < $1 - $2 * interval '1 hour'`, [
        at,
        keptHours,
      ]);
    },
  };
}
