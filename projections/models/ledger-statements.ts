/** The statement of an account between two moments, page by page. */
import { sql } from 'kysely';
import type { Clock } from '../../src/domain/books/clocks.ts';
import type { TransactionId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { atOneMoment } from '../one-moment.ts';
import {
  balanceInCompleteBooks,
  clockColumn,
  laggingAfter,
  type OfAccount,
  recordedBy,
  requireComplete,
  usuallyRecordedBy,
} from './ledger-at.ts';

export type Period = {
  readonly clock: Clock;
  /** Both belong to the period. */
  readonly from: Date;
  readonly to: Date;
};

export type StatementEntry = {
  readonly position: bigint;
  readonly event_id: string;
  readonly transaction_id: TransactionId | null;
  readonly currency: string;
  /** Positive into the account. */
  readonly minor: bigint;
  /** What the account held after it, in the order of the log. */
  readonly balance: bigint;
  readonly at: Date;
  readonly happened_at: Date;
};

type Wanted = OfAccount & {
  /** Entries after this position. */
  readonly after: bigint;
  readonly limit: number;
};

export type Statement = {
  /** What the account held before the period, and at its end, in minor units. */
  readonly opening: bigint;
  readonly closing: bigint;
  /** In the order of the log. */
  readonly entries: readonly StatementEntry[];
  /** How many there are in the period, on all pages. */
  readonly total: number;
  /** After which position the next page begins; `undefined` on the last. */
  readonly next: bigint | undefined;
  /** Up to which position of the log all of it holds. */
  readonly asOf: bigint;
};

/** A page, with the database of one moment. Throws `Rejected` (503) where the read model has to be rebuilt before. */
export const accountStatement = (
  db: ReadDb,
  { platformId, accountId, after, limit }: Wanted,
  period: Period,
): Promise<Statement> =>
  atOneMoment(db, ['postings'], async (one) => {
    await requireComplete(one);
    const { clock, from, to } = period;
    const account = { platformId, accountId };
    const opening = await balanceInCompleteBooks(one, account, { clock, at: justBefore(from) });
    const closing = await balanceInCompleteBooks(one, account, { clock, at: to });
    const found = await statementEntries(one, { ...account, after, limit: limit + 1 }, period);
    const entries = found.entries.slice(0, limit);
    return {
      opening: opening.minor,
      closing: closing.minor,
      entries,
      total: found.total,
      next: found.entries.length > limit ? entries.at(-1)?.position : undefined,
      asOf: closing.asOf,
    };
  });

/** The last moment that the log can tell from this one. */
const justBefore = (at: Date): Date => new Date(at.getTime() - 1);

/** In the order of the log, with how many there are in the period. The books are complete. */
export async function statementEntries(
  db: ReadDb,
  { platformId, accountId, after, limit }: Wanted,
  period: Period,
): Promise<Pick<Statement, 'entries' | 'total'>> {
  const { from, to } = period;
  const of = sql`
    p.account = ${accountId} and p.account like 'InternalAccount:%' and ${clockColumn(period)} >= ${from}
    and ${clockColumn(period)} <= ${to}`;
  const edge = sql`
    edge as materialized (
      select ${recordedBy(justBefore(from))} as first, ${usuallyRecordedBy(to)} as last
    ), ${laggingAfter(platformId, sql`(select last from edge)`)}`;
  const usual = sql`${of} and p.position > (select first from edge) and p.position <= (select last from edge)`;
  const columns = sql.raw(
    'p.position, p.event_id, p.transaction_id, p.currency, p.minor, p.balance, p.at, p.happened_at',
  );
  const page = sql`p.position > ${after} order by p.position limit ${limit}`;
  const { rows } = await sql<StatementEntry>`
    with ${edge}
    (select ${columns} from postings p where ${usual} and ${page})
    union all (select ${columns} from lagging p where ${of} and ${page})
    order by position limit ${limit}`.execute(db);
  const counted = await sql<{ total: bigint }>`
    with ${edge}
    select (select count(*) from postings p where ${usual}) + (select count(*) from lagging p where ${of}) as total
    `.execute(db);
  return { entries: rows, total: Number(counted.rows[0]?.total ?? 0n) };
}
