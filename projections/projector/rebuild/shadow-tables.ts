/**
 * The tables that a rebuild fills beside the live ones, in a schema of their own, which no other rebuild has: with the
 * same columns, defaults, checks, storage and triggers from the start; with the same keys and indexes, under the same names, when
 * they are filled.
 */
import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { booksSchema } from '../../../src/infrastructure/postgres/pool.ts';
import { exchanging } from '../../auditor/schema.ts';
import type { Database, WriteDb } from '../../database.ts';
import { keys } from '../write.ts';
import { laterIndexesOf } from './later-indexes.ts';

const prefix = 'daybook_rebuild_';
/** Without a name of its own it is one of a former version. */
const anyRebuild = '^daybook_rebuild(_[0-9a-f]+)?$';

export const newShadowSchema = (): string => `${prefix}${randomBytes(8).toString('hex')}`;

type Db = Kysely<Database>;
type Table = keyof Database;
type Definitions = { readonly rows: readonly { readonly definition: string }[] };

/** Where a rebuild writes. The connections look tables up in its schema first, and in that of the live ones after it. */
export type Shadow = {
  readonly db: Db;
  readonly schema: string;
  readonly tables: readonly Table[];
};

const live = (table: string) => sql.id(booksSchema, table);

/**
 * Makes the tables for a rebuild, empty, and takes away what is left of them after it, however it ends: what was read
 * for them is not to stay. Those that an earlier rebuild has left are gone as well. Throws where another one is under
 * way, and where another one has taken the tables away.
 */
export const inShadowTables = (shadow: Shadow, build: () => Promise<void>): Promise<void> =>
  // The server gives the lock back where the session ends, however that comes about.
  shadow.db.connection().execute(async (session) => {
    if (!(await isOurs(session)))
      throw new Error('The read models are being rebuilt already. Wait until that is done, or stop it.');
    try {
      await createShadowTables(shadow);
      await build();
      await dropSchema(shadow.db, shadow.schema);
    } catch (error) {
      // Where that is not possible any more either, the error says why.
      const wasThere = await dropSchema(shadow.db, shadow.schema).catch(() => true);
      if (wasThere) throw error;
      const message = 'The tables of this rebuild were taken away, and nothing was changed. Rebuild again.';
      throw new Error(message, { cause: error });
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(session).catch(() => undefined);
    }
  });

/** Who holds it rebuilds. */
const lock = sql`hashtext(${prefix})`;

async function isOurs(session: Db): Promise<boolean> {
  const { rows } = await sql<{ ours: boolean }>`select pg_try_advisory_lock(${lock}) as ours`.execute(
    session,
  );
  return rows[0]?.ours === true;
}

