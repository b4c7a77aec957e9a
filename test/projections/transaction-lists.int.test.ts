import { describe, expect, it } from 'vitest';
import type { ReadDb } from '../../projections/database.ts';
import { transactionLists } from '../../projections/models/transaction-lists.ts';
import { idOf } from '../../src/kernel/ids.ts';
import { query } from '../support/database.ts';
import { uuidNumber } from '../support/ids.ts';
import { emptyBooks } from '../support/read-models.ts';

const platform = idOf('Platform', uuidNumber(1));
const page = { limit: 10 };

/** Books with payments `Transaction:1` and so on, the newest first, and a list of them. */
async function listed(many: number) {
  const { url, db } = await emptyBooks();
  await query(
    url,
    `insert into daybook.transactions (id, platform_id, type, status, source, destination, receiver_account, sent_minor,
       sent_currency, received_minor, received_currency, fees, reference, created_at, updated_at)
     select 'Transaction:' || n, $1, 'INCOMING', 'PENDING', '{}', '{}', 'x', 1, 'USD', 1, 'USD', 0, 'r',
       now() - n * interval '1 second', now() from generate_series(1, $2::int) as n`,
    [platform, many],
  );
  const list = transactionLists(db);
  const change = (id: number, status: string) =>
    query(url, 'update daybook.transactions set status = $2 where id = $1', [`Transaction:${id}`, status]);
  const statuses = async (filters = {}) => {
    const { rows } = await list(platform, filters, page, 'desc');
    return rows.map(({ id, status }) => `${id.slice('Transaction:'.length)} ${status}`);
  };
  return { url, db, list, change, statuses };
}

/** How many rows the database has handed out in full. */
async function rowsRead(db: ReadDb, work: () => Promise<unknown>): Promise<number> {
  let full = 0;
  const { executeQuery } = db.getExecutor();
  const executor = db.getExecutor();
  executor.executeQuery = async (compiled, options) => {
    const result = await executeQuery.call(executor, compiled, options);
    full += result.rows.filter(
      (row) => row !== null && typeof row === 'object' && 'receiver_account' in row,
    ).length;
    return result as never;
  };
  await work();
  executor.executeQuery = executeQuery;
  return full;
}

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

  it('reads the rows that are new, and no others', async () => {
    const { db, change, statuses } = await listed(5);
    expect(await rowsRead(db, () => statuses())).toBe(5);
    expect(await rowsRead(db, () => statuses())).toBe(0);
    await change(4, 'COMPLETED');
    expect(await rowsRead(db, () => statuses())).toBe(1);
  });
});
