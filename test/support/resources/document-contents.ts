/** What is stored of documents, read beside the interface. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Json } from '../http/client.ts';
import { query } from '../postgres/database.ts';
import type { TestService } from '../processes/service.ts';

type Database = Pick<TestService, 'databaseUrl'>;
type Content = {
  readonly id: string;
  readonly document_id: string;
  readonly sha256: string;
  readonly pieces: number;
};

/** The stored contents, each put together from its pieces. */
export const contents = ({ databaseUrl }: Database): Promise<Content[]> =>
  query(
    databaseUrl,
    `select c.id, c.document_id, count(k.n)::int as pieces,
       encode(sha256(string_agg(k.bytes, ''::bytea order by k.n)), 'hex') as sha256
     from daybook.document_contents c left join daybook.document_chunks k on k.content_id = c.id group by c.id`,
  );

export const contentOf = async (database: Database, { id }: Json): Promise<Content | undefined> =>
  (await contents(database)).find((content) => content.document_id === id);

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Runs `work`, which has to leave the table of contents as it found it. */
export async function leavingNothing(database: Database, work: () => Promise<unknown>): Promise<void> {
  const before = (await contents(database)).length;
  await work();
  expect((await contents(database)).length).toBe(before);
  const [chunks] = await query<{ n: number }>(
    database.databaseUrl,
    'select count(*)::int as n from daybook.document_chunks where content_id not in (select id from daybook.document_contents)',
  );
  expect(chunks?.n).toBe(0);
}
