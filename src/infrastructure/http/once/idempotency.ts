/**
 * The first answer to a keyed request is the answer to all. A concurrent duplicate waits for the first: in the same
 * process for its promise, elsewhere by looking again. The wait is bounded: what a keyed request creates follows from
 * its key, so running it twice is harmless. Keys that arrive together are taken, and kept, together.
 */
import { Rejected } from '../../../kernel/rejected.ts';
import { inBatches } from '../../batches.ts';
import { arrayText } from '../../postgres/arrays.ts';
import type { Pool } from '../../postgres/pool.ts';
import { inSteps } from '../../steps.ts';
import { within } from '../../within.ts';
import type { Fingerprint } from './fingerprint.ts';

export const keptHours = 24;
const heldMs = 5_000;
const pollMs = 50;
const retryAfterSeconds = 1;
const togetherMax = 256;

/** Of the row `k` and the moment `$3`. */
const isOld = `k.created_at < $3 - $4 * interval '1 hour'`;

type Answered = { readonly status: number; readonly body: string };

/** What the first request with the key asked for; unknown of a key from before it was kept. */
type Asked = { readonly fingerprint: Fingerprint | undefined };

export type Kept = Answered & Asked;

/**
 * The right to run a keyed request; `keep`, `leave` or `forget` must follow. One who takes so long that another has
 * taken the key over keeps nothing, and leaves or forgets nothing of the other's: the other's answer is the first.
 */
export type Begun = Asked & {
  /** When the key was first used: a day later the same key means another request. */
  readonly since: string;
  /** It was begun before and has no answer: whatever it does may have been done. */
  readonly isRepeat: boolean;
  /**
   * What is kept under the key from now on: this answer, or that of who has taken the key over. Throws `Rejected`
   * (SERVICE_UNAVAILABLE) where that one has none either.
   */
  readonly keep: (answer: Answered) => Promise<Kept>;
  /** There is no answer, and something may have been done: the next one begins it again. */
  readonly leave: () => Promise<void>;
  /** Nothing was done: the key is as good as new. */
  readonly forget: () => Promise<void>;
};

export type IdempotencyStore = {
  /** The kept answer, or the right to run the request. `tenant` is for whom, where that is to be forgotten by itself. */
  begin(scope: string, fingerprint: Fingerprint, tenant?: string): Promise<Kept | Begun>;
  /** Forgets answers older than a day, in steps. */
  forgetOld(now: Date): Promise<void>;
};

type Settled<Result> = {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};
/** A key that is held. Each time that it is taken it is held until another moment. */
type Held = {
  readonly scope: string;
  readonly since: Date;
  readonly until: string;
  readonly fingerprint: Fingerprint | null;
  readonly isRepeat: boolean;
};
type Wanted = {
  readonly scope: string;
  readonly fingerprint: Fingerprint;
  readonly tenant: string | undefined;
};
type Taking = Wanted & Settled<Held | undefined>;
type Keeping = { readonly held: Held; readonly answer: Answered } & Settled<boolean>;
/** What a request of this process that is under way will have answered. */
type Running = PromiseWithResolvers<Kept | undefined>;

