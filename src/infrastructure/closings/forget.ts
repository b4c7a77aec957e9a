/** Closings that a former version of the fold has made, which nobody reads any more, are taken out little by little. */
import type { Pool } from '../postgres/pool.ts';
import { inSteps } from '../steps.ts';
import type { Book } from './closings.ts';

/** The streams of a category, and the version that is read. */
export type ReadVersion = { readonly category: string; readonly version: number };

/** Streams that are looked at in one turn. */
const booksMax = 100;

/** There are few closings, whatever they have closed. Those of newer versions stay. */
const formerQuery = `
  select distinct c.stream, c.version from closings c
  join unnest($1::text[], $2::int[]) as read (category, version)
    on starts_with(c.stream, read.category || '-') and c.version < read.version
  limit ${booksMax}`;

const among = `(stream, version) in (select * from unnest($1::text[], $2::int[])) `;

/** What hangs on closings goes before them: what is cut short is found again by them. A closing rests on those before it. */
const stepQueries = ['closed_values', 'closing_filters', 'closings'].map(
  (table) => `
  delete from ${table} where ctid = any (array(
    select ctid from ${table} where ${among}${table === 'closings' ? 'order by revision desc' : ''} limit $3))`,
);

/** Takes out rows in bounded steps, and says how many: none where nothing is left, so that it need not be called again. */
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
