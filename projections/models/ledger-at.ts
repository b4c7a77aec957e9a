/**
 * What the books held at a moment, by either clock. The last posting up to which everything had been recorded has the
 * running balance; what was recorded after it counts where its own moment lies before the one that is asked for. Those
 * are few: what was recorded within the next second, and what lagged by more, which has an index of its own.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../src/domain/books/clocks.ts';
import type { InternalAccountId, PlatformId } from '../../src/kernel/ids.ts';
import { Rejected } from '../../src/kernel/rejected.ts';
import { type AsOf, asOfColumn, withAsOf } from '../as-of.ts';
import type { ReadDb } from '../database.ts';
import type { LedgerBalance } from './ledger.ts';

/** A moment that belongs to what is asked for. */
export type Instant = { readonly clock: Clock; readonly at: Date };

/** As in the index of what lags. */
const usualLagMs = 1_000;

/** The column of a clock. */
export const clockColumn = ({ clock }: Pick<Instant, 'clock'>) =>
  sql.raw<Date>(clock === 'recorded' ? 'p.at' : 'p.happened_at');

/** Those after a position that lag: few, and found by their own index, whichever account is asked for. */
export const laggingAfter = (platformId: PlatformId, position: RawBuilder<unknown>) => sql`
  lagging as materialized (
    select p.* from postings p
    where p.platform_id = ${platformId} and p.recorded_high - p.happened_at > interval '1 second'
      and p.position > ${position}
  )`;

/** The position up to which everything had been recorded by then. */
export const recordedBy = (at: Date): RawBuilder<bigint> => sql<bigint>`
  coalesce((
    select e.position from postings e
    where e.n = 0 and e.projected_after is null and e.recorded_high <= ${at}
    order by e.recorded_high desc, e.position desc limit 1
  ), 0)`;

/** After this nothing belongs to what had been by then, but for what lags. */
export const usuallyRecordedBy = (at: Date): RawBuilder<bigint> =>
  recordedBy(new Date(at.getTime() + usualLagMs));

/** An account that is the platform's. */
export type OfAccount = { readonly platformId: PlatformId; readonly accountId: InternalAccountId };

/** What an internal account held. Throws `Rejected` (503) where the read model has to be rebuilt before. */
export async function accountBalanceAt(
  db: ReadDb,
  account: OfAccount,
  instant: Instant,
): Promise<{ readonly minor: bigint; readonly asOf: bigint }> {
  await requireComplete(db);
  return balanceInCompleteBooks(db, account, instant);
}

/** The same for who has made sure that the books are complete. */
export async function balanceInCompleteBooks(
  db: ReadDb,
  { platformId, accountId }: OfAccount,
  instant: Instant,
): Promise<{ readonly minor: bigint; readonly asOf: bigint }> {
  const { at } = instant;
  const of = sql`p.account = ${accountId} and p.account like 'InternalAccount:%'`;
  const { rows } = await sql<{ minor: bigint; as_of: bigint | null }>`
    with edge as materialized (
      select ${recordedBy(at)} as position, ${usuallyRecordedBy(at)} as usual
    ), ${laggingAfter(platformId, sql`(select position from edge)`)}
    select
      coalesce((
        select p.balance from postings p
        where ${of} and p.position <= (select position from edge) order by p.position desc limit 1
      ), 0) + ${restOf(of, instant)} as minor, ${asOfColumn}
    from (values (1)) as one`.execute(db);
  const [row] = rows;
  return { minor: row?.minor ?? 0n, asOf: row?.as_of ?? 0n };
}

/** What each account of the books held, per currency, all internal accounts together. */
export async function ledgerBalancesAt(
  db: ReadDb,
  platformId: PlatformId,
  instant: Instant,
): Promise<AsOf<readonly LedgerBalance[]>> {
  await requireComplete(db);
  const { at } = instant;
  const ofPlatform = sql`p.platform_id = ${platformId} and p.currency = b.currency`;
  const internal = sql`${ofPlatform} and p.account like 'InternalAccount:%'`;
  const system = sql`${ofPlatform} and p.account = b.account and p.account not like 'InternalAccount:%'`;
  const heldBy = (of: RawBuilder<unknown>) => sql<bigint>`(
    coalesce((
      select p.held + ${projectedLate(platformId, of)} from postings p
      where ${of} and p.projected_after is null and p.position <= (select position from edge)
      order by p.position desc, p.n desc limit 1
    ), ${projectedLateAlone(platformId, of)}) + ${restOf(of, instant)}
  )`;
  const balances = sql<LedgerBalance & { as_of: bigint | null }>`
    with edge as materialized (
      select ${recordedBy(at)} as position, ${usuallyRecordedBy(at)} as usual
    ), ${laggingAfter(platformId, sql`(select position from edge)`)}
    select b.account, b.currency,
      case when b.account = 'internal' then ${heldBy(internal)} else ${heldBy(system)} end as minor,
      ${asOfColumn}
    from ledger_balances b where b.platform_id = ${platformId} order by b.currency, b.account`;
  return withAsOf(db, ['postings', 'ledger_balances'], (one) => balances.execute(one));
}

/** What counts though it was recorded after the edge. */
const restOf = (of: RawBuilder<unknown>, instant: Instant): RawBuilder<bigint> => sql<bigint>`
  coalesce((
    select sum(late.minor) from (
      select p.position, p.n, p.minor from postings p
      where ${of} and p.position > (select position from edge) and p.position <= (select usual from edge)
        and ${clockColumn(instant)} <= ${instant.at}
      union
      select p.position, p.n, p.minor from lagging p where ${of} and ${clockColumn(instant)} <= ${instant.at}
    ) late
  ), 0)`;

/** Postings before the one that is read, which were projected after it and are not in what it says. */
const projectedLate = (platformId: PlatformId, of: RawBuilder<unknown>): RawBuilder<bigint> => sql<bigint>`
  coalesce((
    select sum(l.minor) from (
      select p.minor, p.position, p.projected_after from postings p
      where ${of} and p.platform_id = ${platformId} and p.projected_after is not null
    ) l where l.position <= (select position from edge) and l.projected_after >= p.position
  ), 0)`;

/** The same where no other posting is before. */
const projectedLateAlone = (
  platformId: PlatformId,
  of: RawBuilder<unknown>,
): RawBuilder<bigint> => sql<bigint>`
  coalesce((
    select sum(p.minor) from postings p
    where ${of} and p.platform_id = ${platformId} and p.projected_after is not null
      and p.position <= (select position from edge)
  ), 0)`;

const retryAfterSeconds = 60;

/**
 * Throws `Rejected` (503) while there are rows of a former version, which have no balances: nor has their table the
 * indexes that questions about moments need.
 */
export async function requireComplete(db: ReadDb): Promise<void> {
  const { rows } = await sql`select from postings where recorded_high is null limit 1`.execute(db);
  if (rows.length > 0)
    throw new Rejected(
      'SERVICE_UNAVAILABLE',
      'The books of this installation are those of an earlier version: the operator has to rebuild the read model ledger.',
      { retryAfterSeconds },
    );
}
