/** The entries of an account between two moments, page by page. */
import { sql } from 'kysely';
import type { Clock } from '../../src/domain/books/clocks.ts';
import type { InternalAccountId, PlatformId, TransactionId } from '../../src/kernel/ids.ts';
import type { ReadDb } from '../database.ts';
import { clockColumn, laggingAfter, recordedBy, requireComplete, usuallyRecordedBy } from './ledger-at.ts';

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

type Wanted = {
  readonly platformId: PlatformId;
  readonly accountId: InternalAccountId;
  /** Entries after this position. */
  readonly after: bigint;
  readonly limit: number;
};

/**
 * In the order of the log, with how many there are in the period. The account is the platform's, and what is read with
 * the database of one moment.
 */
export async function statementEntries(
  db: ReadDb,
  { platformId, accountId, after, limit }: Wanted,
  period: Period,
): Promise<{ readonly entries: readonly StatementEntry[]; readonly total: number }> {
  await requireComplete(db);
  const { from, to } = period;
  const of = sql`
    p.account = ${accountId} and p.account like 'InternalAccount:%' and ${clockColumn(period)} >= ${from}
    and ${clockColumn(period)} <= ${to}`;
  const edge = sql`
    edge as materialized (
      select ${recordedBy(new Date(from.getTime() - 1))} as first, ${usuallyRecordedBy(to)} as last
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
