/** The rows of payments, for who compares them with the log. */
import { type Selectable, sql } from 'kysely';
import type { TransactionId } from '../../src/kernel/ids.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import { loadCheckpoint, projectionsCheckpoint } from '../kept/checkpoints.ts';
import { atOneMoment } from '../one-moment.ts';
import type { TransactionRow, TransactionTotalsTable } from '../tables/transactions.ts';

export type CopiedCounts = {
  /** Rows of payments, by platform. */
  readonly rows: ReadonlyMap<string, number>;
  /** What is counted otherwise than the rows are. */
  readonly miscounted: readonly Miscounted[];
  /** One of those that are not among the uncompleted with their status, or of those among them that should not be. */
  readonly misplaced: Misplaced | undefined;
};

export type Misplaced = {
  readonly id: TransactionId;
  /** By its row, where that is not COMPLETED; and among the uncompleted. */
  readonly status: string | null;
  readonly listed: string | null;
};

export type Miscounted = Selectable<TransactionTotalsTable> & { readonly rows: bigint };

export async function copiedCounts(transaction: WriteDb): Promise<CopiedCounts> {
  const counted = await sql<Selectable<TransactionTotalsTable>>`
    select platform_id, case when grouping(customer_id) = 1 then '' else customer_id end as customer_id,
      count(*) as total
    from transactions
    group by grouping sets ((platform_id), (platform_id, customer_id))
    having grouping(customer_id) = 1 or customer_id is not null`.execute(transaction);
  const totals = await transaction.selectFrom('transaction_totals').selectAll().execute();
  const keyOf = (row: Pick<Miscounted, 'platform_id' | 'customer_id'>) =>
    `${row.platform_id} ${row.customer_id}`;
  const rows = new Map(counted.rows.map((row) => [keyOf(row), row]));
  const said = new Map(totals.map((row) => [keyOf(row), row]));
  return {
    rows: new Map(
      counted.rows
        .filter(({ customer_id }) => customer_id === '')
        .map(({ platform_id, total }) => [platform_id, Number(total)]),
    ),
    miscounted: [...new Map([...rows, ...said])]
      .map(([key, row]) => ({ ...row, total: said.get(key)?.total ?? 0n, rows: rows.get(key)?.total ?? 0n }))
      .filter(({ total, rows: there }) => total !== there),
    misplaced: await misplacedPayment(transaction),
  };
}

async function misplacedPayment(transaction: WriteDb): Promise<Misplaced | undefined> {
  const { rows } = await sql<Misplaced>`
    select coalesce(t.id, u.id) as id, t.status, u.status as listed
    from (select platform_id, status, created_at, id from transactions where status <> 'COMPLETED') t
    full join uncompleted_transactions u
      on (u.platform_id, u.status, u.created_at, u.id) = (t.platform_id, t.status, t.created_at, t.id)
    where t.id is null or u.id is null order by 1, 2, 3 limit 1`.execute(transaction);
  return rows[0];
}

/** Rows of payments, by id, and the position of the log up to which they were copied at that moment. */
export const copiedPayments = (
  db: ReadDb,
  ids: readonly TransactionId[],
): Promise<{ readonly position: bigint; readonly rows: ReadonlyMap<string, TransactionRow> }> =>
  atOneMoment(db, ['transactions'], async (transaction) => {
    const position = (await loadCheckpoint(transaction, projectionsCheckpoint)) ?? 0n;
    const found = await transaction
      .selectFrom('transactions')
      .selectAll()
      .where(({ eb, val }) => eb('id', '=', eb.fn.any(val([...ids]))))
      .execute();
    return { position, rows: new Map(found.map((row) => [row.id, row])) };
  });