export function idempotencyStore(pool: Pool, now: () => Date, seed?: string): IdempotencyStore {
  const running = new Map<string, Running>();

  const take = inBatches<Taking>(togetherMax, (group) => takeAll(pool, now(), group));
  const save = inBatches<Keeping>(togetherMax, (group) => keepAll(pool, group));
  const acquire = (wanted: Wanted): Promise<Held | undefined> =>
    new Promise((resolve, reject) => take({ ...wanted, resolve, reject }));

  const ended = (scope: string, own: Running, kept?: Kept) => {
    own.resolve(kept);
    if (running.get(scope) === own) running.delete(scope);
  };
  const right = (held: Held, own: Running): Begun => {
    const { scope, isRepeat } = held;
    const fingerprint = held.fingerprint ?? undefined;
    return {
      fingerprint,
      since: seed ?? held.since.toISOString(),
      isRepeat,
      async keep(answer) {
        let kept: Kept | undefined;
        try {
          const isOurs = await new Promise<boolean>((resolve, reject) =>
            save({ held, answer, resolve, reject }),
          );
          kept = isOurs ? { ...answer, fingerprint } : await keptByOther(pool, scope);
          return kept;
        } finally {
          ended(scope, own, kept);
        }
      },
      leave: () => leave(pool, held).finally(() => ended(scope, own)),
      forget: () => forget(pool, held).finally(() => ended(scope, own)),
    };
  };
  /** The right to run the request; without it somebody else has run it, or is at it. */
  const tryBegin = async (wanted: Wanted): Promise<Begun | undefined> => {
    const { scope } = wanted;
    const own: Running = Promise.withResolvers();
    running.set(scope, own);
    try {
      const held = await acquire(wanted);
      if (held) return right(held, own);
      ended(scope, own);
      return undefined;
    } catch (error) {
      ended(scope, own);
      throw error;
    }
  };

  return {
    async begin(scope, fingerprint, tenant) {
      for (;;) {
        const other = running.get(scope);
        const kept = other ? await within(heldMs, other.promise) : undefined;
        if (kept && kept !== 'late') return kept;
        // One that takes too long is overtaken: that is harmless, and better than waiting for ever.
        if (other && running.get(scope) !== other) continue;
        const begun = await tryBegin({ scope, fingerprint, tenant });
        if (begun) return begun;
        const elsewhere = await find(pool, scope);
        if (elsewhere) return elsewhere;
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
    },
    async forgetOld(at) {
      await inSteps(async (max) => (await pool.query(forgetQuery, [at, keptHours, max])).rowCount ?? 0);
    },
  };
}

const forgetQuery = `
  delete from idempotency_keys where scope in (
    select scope from idempotency_keys where created_at < $1::timestamptz - $2 * interval '1 hour'
    order by created_at limit $3 for update skip locked)`;

/** A row that was there before it was taken has an `xmax`: that of the update which took it. */
async function takeAll(pool: Pool, at: Date, group: readonly Taking[]): Promise<void> {
  try {
    const wanted = new Map(group.toReversed().map((one) => [one.scope, one]));
    const scopes = [...wanted.keys()].sort();
    const { rows } = await pool.query<Held>({
      name: 'take-keys',
      text: `
        insert into idempotency_keys as k (scope, held_until, created_at, fingerprint, tenant)
        select scope, clock_timestamp() + $2 * interval '1 millisecond', $3, fingerprint, tenant
        from rows from (unnest($1::text[]), json_array_elements_text($5), unnest($6::text[])) as s (scope, fingerprint, tenant)
        on conflict (scope) do update
          set held_until = excluded.held_until, status = null, body = null,
              created_at = case when ${isOld} then excluded.created_at else k.created_at end,
              fingerprint = case when ${isOld} then excluded.fingerprint else coalesce(k.fingerprint, excluded.fingerprint) end
          where (k.status is null and k.held_until not between clock_timestamp() and clock_timestamp() + $2 * interval '1 millisecond') or ${isOld}
        returning scope, created_at as since, held_until::text as until, fingerprint, xmax <> 0 as "isRepeat"`,
      values: [
        arrayText(scopes),
        heldMs,
        at.toISOString(),
        keptHours,
        JSON.stringify(scopes.map((scope) => wanted.get(scope)?.fingerprint)),
        arrayText(scopes.map((scope) => wanted.get(scope)?.tenant)),
      ],
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

/** A key that was taken over has two holders, who may come together: each statement has a key once. */
async function keepAll(pool: Pool, group: readonly Keeping[]): Promise<void> {
  const firsts = new Map(group.toReversed().map((keeping) => [keeping.held.scope, keeping]));
  await keepEach(pool, [...firsts.values()]);
  const others = group.filter((keeping) => firsts.get(keeping.held.scope) !== keeping);
  if (others.length > 0) await keepAll(pool, others);
}

async function keepEach(pool: Pool, group: readonly Keeping[]): Promise<void> {
  try {
    const { rows } = await pool.query<{ scope: string }>({
      name: 'keep-answers',
      text: `
        insert into idempotency_keys as k (scope, status, body, held_until, created_at)
        select * from rows from (
          unnest($1::text[]), unnest($2::int[]), json_array_elements_text($3), unnest($4::timestamptz[]), unnest($5::timestamptz[])
        ) as s
        on conflict (scope) do update set status = excluded.status, body = excluded.body
        where k.status is null and k.held_until = excluded.held_until
        returning scope`,
      values: [
        arrayText(group.map(({ held }) => held.scope)),
        arrayText(group.map(({ answer }) => answer.status)),
        JSON.stringify(group.map(({ answer }) => answer.body)),
        arrayText(group.map(({ held }) => held.until)),
        arrayText(group.map(({ held }) => held.since.toISOString())),
      ],
    });
    const ours = new Set(rows.map(({ scope }) => scope));
    for (const { held, resolve } of group) resolve(ours.has(held.scope));
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

/** Who holds the key is at it as long as the key is held. */
async function keptByOther(pool: Pool, scope: string): Promise<Kept> {
  const latest = performance.now() + heldMs;
  while (performance.now() < latest) {
    const kept = await find(pool, scope);
    if (kept) return kept;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  const message = `Another request with this Idempotency-Key is under way. Send it again in ${retryAfterSeconds} second.`;
  throw new Rejected('SERVICE_UNAVAILABLE', message, { retryAfterSeconds });
}

async function leave(pool: Pool, { scope, until }: Held): Promise<void> {
  await pool.query(
    `update idempotency_keys set held_until = clock_timestamp()
     where scope = $1 and status is null and held_until = $2::timestamptz`,
    [scope, until],
  );
}

async function forget(pool: Pool, { scope, until }: Held): Promise<void> {
  await pool.query(
    'delete from idempotency_keys where scope = $1 and status is null and held_until = $2::timestamptz',
    [scope, until],
  );
}

async function find(pool: Pool, scope: string): Promise<Kept | undefined> {
  const { rows } = await pool.query<{
    status: number | null;
    body: string | null;
    fingerprint: Fingerprint | null;
  }>('select status, body, fingerprint from idempotency_keys where scope = $1', [scope]);
  const [row] = rows;
  if (!row || row.status === null) return undefined;
  return { status: row.status, body: row.body ?? '', fingerprint: row.fingerprint ?? undefined };
}
