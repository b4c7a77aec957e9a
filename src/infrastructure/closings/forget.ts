/** Closings that are not to be read any more: those of a former version of the fold, or of streams that are not what they were. */
import type { Pool, PoolClient } from '../postgres/pool.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { inSteps } from '../scheduling/steps.ts';
import type { Book } from './closings.ts';

/** The streams of a category, and the version that is read. */
export type ReadVersion = { readonly category: string; readonly version: number };

/** Streams that are looked at in one turn. */
const booksMax = 100;

/** There are few closings, whatever they have closed. Those of newer versions stay. */
const formerQuery = `
  select distinct c.stream, c.version from (
    select stream, version from closings union all select stream, version from closing_filters
  ) as c
  join unnest($1::text[], $2::int[]) as read (category, version)
    on starts_with(c.stream, read.category || '-') and c.version < read.version
  limit ${booksMax}`;

/**
 * A closing whose values are gone would say that they were never written, so it goes before them. What is cut short is found
 * again by the filters, which go last: there are values of none that has no filter.
 */
const tables = ['closings', 'closed_values', 'closing_filters'];

/** A closing rests on those before it. Values are kept that a process has closed anew since the first statement. */
const stepQueries = tables.map(
  (table) => `
  delete from ${table} where ctid = any (array(
    select ctid from ${table} t where (stream, version) in (select * from unnest($1::text[], $2::int[]))
    ${
      table === 'closings'
        ? 'order by revision desc'
        : 'and not exists (select from closings c where c.stream = t.stream and c.version = t.version)'
    } limit $3))`,
);

/** Those of former versions. Takes out rows in bounded steps, and says how many: none where nothing is left, so that it need not be called again. */
export async function forgetFormerClosings(pool: Pool, read: readonly ReadVersion[]): Promise<number> {
  const values = [read.map(({ category }) => category), read.map(({ version }) => version)];
  const { rows: books } = await pool.query<Book>(formerQuery, values);
  if (books.length === 0) return 0;
  const named = [books.map(({ stream }) => stream), books.map(({ version }) => version)];
  return inSteps(async (max) => {
    let sum = 0;
    for (const text of stepQueries) {
      const { rowCount } = await pool.query(text, [...named, max]);
      sum += rowCount ?? 0;
      if (rowCount === max) break;
    }
    return sum;
  });
}

type Client = Pick<PoolClient, 'query'>;

/** Those of streams of which the log says less than it did: all of a stream together, since others may close it anew. */
export async function forgetClosingsOfEach(pool: Pool, streams: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ stream: string }>(
    `select stream from closings where stream = any($1) union
     select stream from closing_filters where stream = any($1)`,
    [[...streams]],
  );
  for (const { stream } of rows) await inTransaction(pool, (client) => forgetClosingsOf(client, [stream]));
}

/** Those of streams of which the log has become another. */
export async function forgetClosingsOf(client: Client, streams: readonly string[]): Promise<void> {
  for (const table of tables)
    await client.query(`delete from ${table} where stream = any($1)`, [[...streams]]);
}

/** All of them: they say positions, and the log is left for another one. */
export async function forgetAllClosings(client: Client): Promise<void> {
  await client.query(`truncate ${tables.join(', ')}`);
}