/** Those of all rebuilds, with all that is in them. Whoever builds in them now fails. */
export async function dropShadowTables(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select nspname as name from pg_namespace where nspname ~ ${anyRebuild}`.execute(db);
  for (const { name } of rows) await dropSchema(db, name);
}

/** Says whether it was there. */
async function dropSchema(db: Db, schema: string): Promise<boolean> {
  const { rows } = await sql`select from pg_namespace where nspname = ${schema}`.execute(db);
  await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(db);
  return rows.length > 0;
}

/**
 * Writes to the tables of the rebuild by their names alone. They stay where they are meanwhile: without them the same
 * names would be those of the live ones. Throws where they are gone.
 */
export const writeToShadow = (
  shadow: Shadow,
  write: (transaction: WriteDb) => Promise<void>,
): Promise<void> =>
  shadow.db.transaction().execute(async (transaction) => {
    await holdShadow(shadow, transaction);
    await write(transaction);
  });

/** For the rest of the transaction. */
export async function holdShadow({ schema, tables }: Shadow, transaction: WriteDb): Promise<void> {
  const all = sql.join(tables.map((table) => sql.id(schema, table)));
  await sql`lock table ${all} in access share mode`.execute(transaction);
}

/** Without indexes, but for those that no model writes to itself: triggers write to them. */
async function createShadowTables(shadow: Shadow): Promise<void> {
  const { db, schema, tables } = shadow;
  await dropShadowTables(db);
  await sql`create schema ${sql.id(schema)}`.execute(db);
  for (const table of tables) {
    const copied = sql`create table ${sql.id(schema, table)} (like ${live(table)} including all excluding indexes)`;
    await sql`${copied} ${await storageOf(db, table)}`.execute(db);
  }
  for (const table of tables) if (!(table in keys)) await addIndexes(shadow, table);
  for (const table of tables) await addTriggers(shadow, table);
}

/** What is set for the storage of the live table, which no copy of it has by itself: room for updates, and what who runs the server has set. */
async function storageOf(db: Db, table: Table) {
  const { rows } = await sql<{ name: string; value: string }>`
    select o.prefix || split_part(o.option, '=', 1) as name, substr(o.option, strpos(o.option, '=') + 1) as value
    from pg_class c left join pg_class t on t.oid = c.reltoastrelid
    cross join lateral (
      select '' as prefix, unnest(c.reloptions) as option union all select 'toast.', unnest(t.reloptions)
    ) as o
    where c.oid = ${`${booksSchema}.${table}`}::regclass`.execute(db);
  const options = rows.map(({ name, value }) => sql`${sql.id(...name.split('.'))} = ${sql.lit(value)}`);
  return options.length > 0 ? sql`with (${sql.join(options)})` : sql``;
}

/** Gives a table the triggers of the live one. What they do they do in the schemas of the connection. */
async function addTriggers({ db, schema }: Shadow, table: Table): Promise<void> {
  const triggers: Definitions = await sql<{ definition: string }>`
    select pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = ${`${booksSchema}.${table}`}::regclass and not tgisinternal order by tgname`.execute(db);
  for (const { definition } of triggers.rows) await sql.raw(onShadow(schema, definition, table)).execute(db);
}

/** Gives a table the keys and indexes of the live one, with those that it lacks, and looks at what is in it for the planner. */
export async function addIndexes(shadow: Shadow, table: Table): Promise<void> {
  const { db, schema } = shadow;
  const name = `${booksSchema}.${table}`;
  const constraints = await sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = ${name}::regclass and contype in ('p', 'u', 'x') order by name`.execute(db);
  for (const { name, definition } of constraints.rows)
    await sql`alter table ${sql.id(schema, table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(
      db,
    );
  const indexes = await indexesOf(shadow, table);
  await Promise.all(indexes.map((definition) => sql.raw(definition).execute(db)));
  await analyze(shadow, table);
}

/** The statements that make them. */
async function indexesOf({ db, schema }: Shadow, table: Table): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = ${`${booksSchema}.${table}`}::regclass
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
    order by name`.execute(db);
  const { indexes = {}, insteadOf = [] } = laterIndexesOf(table) ?? {};
  const kept = rows.filter(({ name }) => !insteadOf.includes(name) && !(name in indexes));
  return [
    ...kept.map(({ definition }) => onShadow(schema, definition, table)),
    ...Object.entries(indexes).map(
      ([name, definition]) => `create index ${name} on ${schema}.${table} ${definition}`,
    ),
  ];
}

/** Looks at what indexes sort by. The rest, which takes longer, is left to the autovacuum. */
async function analyze({ db, schema }: Shadow, table: Table): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct a.attname as name from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = ${`${schema}.${table}`}::regclass order by name`.execute(db);
  const columns = sql.join(rows.map(({ name }) => sql.id(name)));
  if (rows.length > 0) await sql`analyze ${sql.id(schema, table)} (${columns})`.execute(db);
}

/** The definitions that Postgres gives name the table with its schema. */
const onShadow = (schema: string, definition: string, table: Table): string =>
  definition.replace(` ON ${booksSchema}.${table} `, ` ON ${schema}.${table} `);

export const swapTables = ({ schema, tables }: Shadow, transaction: WriteDb): Promise<void> =>
  exchanging(transaction, tables, async () => {
    for (const table of tables) {
      await sql`drop table ${live(table)}`.execute(transaction);
      await sql`alter table ${sql.id(schema, table)} set schema ${sql.id(booksSchema)}`.execute(transaction);
    }
  });
