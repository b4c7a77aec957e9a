/** The table of keys: those that arrive together are taken by one statement, and kept by one. */
import { longestRequestSeconds } from '../../deadlines/deadline.ts';
import { arrayText } from '../../postgres/arrays.ts';
import { answerMaxMs, type Pool } from '../../postgres/pool.ts';
import { forgetInSteps } from '../../scheduling/steps.ts';
import type { Fingerprint } from './fingerprint.ts';

/** After its first use. */
export const keptHours = 24;
/** A key is free again after so long, whoever has it. */
export const heldMs = 5_000;

/**
 * What a request had sent to a store by the end of its time may be done so much later: the statement that appends waits for a
 * connection, and is carried out, or EventStoreDB takes it.
 */
const sentMaxMs = 12_000;
/** From when a key is taken: nothing is done under it afterwards by who has taken it then. */
const atWorkMaxMs = (requestMaxMs: number): number => requestMaxMs + sentMaxMs;
/** However long requests have in other processes: what is said to take longer was said before the clock was put back. */
const longestAtWorkMs = atWorkMaxMs(longestRequestSeconds * 1_000);

/** Of the row `k` and the moment `$3`. */
const isOld = `k.created_at < $3 - $4 * interval '1 hour'`;

export type Answered = { readonly status: number; readonly body: string };

/** What the first request with the key asked for; unknown of a key from before it was kept. */
export type Asked = { readonly fingerprint: Fingerprint | undefined };

export type Kept = Answered & Asked;

type Settled<Result> = {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};
/**
 * A key that is held. Each time that it is taken it is held until another moment. `reached` is how far those keys have been
 * made again that were lost, in positions of the log.
 */
export type Held = {
  readonly scope: string;
  readonly since: Date;
  readonly until: string;
  readonly fingerprint: Fingerprint | null;
  readonly isRepeat: boolean;
  /**
   * The log takes nothing of this holding of the key after this moment, in milliseconds by the clock of Postgres. Others
   * count on it from a little later on: what the log has begun to take is there by then.
   */
  readonly latest: number;
  /** So long others who had the key before may still do what was asked for under it, in whole seconds. */
  readonly othersForSeconds: number | null;
  readonly reached: bigint | null;
};
export type Wanted = {
  readonly scope: string;
  readonly fingerprint: Fingerprint;
  readonly tenant: string | undefined;
};
export type Taking = Wanted & Settled<Held | undefined>;
export type Keeping = { readonly held: Held; readonly answer: Answered } & Settled<boolean>;

/** Each statement locks its rows in the order of their keys: two would wait for each other for ever otherwise. */
const inOrder = <Item>(byScope: ReadonlyMap<string, Item>): readonly Item[] =>
  [...byScope].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);

/** A row that was there before it was taken has an `xmax`: that of the update which took it. */
export async function takeAll(
  pool: Pool,
  at: Date,
  group: readonly Taking[],
  requestMaxMs: number,
): Promise<void> {
  try {
    const wanted = inOrder(new Map(group.toReversed().map((one) => [one.scope, one])));
    const { rows } = await pool.query<Held>({
      name: 'take-keys',
      text: `
        insert into idempotency_keys as k (scope, held_until, at_work_until, created_at, fingerprint, tenant)
        select scope, clock_timestamp() + $2 * interval '1 millisecond',
          clock_timestamp() + $7 * interval '1 millisecond', $3, fingerprint, tenant
        from rows from (unnest($1::text[]), json_array_elements_text($5), unnest($6::text[])) as s (scope, fingerprint, tenant)
        on conflict (scope) do update
          set held_until = excluded.held_until, status = null, body = null,
              at_work_until = excluded.at_work_until,
              others_until = case when ${isOld} then null else least(
                greatest(k.others_until, k.at_work_until, k.held_until + ($7 - $2) * interval '1 millisecond'),
                clock_timestamp() + $8 * interval '1 millisecond') end,
              created_at = case when ${isOld} then excluded.created_at else k.created_at end,
              fingerprint = case when ${isOld} then excluded.fingerprint else coalesce(k.fingerprint, excluded.fingerprint) end
          where (k.status is null and k.held_until not between clock_timestamp() and clock_timestamp() + $2 * interval '1 millisecond') or ${isOld}
        returning scope, created_at as since, held_until::text as until, fingerprint,
          (extract(epoch from at_work_until) * 1000 - $9)::float8 as latest, xmax <> 0 as "isRepeat",
          case when others_until > clock_timestamp()
            then ceil(extract(epoch from others_until - clock_timestamp()))::int end as "othersForSeconds",
          (select position from checkpoints where name = 'projections') as reached`,
      values: [
        arrayText(wanted.map(({ scope }) => scope)),
        heldMs,
        at.toISOString(),
        keptHours,
        JSON.stringify(wanted.map(({ fingerprint }) => fingerprint)),
        arrayText(wanted.map(({ tenant }) => tenant)),
        atWorkMaxMs(requestMaxMs),
        longestAtWorkMs,
        answerMaxMs,
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

/**
 * A key that was taken over has two holders, who may come together: each statement has a key once. Where the later has left
 * it, what the earlier has done all the same is the answer.
 */
export async function keepAll(pool: Pool, group: readonly Keeping[]): Promise<void> {
  const firsts = new Map(group.toReversed().map((keeping) => [keeping.held.scope, keeping]));
  await keepEach(pool, inOrder(firsts));
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
        where k.status is null
          and (k.held_until = excluded.held_until or (k.held_until = '-infinity' and excluded.status < 400))
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

/** The key is free. Where `isOver` is false, who had it may still do something. */
export async function leaveKey(pool: Pool, { scope, until }: Held, isOver: boolean): Promise<void> {
  await pool.query(
    `update idempotency_keys set held_until = '-infinity', at_work_until = null,
       others_until = case when $3 then others_until else greatest(others_until, at_work_until) end
     where scope = $1 and status is null and held_until = $2::timestamptz`,
    [scope, until, isOver],
  );
}

export async function forgetKey(pool: Pool, { scope, until }: Held): Promise<void> {
  await pool.query(
    'delete from idempotency_keys where scope = $1 and status is null and held_until = $2::timestamptz',
    [scope, until],
  );
}

export async function findKept(pool: Pool, scope: string): Promise<Kept | undefined> {
  const { rows } = await pool.query<{
    status: number | null;
    body: string | null;
    fingerprint: Fingerprint | null;
  }>('select status, body, fingerprint from idempotency_keys where scope = $1', [scope]);
  const [row] = rows;
  if (!row || row.status === null) return undefined;
  return { status: row.status, body: row.body ?? '', fingerprint: row.fingerprint ?? undefined };
}

/** Forgets keys that were first used more than a day ago, in steps. */
export const forgetOldKeys = (pool: Pool, at: Date): Promise<unknown> =>
  forgetInSteps(pool, forgetQuery, [at, keptHours]);

const forgetQuery = `
  delete from idempotency_keys where scope in (
    select scope from idempotency_keys where created_at < $1::timestamptz - $2 * interval '1 hour'
    order by created_at limit $3 for update skip locked)`;
