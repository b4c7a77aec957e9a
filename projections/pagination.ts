import { hash } from 'node:crypto';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { isStorable } from '../src/kernel/json.ts';
import { badField } from '../src/kernel/rejected.ts';
import type { Database } from './database.ts';

export type PageRequest = { readonly limit: number; readonly cursor?: string | undefined };
export type Page<Row> = {
  readonly rows: readonly Row[];
  readonly nextCursor?: string;
  readonly totalCount: number;
};
export type SortOrder = 'asc' | 'desc';

const cursorContent = z.tuple([
  z.iso.datetime({ precision: 3 }),
  z.string().min(1).refine(isStorable),
  z.string(),
]);

type Sortable = { id: string; created_at: Date };
type TablesWithKey = { [T in keyof Database]: Database[T] extends Sortable ? T : never }[keyof Database];

/** Binds a cursor to the filters it was made with: with others it is refused. */
const digestOf = (filters: object) =>
  hash('sha256', JSON.stringify(filters, Object.keys(filters).sort()), 'base64url').slice(0, 16);

/**
 * One page by creation time, id as tie-break. `filters` is what the query was filtered by; `total` is how many
 * rows that leaves, where they need not be counted. Throws `Rejected` for a cursor that is not ours or belongs to other filters.
 */
export async function paginate<T extends TablesWithKey, Row extends Sortable>(
  query: SelectQueryBuilder<Database, T, Row>,
  { limit, cursor }: PageRequest,
  filters: object,
  order: SortOrder = 'desc',
  total?: RawBuilder<bigint>,
): Promise<Page<Row>> {
  // Every table here has both columns, which the type of a union of tables cannot show.
  const from = query as unknown as SelectQueryBuilder<Database, 'customers', Row>;
  const digest = digestOf({ ...filters, order });
  const after = cursor === undefined ? undefined : decode(cursor, digest);
  const comparison = order === 'desc' ? '<' : '>';
  const page = after
    ? from.where(sql<boolean>`(created_at, id) ${sql.raw(comparison)} (${after.createdAt}, ${after.id})`)
    : from;
  const sorted = page
    .orderBy('created_at', order)
    .orderBy('id', order)
    .limit(limit + 1);
  const count = async () => {
    const counted = from.clearSelect().select(sql<bigint>`${total ?? sql`count(*)`}`.as('total'));
    return (await counted.limit(1).executeTakeFirst())?.total ?? 0n;
  };
  const travelling = total && sorted.select(total.as(totalColumn));
  const [rows, counted] = await Promise.all([
    (travelling ?? sorted).execute() as Promise<Row[]>,
    total ? undefined : count(),
  ]);
  const totalCount = Number(counted ?? totalOf(rows) ?? (await count()));
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  if (rows.length <= limit || !last) return { rows: shown, totalCount };
  return { rows: shown, totalCount, nextCursor: encode(last, digest) };
}

const totalColumn = 'total_of_all';

/** The total that has travelled with the rows; there is none without a row. */
const totalOf = (rows: readonly object[]): bigint | undefined =>
  (rows[0] as { readonly [totalColumn]?: bigint } | undefined)?.[totalColumn];

const encode = ({ created_at, id }: Sortable, digest: string) =>
  Buffer.from(JSON.stringify([created_at.toISOString(), id, digest])).toString('base64url');

function decode(cursor: string, digest: string): { createdAt: Date; id: string } {
  const content = cursorContent.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!content.success) throw badField('cursor', 'is not one that this list has returned');
  const [createdAt, id, madeWith] = content.data;
  if (madeWith !== digest) throw badField('cursor', 'belongs to a list with other filters');
  return { createdAt: new Date(createdAt), id };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
