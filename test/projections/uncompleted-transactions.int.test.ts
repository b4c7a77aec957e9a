import type { Kysely } from 'kysely';
import { expect, it } from 'vitest';
import { uncompletedTransactions } from '../../projections/migrations/0073-uncompleted-transactions.ts';
import { progressColumns } from '../../projections/models/transaction-row.ts';
import { query } from '../support/postgres/database.ts';
import { emptyBooks } from '../support/postgres/read-models.ts';

it('payments from before that are not completed are among the uncompleted', async () => {
  const { url, db } = await emptyBooks();
  await query(url, 'drop table daybook.uncompleted_transactions');
  await query(url, 'create index on daybook.transactions (platform_id, status, created_at, id)');
  const statuses = ['PENDING', 'COMPLETED', 'FAILED', 'COMPLETED', 'EXPIRED'];
  await query(
    url,
    `insert into daybook.transactions (id, platform_id, type, status, source, destination, receiver_account,
       sent_minor, sent_currency, received_minor, received_currency, fees, reference, created_at, updated_at)
     select 'Transaction:' || n, 'Platform:1', 'OUTGOING', status, '{}', '{}', 'x', 1, 'USD', 1, 'USD', 0, 'r',
       now() - n * interval '1 second', now() from unnest($1::text[]) with ordinality as given (status, n)`,
    [statuses],
  );
  await uncompletedTransactions.up(db as unknown as Kysely<unknown>);
  const rows = await query(
    url,
    `select u.id, u.status from daybook.uncompleted_transactions u
     join daybook.transactions t on (t.platform_id, t.created_at, t.id) = (u.platform_id, u.created_at, u.id)
     order by u.id`,
  );
  expect(rows).toEqual([
    { id: 'Transaction:1', status: 'PENDING' },
    { id: 'Transaction:3', status: 'FAILED' },
    { id: 'Transaction:5', status: 'EXPIRED' },
  ]);
});

it('what becomes of a payment is in no index of payments, so that its row is all that changes', async () => {
  const { url } = await emptyBooks();
  const indexed = await query<{ column: string }>(
    url,
    `select distinct a.attname as column from pg_index i join pg_attribute a on a.attrelid = i.indrelid
     where i.indrelid = 'daybook.transactions'::regclass
       and (a.attnum = any(i.indkey) or pg_get_expr(i.indpred, i.indrelid) ~ ('\\m' || a.attname || '\\M')
         or pg_get_expr(i.indexprs, i.indrelid) ~ ('\\m' || a.attname || '\\M'))`,
  );
  const columns = indexed.map(({ column }) => column);
  expect(columns).toContain('created_at');
  expect(columns.filter((column) => (progressColumns as readonly string[]).includes(column))).toEqual([]);
});
