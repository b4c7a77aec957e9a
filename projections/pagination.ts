import { hash } from 'node:crypto';
import { type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import { isStorable } from '../src/kernel/json.ts';
import { isOfCalendar } from '../src/kernel/moments.ts';
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
  z.iso.datetime({ precision: 3 }).refine((text) => isOfCalendar(new Date(text))),
  z.string().min(1).refine(isStorable),
  z.string(),
]);

type Sortable = { id: string; created_at: Date };
type TablesWithKey = { [T in keyof Database]: Database[T] extends Sortable ? T : never }[keyof Database];

/** Binds a cursor to the filters it was made with: with others it is refused. */
export const digestOf = (filters: object) =>
  hash('sha256', JSON.stringify(filters, Object.keys(filters).sort()), 'base64url').slice(0, 16);

/** Where a page begins in a list with its filters. */
export type PlaceInList = {
  readonly after: { readonly createdAt: Date; readonly id: string } | undefined;
  /** Of the filters. */
  readonly digest: string;
};

/**
 * `filters` is what the list is filtered by. Throws `Rejected` for a cursor that is not ours or belongs to other filters.
 */
export function placeIn(cursor: string | undefined, filters: object, order: SortOrder): PlaceInList {
  const digest = digestOf({ ...filters, order });
  return { digest, after: cursor === undefined ? undefined : decode(cursor, digest) };
}

/** The page of what was found from its place on, up to one more than it shows. */
export function pageFrom<Row extends Sortable>(
  found: readonly Row[],
  limit: number,
  { digest }: PlaceInList,
  totalCount: number,
): Page<Row> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  if (found.length <= limit || !last) return { rows, totalCount };
  return { rows, totalCount, nextCursor: encode(last, digest) };
}

/**
 * One page by creation time, id as tie-break. `filters` is what the query was filtered by, `counted` how many rows it has,
 * where that is found otherwise than by counting them. Throws `Rejected` for a cursor that is not ours or belongs to
 * other filters.
 */
export async function paginate<T extends TablesWithKey, Row extends Sortable>(
  query: SelectQueryBuilder<Database, T, Row>,
  { limit, cursor }: PageRequest,
  filters: object,
  order: SortOrder = 'desc',
  counted: Count = query.clearSelect().select(sql<bigint>`count(*)`.as('total')),
): Promise<Page<Row>> {
  const place = placeIn(cursor, filters, order);
  // In the same statement: what comes between two would be counted and not shown.
  const page = pageAt(query, limit, place, order).select(counted.as('total_count'));
  const rows = (await page.execute()) as unknown as Counted<Row>[];
  const total = rows[0]?.total_count ?? (place.after ? (await counted.executeTakeFirst())?.total : 0n);
  return pageFrom<Row>(rows, limit, place, Number(total ?? 0n));
}

/** The same of a list that nobody counts: however long it is, a page is found by an index. */
export async function paginateUncounted<T extends TablesWithKey, Row extends Sortable>(
  query: SelectQueryBuilder<Database, T, Row>,
  { limit, cursor }: PageRequest,
  filters: object,
  order: SortOrder = 'desc',
): Promise<Pick<Page<Row>, 'rows' | 'nextCursor'>> {
  const place = placeIn(cursor, filters, order);
  const found = (await pageAt(query, limit, place, order).execute()) as unknown as Row[];
  const { totalCount: _, ...page } = pageFrom<Row>(found, limit, place, found.length);
  return page;
}

/** With one row more, which says that the list goes on. */
function pageAt<T extends TablesWithKey, Row extends Sortable>(
  query: SelectQueryBuilder<Database, T, Row>,
  limit: number,
  { after }: PlaceInList,
  order: SortOrder,
) {
  // Every table here has both columns, which the type of a union of tables cannot show.
  const from = query as unknown as SelectQueryBuilder<Database, 'customers', Row>;
  const comparison = order === 'desc' ? '<' : '>';
  const page = after
    ? from.where(sql<boolean>`(created_at, id) ${sql.raw(comparison)} (${after.createdAt}, ${after.id})`)
    : from;
  return page
    .orderBy('created_at', order)
    .orderBy('id', order)
    .limit(limit + 1);
}

// biome-ignore lint/suspicious/noExplicitAny: of whichever tables
type Count = SelectQueryBuilder<any, any, { total: bigint }>;

type Counted<Row> = Row & { readonly total_count: bigint };

const encode = ({ created_at, id }: Sortable, digest: string) =>
  cursorWith([created_at.toISOString(), id, digest]);

function decode(cursor: string, digest: string): { createdAt: Date; id: string } {
  const [createdAt, id] = contentOf(cursor, cursorContent, digest);
  return { createdAt: new Date(createdAt), id };
}

export const cursorWith = (content: readonly string[]): string =>
  Buffer.from(JSON.stringify(content)).toString('base64url');

/** Throws `Rejected` for a cursor that is not ours, or whose last part is another digest. */
export function contentOf<Content extends readonly string[]>(
  cursor: string,
  schema: z.ZodType<Content>,
  digest: string,
): Content {
  const content = schema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (!content.success) throw badField('cursor', 'is not one that this list has returned');
  if (content.data.at(-1) !== digest) throw badField('cursor', 'belongs to a list with other filters');
  return content.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
