import type { Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createReadDb } from '../../../projections/database.ts';
import { transactionTotals } from '../../../projections/migrations/0008-transaction-totals.ts';
import { transactionLists } from '../../../projections/models/transaction-lists.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { query } from '../../support/postgres/database.ts';
import { type Books, emptyBooks } from '../../support/postgres/read-models.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const [here, elsewhere] = [idOf('Platform', uuidNumber(1)), idOf('Platform', uuidNumber(2))];
const [ada, bob] = [idOf('Customer', uuidNumber(3)), idOf('Customer', uuidNumber(4))];

let number = 0;
/** Payments straight into the table, all by one statement, at a moment in whole milliseconds as those of the log are. */
const pay = (url: string, platform: string, customer: string | null, many: number) => {
  number += many;
  return query(
    url,
    `insert into daybook.transactions (id, platform_id, type, status, customer_id, source, destination,
       receiver_account, sent_minor, sent_currency, received_minor, received_currency, fees, reference, created_at,
       updated_at)
     select 'Transaction:' || ($4::int - n), $1, 'INCOMING', 'PENDING', $2, '{}', '{}', 'x', 1, 'USD', 1, 'USD', 0, 'r',
       date_trunc('milliseconds', now()), now() from generate_series(1, $3::int) as n`,
    [platform, customer, many, number],
  );
};
const totals = async ({ db }: Books, platform = here, filters = {}) =>
  (await transactionLists(db)(platform, filters, { limit: 2 }, 'desc')).totalCount;

describe('how many payments there are', () => {
  it('is kept for a platform, and for each of its customers', async () => {
    const books = await emptyBooks();
    await pay(books.url, here, ada, 3);
    await pay(books.url, here, bob, 4);
    await pay(books.url, here, null, 1);
    await pay(books.url, elsewhere, ada, 5);
    expect(await totals(books)).toBe(8);
    expect(await totals(books, here, { customerId: ada })).toBe(3);
    expect(await totals(books, elsewhere)).toBe(5);
  });

  it('is counted where more is asked for', async () => {
    const books = await emptyBooks();
    await pay(books.url, here, ada, 3);
    await query(books.url, `update daybook.transactions set status = 'FAILED' where id like '%1'`);
    const failed = await query<{ n: number }>(
      books.url,
      `select count(*)::int as n from daybook.transactions where status = 'FAILED'`,
    );
    expect(await totals(books, here, { customerId: ada, status: 'FAILED' })).toBe(failed[0]?.n);
  });

  it('is nothing where there are none', async () => {
    const books = await emptyBooks();
    expect(await totals(books)).toBe(0);
    await expect(
      transactionLists(books.db)(here, { status: 'FAILED' }, { limit: 2 }, 'desc'),
    ).resolves.toEqual({
      rows: [],
      totalCount: 0,
    });
  });

  it('is said of the last page, which may be empty, as of the first', async () => {
    const books = await emptyBooks();
    await pay(books.url, here, ada, 3);
    const first = await transactionLists(books.db)(here, {}, { limit: 2 }, 'desc');
    await query(books.url, 'delete from daybook.transactions where id = $1', [
      (await transactionLists(books.db)(here, {}, { limit: 2, cursor: first.nextCursor }, 'desc')).rows[0]
        ?.id,
    ]);
    const last = await transactionLists(books.db)(here, {}, { limit: 2, cursor: first.nextCursor }, 'desc');
    expect(last).toEqual({ rows: [], totalCount: 3 });
  });

  it('does not change when a payment does', async () => {
    const books = await emptyBooks();
    await pay(books.url, here, ada, 3);
    await query(
      books.url,
      `insert into daybook.transactions select * from daybook.transactions on conflict (id) do update set status = 'FAILED'`,
    );
    expect(await totals(books)).toBe(3);
  });

  it('is counted anew for tables of an earlier version', async () => {
    const books = await emptyBooks();
    await query(books.url, 'drop trigger transactions_are_counted on daybook.transactions');
    await query(books.url, 'drop function daybook.count_transactions');
    await query(books.url, 'drop table daybook.transaction_totals');
    await pay(books.url, here, ada, 6);
    await pay(books.url, here, null, 1);
    const upgrading = createReadDb(createPool({ url: books.url, max: 1, name: 'test-upgrade' }));
    await upgrading.transaction().execute((open) => transactionTotals.up(open as unknown as Kysely<unknown>));
    await upgrading.destroy();
    await pay(books.url, here, ada, 1);
    expect(await totals(books)).toBe(8);
    expect(await totals(books, here, { customerId: ada })).toBe(7);
  });
});
