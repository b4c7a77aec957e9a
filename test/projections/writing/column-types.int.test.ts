import { expect, it } from 'vitest';
import { typeOf } from '../../../projections/projector/column-types.ts';
import { keys } from '../../../projections/projector/write.ts';
import { query } from '../../support/postgres/database.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';

const names = new Map([['timestamp with time zone', 'timestamptz']]);
/** Written as a numeric, of which Postgres makes what the column has. */
const asNumeric = new Set(['postings.minor']);

const written = Object.keys(keys);

it('columns of the read models have the types by which they are written', async () => {
  const { url } = await emptyBooks();
  const columns = await query<{ table: string; column: string; type: string }>(
    url,
    `select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'daybook'::regnamespace and a.attnum > 0 and not a.attisdropped
       and c.relname = any($1::text[])`,
    [written],
  );
  expect(columns.length).toBeGreaterThan(written.length);
  const wrong = columns
    .filter(({ table, column }) => !asNumeric.has(`${table}.${column}`))
    .map(({ table, column, type }) => ({ table, column, type: names.get(type) ?? type }))
    .filter(({ column, type }) => typeOf(column) !== type);
  expect(wrong).toEqual([]);
});
