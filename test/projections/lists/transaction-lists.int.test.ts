import { describe, expect, it } from 'vitest';
import type { ReadDb } from '../../../projections/database.ts';
import { type ListTransactions, transactionLists } from '../../../projections/models/transaction-lists.ts';
import { idOf } from '../../../src/kernel/ids.ts';
import { query } from '../../support/postgres/database.ts';
import { afterFirstStatement, emptyBooks } from '../../support/postgres/read-models.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const platform = idOf('Platform', uuidNumber(1));
const [ada, bob] = [idOf('Customer', uuidNumber(2)), idOf('Customer', uuidNumber(3))];
const page = { limit: 10 };

/** Books with payments `Transaction:1` and so on, the newest first, and a list of them. */
async function listed(many: number) {
  const { url, db } = await emptyBooks();
  await query(
    url,
    `insert into daybook.transactions (id, platform_id, type, status, source, destination, receiver_account, sent_minor,
       sent_currency, received_minor, received_currency, fees, reference, created_at, updated_at)
     select 'Transaction:' || n, $1, 'INCOMING', 'PENDING', '{}', '{}', 'x', 1, 'USD', 1, 'USD', 0, 'r',
       date_trunc('milliseconds', now()) - n * interval '1 second', now() from generate_series(1, $2::int) as n`,
    [platform, many],
  );
  await query(
    url,
    `insert into daybook.uncompleted_transactions select platform_id, status, created_at, id from daybook.transactions`,
  );
  const list = transactionLists(db);
  const change = (id: number, status: string) =>
    query(
      url,
      `with changed as (
         update daybook.transactions set status = $2 where id = $1 returning platform_id, status, created_at, id
       ), gone as (delete from daybook.uncompleted_transactions where id = $1)
       insert into daybook.uncompleted_transactions select * from changed where status <> 'COMPLETED'`,
      [`Transaction:${id}`, status],
    );
  const statuses = async (filters = {}) => {
    const { rows } = await list(platform, filters, page, 'desc');
    return rows.map(({ id, status }) => `${id.slice('Transaction:'.length)} ${status}`);
  };
  return { url, db, list, change, statuses };
}

/** How many rows the database has handed out in full, by how many statements of any kind. */
async function read(db: ReadDb, work: () => Promise<unknown>) {
  let [full, statements] = [0, 0];
  const { executeQuery } = db.getExecutor();
  const executor = db.getExecutor();
  executor.executeQuery = async (compiled, options) => {
    const result = await executeQuery.call(executor, compiled, options);
    statements += 1;
    full += result.rows.filter(
      (row) => row !== null && typeof row === 'object' && 'receiver_account' in row,
    ).length;
    return result as never;
  };
  await work();
  executor.executeQuery = executeQuery;
  return { full, statements };
}
const rowsRead = async (db: ReadDb, work: () => Promise<unknown>) => (await read(db, work)).full;

