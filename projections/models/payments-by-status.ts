/** Payments of one status: of those that are not COMPLETED there is a table, which all others are not in. */
import { expressionBuilder } from 'kysely';
import type { PlatformId } from '../../src/kernel/ids.ts';
import type { Database, ReadDb } from '../database.ts';
import { within } from '../dates.ts';
import type { TransactionRow } from '../tables/transactions.ts';

type Status = TransactionRow['status'];

/** The condition for it, on `transactions`. */
export function hasStatus(status: Status) {
  const { eb, exists, selectFrom } = expressionBuilder<Database, 'transactions'>();
  if (status === 'COMPLETED') return eb('status', '=', 'COMPLETED');
  return exists(
    selectFrom('uncompleted_transactions as u')
      .select('u.id')
      .whereRef('u.platform_id', '=', 'transactions.platform_id')
      .where('u.status', '=', status)
      .whereRef('u.created_at', '=', 'transactions.created_at')
      .whereRef('u.id', '=', 'transactions.id'),
  );
}

type Dates = { readonly startDate?: Date | undefined; readonly endDate?: Date | undefined };

/** How many of a platform's were created within these dates, both inclusive: from indexes alone. */
export function countByStatus(db: ReadDb, platformId: PlatformId, status: Status, dates: Dates) {
  const uncompleted = countOf(db, 'uncompleted_transactions', platformId, dates);
  if (status !== 'COMPLETED') return uncompleted.where('status', '=', status);
  const isOfAnyTime = dates.startDate === undefined && dates.endDate === undefined;
  const all = isOfAnyTime ? totalOf(db, platformId) : countOf(db, 'transactions', platformId, dates);
  return db.selectNoFrom(({ eb, fn, lit }) =>
    eb(fn.coalesce(all, lit(0)), '-', uncompleted)
      .$castTo<bigint>()
      .as('total'),
  );
}

const countOf = (
  db: ReadDb,
  table: 'transactions' | 'uncompleted_transactions',
  platformId: PlatformId,
  { startDate, endDate }: Dates,
) =>
  db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<bigint>().as('total'))
    .where('platform_id', '=', platformId)
    .where(within({ createdAfter: startDate, createdBefore: endDate }));

/** As it is kept, so that the payments of years need not be counted for a page. */
const totalOf = (db: ReadDb, platformId: PlatformId) =>
  db
    .selectFrom('transaction_totals')
    .select('total')
    .where('platform_id', '=', platformId)
    .where('customer_id', '=', '');
