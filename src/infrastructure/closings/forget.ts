/** Closings that are not to be read any more: those of a former version of the fold, or of streams that are not what they were. */
import type { Pool, PoolClient } from '../postgres/pool.ts';
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

/** A closing rests on those before it. The last parameter is how many rows each may take. */
const stepQueries = (among: string, max: string): readonly string[] =>
  tables.map(
    (table) => `
  delete from ${table} where ctid = any (array(
    select ctid from ${table} where ${among}${table === 'closings' ? ' order by revision desc' : ''} limit ${max}))`,
  );

const ofBooks = stepQueries('(stream, version) in (select * from unnest($1::text[], $2::int[]))', '$3');
const ofStreams = stepQueries('stream = any($1)', '$2');

const forgetAll = (pool: Pool, queries: readonly string[], named: readonly unknown[]): Promise<number> =>
  inSteps(async (max) => {
    let sum = 0;
    for (const text of queries) {
      const { rowCount } = await pool.query(text, [...named, max]);
      sum += rowCount ?? 0;
      if (rowCount === max) break;
    }
    return sum;
  });

/** Those of former versions. Takes out rows in bounded steps, and says how many: none where nothing is left, so that it need not be called again. */
export async function forgetFormerClosings(pool: Pool, read: readonly ReadVersion[]): Promise<number> {
  const values = [read.map(({ category }) => category), read.map(({ version }) => version)];
  const { rows: books } = await pool.query<Book>(formerQuery, values);
  if (books.length === 0) return 0;
  return forgetAll(pool, ofBooks, [books.map(({ stream }) => stream), books.map(({ version }) => version)]);
}

type Client = Pick<PoolClient, 'query'>;

/** Those of streams of which the log says less than it did, in bounded steps. */
export async function forgetClosingsInSteps(pool: Pool, streams: readonly string[]): Promise<void> {
  while ((await forgetAll(pool, ofStreams, [streams])) > 0);
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