describe('a list that was read before', () => {
  it('shows what has changed since', async () => {
    const { change, statuses } = await listed(3);
    expect(await statuses()).toEqual(['1 PENDING', '2 PENDING', '3 PENDING']);
    await change(2, 'COMPLETED');
    expect(await statuses()).toEqual(['1 PENDING', '2 COMPLETED', '3 PENDING']);
    await change(2, 'REFUNDED');
    expect(await statuses()).toEqual(['1 PENDING', '2 REFUNDED', '3 PENDING']);
  });

  it('shows what is no longer there no more', async () => {
    const { url, statuses } = await listed(2);
    await statuses();
    await query(url, `delete from daybook.transactions where id = 'Transaction:1'`);
    expect(await statuses()).toEqual(['2 PENDING']);
  });

  it('filters by what is, not by what is remembered', async () => {
    const { change, statuses } = await listed(3);
    await statuses();
    await change(3, 'FAILED');
    expect(await statuses({ status: 'FAILED' })).toEqual(['3 FAILED']);
    expect(await statuses({ status: 'PENDING' })).toEqual(['1 PENDING', '2 PENDING']);
  });

  it('is the same to the members as one that is read for the first time', async () => {
    const { db, list, change } = await listed(3);
    await list(platform, {}, page, 'desc');
    await change(1, 'COMPLETED');
    const again = await list(platform, {}, page, 'desc');
    expect(again).toEqual(await transactionLists(db)(platform, {}, page, 'desc'));
  });

  it.each([
    ['of a status', { status: 'PENDING' }, ['2 PENDING', '3 PENDING']],
    ['of all', {}, ['1 COMPLETED', '2 PENDING', '3 PENDING']],
  ])(
    'is of one moment where a payment changes between its key and its row: %s',
    async (_what, filters, shown) => {
      const { db, list, change } = await listed(3);
      afterFirstStatement(db, () => change(1, 'COMPLETED'));
      const { rows, totalCount } = await list(platform, { startDate: new Date(0), ...filters }, page, 'desc');
      expect(rows.map(({ id, status }) => `${id.slice('Transaction:'.length)} ${status}`)).toEqual(shown);
      expect(totalCount).toBe(shown.length);
    },
  );

  it('counts a payment no more that goes between its key and its row', async () => {
    const { db, list, url } = await listed(3);
    afterFirstStatement(db, () => query(url, `delete from daybook.transactions where id = 'Transaction:2'`));
    const { rows, totalCount } = await list(platform, { startDate: new Date(0) }, page, 'desc');
    expect([rows.length, totalCount]).toEqual([2, 2]);
  });

  it('reads the rows that are new, and no others', async () => {
    const { db, change, statuses } = await listed(5);
    expect(await rowsRead(db, () => statuses())).toBe(5);
    expect(await rowsRead(db, () => statuses())).toBe(0);
    await change(4, 'COMPLETED');
    expect(await rowsRead(db, () => statuses())).toBe(1);
  });
});

describe('payments of one status', () => {
  type Within = { readonly from?: number; readonly to?: number; readonly type?: 'INCOMING' | 'OUTGOING' };
  const wanted: readonly (readonly [string, Within, readonly number[]])[] = [
    ['PENDING', {}, [2, 4, 6]],
    ['PENDING', { from: 4 }, [2, 4]],
    ['PENDING', { to: 4 }, [4, 6]],
    ['PENDING', { from: 5, to: 3, type: 'INCOMING' }, [4]],
    ['COMPLETED', {}, [1, 5]],
    ['COMPLETED', { from: 4 }, [1]],
    ['COMPLETED', { to: 2 }, [5]],
    ['COMPLETED', { type: 'INCOMING' }, [1, 5]],
    ['COMPLETED', { type: 'OUTGOING' }, []],
    ['REFUNDED', { from: 3, to: 3 }, [3]],
    ['CREATED', {}, []],
  ];

  it.each(wanted)('%s, %o: are shown page by page, and counted', async (status, { from, to, type }, ids) => {
    const { list, change } = await listed(6);
    for (const id of [1, 5]) await change(id, 'COMPLETED');
    await change(3, 'REFUNDED');
    const { rows } = await list(platform, {}, page, 'desc');
    const createdAt = (id: number) => rows[id - 1]?.created_at;
    const filters = {
      status,
      ...(from && { startDate: createdAt(from) }),
      ...(to && { endDate: createdAt(to) }),
      ...(type && { type }),
    };
    const shown: number[] = [];
    let cursor: string | undefined;
    do {
      const found = await list(platform, filters, { limit: 1, cursor }, 'desc');
      expect(found.totalCount).toBe(ids.length);
      shown.push(...found.rows.map(({ id }) => Number(id.slice('Transaction:'.length))));
      cursor = found.nextCursor;
    } while (cursor !== undefined);
    expect(shown).toEqual(ids);
  });

  it('are none where a platform has made no payments', async () => {
    const { list } = await listed(1);
    const other = idOf('Platform', uuidNumber(9));
    expect(await list(other, { status: 'COMPLETED' }, page, 'desc')).toMatchObject({
      rows: [],
      totalCount: 0,
    });
  });
});

