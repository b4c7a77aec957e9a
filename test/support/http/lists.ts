import { expectStatus } from '../resources/flows.ts';
import type { Client, Json } from './client.ts';

type Query = Readonly<Record<string, string>>;

/** Reads a list to its end, page by page. */
export async function allPages(client: Client, path: string, query: Query = {}): Promise<Json[]> {
  const rows: Json[] = [];
  let cursor: string | undefined;
  do {
    const page = expectStatus(await client.get(path, { ...query, ...(cursor && { cursor }) }), 200);
    rows.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor);
  return rows;
}

/** The ids that a list shows under these filters. */
export const idsIn = async (client: Client, path: string, query: Query = {}): Promise<string[]> =>
  (await allPages(client, path, { limit: '100', ...query })).map(({ id }) => id);

/** The first page's cursor; the list must be longer than the page. */
export async function cursorOf(client: Client, path: string, query: Query): Promise<string> {
  const page = expectStatus(await client.get(path, query), 200);
  if (!page.nextCursor) throw new Error('the list has only one page');
  return page.nextCursor;
}
