/** The signed checkpoints of the log, for who reads it: from the service's tables, or as an auditor is shown them. */
import { sql } from 'kysely';
import { booksSchema } from '../../src/infrastructure/postgres/pool.ts';
import type { ReadDb } from '../database.ts';
import { auditorSchema, signedCheckpoints } from './views.ts';

export type SignedCheckpoint = {
  readonly size: bigint;
  /** In base64. */
  readonly root: string;
  /** A C2SP note, which has both, with its signature. */
  readonly note: string;
  readonly signed_at: Date;
  /** What the note is signed with. */
  readonly key: string;
};

type Source = ReturnType<typeof sql>;

const view = sql.id(auditorSchema, signedCheckpoints.name);
const tables = sql`(${sql.raw(signedCheckpoints.query)}) as checkpoints`;

/** `undefined` where the role may read neither, or there is neither. */
async function sourceFor(db: ReadDb): Promise<Source | undefined> {
  const { rows } = await sql<{ schema: string; readable: number }>`
    select n.nspname as schema, count(*) filter (
      where has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select'))::int as readable
    from pg_namespace n join pg_class c on c.relnamespace = n.oid
    where (n.nspname = ${booksSchema} and c.relname in ('log_checkpoints', 'log_keys'))
      or (n.nspname = ${auditorSchema} and c.relname = ${signedCheckpoints.name})
    group by n.nspname`.execute(db);
  const readableIn = (schema: string) => rows.find((row) => row.schema === schema)?.readable;
  if (readableIn(booksSchema) === 2) return tables;
  return readableIn(auditorSchema) === 1 ? view : undefined;
}

/** The last checkpoint of each day, in UTC, oldest first: none where nothing was signed, or may be read. */
export async function checkpointOfEachDay(db: ReadDb): Promise<readonly SignedCheckpoint[]> {
  const source = await sourceFor(db);
  if (!source) return [];
  const day = sql`(signed_at at time zone 'UTC')::date`;
  const { rows } = await sql<SignedCheckpoint>`
    select distinct on (${day}) size, root, note, signed_at, key from ${source} order by ${day}, size desc`.execute(
    db,
  );
  return rows.toSorted((a, b) => Number(a.size - b.size));
}

/** The checkpoint of so many events; `undefined` where there is none, or it may not be read. */
export async function checkpointOf(db: ReadDb, size: bigint): Promise<SignedCheckpoint | undefined> {
  const source = await sourceFor(db);
  if (!source) return undefined;
  const { rows } = await sql<SignedCheckpoint>`
    select size, root, note, signed_at, key from ${source} where size = ${size}`.execute(db);
  return rows[0];
}

/** The key that signs them; `undefined` where it has signed nothing, or nothing may be read. */
export async function checkpointKey(db: ReadDb): Promise<string | undefined> {
  const source = await sourceFor(db);
  if (!source) return undefined;
  const { rows } = await sql<Pick<SignedCheckpoint, 'key'>>`select key from ${source} limit 1`.execute(db);
  return rows[0]?.key;
}