describe('pages in which payments change between their keys and their rows', () => {
  it('are each what was asked for, and of one moment', async () => {
    const { db, list, change } = await listed(6);
    afterFirstStatement(db, () => change(2, 'COMPLETED'));
    const pages = await Promise.all([
      list(platform, {}, { limit: 2 }, 'desc'),
      list(platform, {}, { limit: 4 }, 'asc'),
      list(idOf('Platform', uuidNumber(9)), {}, page, 'desc'),
      list(platform, {}, page, 'desc'),
    ]);
    const shown = pages.map(({ rows }) => rows.map(({ id, status }) => `${id.slice(-1)} ${status}`).join());
    const all = '1 PENDING,2 COMPLETED,3 PENDING,4 PENDING,5 PENDING,6 PENDING';
    expect(shown).toEqual([all.slice(0, 21), '6 PENDING,5 PENDING,4 PENDING,3 PENDING', '', all]);
    expect(pages.map(({ nextCursor }) => nextCursor !== undefined)).toEqual([true, true, false, false]);
  });
});

describe('pages that are asked for at the same time', () => {
  const ids = ({ rows }: Awaited<ReturnType<ListTransactions>>) =>
    rows.map(({ id }) => Number(id.slice('Transaction:'.length)));

  /** Payments 1 to 6 of one platform, the odd ones of Ada, and others of another platform. */
  async function shared() {
    const books = await listed(6);
    await query(
      books.url,
      `update daybook.transactions set customer_id = case when substr(id, 13)::int % 2 = 1 then $1 else $2 end`,
      [ada, bob],
    );
    await query(
      books.url,
      `insert into daybook.transaction_totals select $1, c, 3 from unnest($2::text[]) as c on conflict do nothing`,
      [platform, [ada, bob]],
    );
    return books;
  }

  it('each have their own payments, order, length, place and total', async () => {
    const { list } = await shared();
    const first = await list(platform, {}, { limit: 2 }, 'desc');
    const upwards = await list(platform, {}, { limit: 4 }, 'asc');
    const of = {
      desc: { limit: 2, cursor: first.nextCursor },
      asc: { limit: 4, cursor: upwards.nextCursor },
    };
    const elsewhere = idOf('Platform', uuidNumber(9));
    const pages = await Promise.all([
      list(platform, {}, { limit: 2 }, 'desc'),
      list(platform, {}, of.desc, 'desc'),
      list(platform, {}, { limit: 4 }, 'asc'),
      list(platform, {}, of.asc, 'asc'),
      list(platform, { customerId: ada }, page, 'desc'),
      list(platform, { customerId: bob }, { limit: 1 }, 'asc'),
      list(elsewhere, {}, page, 'desc'),
      list(elsewhere, { customerId: ada }, page, 'desc'),
    ]);
    expect(pages.map(ids)).toEqual([[1, 2], [3, 4], [6, 5, 4, 3], [2, 1], [1, 3, 5], [6], [], []]);
    expect(pages.map(({ totalCount }) => totalCount)).toEqual([6, 6, 6, 6, 3, 3, 0, 0]);
    const more = pages.map(({ nextCursor }) => nextCursor !== undefined);
    expect(more).toEqual([true, true, true, false, false, true, false, false]);
  });

  it('are two statements, however many ask', async () => {
    const { db, list } = await shared();
    const asked = () =>
      Promise.all(
        Array.from({ length: 40 }, (_one, n) => list(platform, {}, { limit: 1 + (n % 6) }, 'desc')),
      );
    // The keys of all pages, and the rows.
    expect(await read(db, asked)).toEqual({ full: 6, statements: 2 });
    expect(await read(db, asked)).toEqual({ full: 0, statements: 1 });
  });

  it('are all refused where the statement is', async () => {
    const { url, list } = await shared();
    await query(url, 'alter table daybook.transactions rename to hidden');
    const pages = await Promise.allSettled([
      list(platform, {}, page, 'desc'),
      list(platform, {}, { limit: 3 }, 'desc'),
    ]);
    expect(pages.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await query(url, 'alter table daybook.hidden rename to transactions');
    expect(ids(await list(platform, {}, { limit: 3 }, 'desc'))).toEqual([1, 2, 3]);
  });

  it('refuse a cursor of another list alone', async () => {
    const { list } = await shared();
    const { nextCursor: cursor } = await list(platform, {}, { limit: 2 }, 'desc');
    const [foreign, own] = await Promise.allSettled([
      list(platform, { customerId: ada }, { limit: 2, cursor }, 'desc'),
      list(platform, {}, { limit: 2, cursor }, 'desc'),
    ]);
    expect([foreign.status, own.status]).toEqual(['rejected', 'fulfilled']);
  });
});
