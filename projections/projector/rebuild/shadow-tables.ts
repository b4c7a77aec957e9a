/**
 * The tables that a rebuild fills beside the live ones, in a schema of their own: with the same columns, defaults,
 * checks and triggers from the start; with the same keys and indexes, under the same names, when they are filled.
 */
import { type Kysely, sql } from 'kysely';
import { booksSchema } from '../../../src/infrastructure/postgres/pool.ts';
import { exchanging } from '../../auditor/schema.ts';
import type { Database, WriteDb } from '../../database.ts';
import { keys } from '../write.ts';
import { laterIndexesOf } from './later-indexes.ts';

export const rebuildSchema = 'daybook_rebuild';

type Db = Kysely<Database>;
type Table = keyof Database;
type Definitions = { readonly rows: readonly { readonly definition: string }[] };

const live = (table: string) => sql.id(booksSchema, table);
const shadow = (table: string) => sql.id(rebuildSchema, table);

/**
 * Makes the tables for a rebuild, empty, and takes away what is left of them after it, however it ends: what was read
 * for them is not to stay. Those that an earlier rebuild has left are gone as well. Throws where another one is under
 * way: both would write into the same tables.
 */
export const inShadowTables = (db: Db, tables: readonly Table[], build: () => Promise<void>): Promise<void> =>
  // The server gives the lock back where the session ends, however that comes about.
  db.connection().execute(async (session) => {
    if (!(await isOurs(session)))
      throw new Error('The read models are being rebuilt already. Wait until that is done, or stop it.');
    try {
      await createShadowTables(db, tables);
      await build();
      await dropShadowTables(db);
    } catch (error) {
      // Where that is not possible any more either, the error says why.
      await dropShadowTables(db).catch(() => undefined);
      throw error;
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(session).catch(() => undefined);
    }
  });

/** Who holds it rebuilds. */
const lock = sql`hashtext(${rebuildSchema})`;

async function isOurs(session: Db): Promise<boolean> {
  const { rows } = await sql<{ ours: boolean }>`select pg_try_advisory_lock(${lock}) as ours`.execute(
    session,
  );
  return rows[0]?.ours === true;
}

/** With all that is in them. Whoever builds in them now fails. */
export async function dropShadowTables(db: Db): Promise<void> {
  await sql`drop schema if exists ${sql.id(rebuildSchema)} cascade`.execute(db);
}

/** Without indexes, but for those that no model writes to itself: triggers write to them. */
async function createShadowTables(db: Db, tables: readonly Table[]): Promise<void> {
  await dropShadowTables(db);
  await sql`create schema ${sql.id(rebuildSchema)}`.execute(db);
  for (const table of tables)
    await sql`create table ${shadow(table)} (like ${live(table)} including all excluding indexes)`.execute(
      db,
    );
  for (const table of tables) if (!(table in keys)) await addIndexes(db, table);
  for (const table of tables) await addTriggers(db, table);
}

/** Gives a table the triggers of the live one. What they do they do in the schemas of the connection. */
async function addTriggers(db: Db, table: Table): Promise<void> {
  const triggers: Definitions = await sql<{ definition: string }>`
    select pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = ${`${booksSchema}.${table}`}::regclass and not tgisinternal`.execute(db);
  for (const { definition } of triggers.rows) await sql.raw(onShadow(definition, table)).execute(db);
}

/** Gives a table the keys and indexes of the live one, with those that it lacks, and looks at what is in it for the planner. */
export async function addIndexes(db: Db, table: Table): Promise<void> {
  const name = `${booksSchema}.${table}`;
  const constraints = await sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${name}::regclass and contype in ('p', 'u', 'x')`.execute(db);
  for (const { name, definition } of constraints.rows)
    await sql`alter table ${shadow(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(db);
  const indexes = await indexesOf(db, table);
  await Promise.all(indexes.map((definition) => sql.raw(definition).execute(db)));
  await analyze(db, table);
}

/** The statements that make them. */
async function indexesOf(db: Db, table: Table): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = ${`${booksSchema}.${table}`}::regclass
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`.execute(db);
  const { indexes = {}, insteadOf = [] } = laterIndexesOf(table) ?? {};
  const kept = rows.filter(({ name }) => !insteadOf.includes(name) && !(name in indexes));
  return [
    ...kept.map(({ definition }) => onShadow(definition, table)),
    ...Object.entries(indexes).map(
      ([name, definition]) => `create index ${name} on ${rebuildSchema}.${table} ${definition}`,
    ),
  ];
}

/** Looks at what indexes sort by. The rest, which takes longer, is left to the autovacuum. */
async function analyze(db: Db, table: Table): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct a.attname as name from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = ${`${rebuildSchema}.${table}`}::regclass`.execute(db);
  const columns = sql.join(rows.map(({ name }) => sql.id(name)));
  if (rows.length > 0) await sql`analyze ${shadow(table)} (${columns})`.execute(db);
}

/** The definitions that Postgres gives name the table with its schema. */
const onShadow = (definition: string, table: Table): string =>
  definition.replace(` ON ${booksSchema}.${table} `, ` ON ${rebuildSchema}.${table} `);

export const swapTables = (transaction: WriteDb, tables: readonly Table[]): Promise<void> =>
  exchanging(transaction, tables, async () => {
    for (const table of tables) {
      await sql`drop table ${live(table)}`.execute(transaction);
      await sql`alter table ${shadow(table)} set schema ${sql.id(booksSchema)}`.execute(transaction);
    }
  });
