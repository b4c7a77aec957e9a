/** The schema of the auditors' views: made when there is an auditor, and kept as this version has it. */
import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { booksSchema } from '../../src/infrastructure/postgres/pool.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import type { Database } from '../database.ts';
import { auditorSchema, type View, viewsOfCopies, viewsOfLog } from './views.ts';

type Db = Kysely<Database>;

const followedLog = sql.id(booksSchema, 'followed_log');

/** Processes that start at the same time wait for each other. */
const lockName = `${auditorSchema}-schema`;

/** Whether the log is in this database. One that was moved away leaves its table, and so does a move that was refused. */
export const logIsHere = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ there: boolean }>`
    select to_regclass('daybook_log.events') is not null
      and not exists (select from ${followedLog} where kept_in = 'eventstoredb') as there`.execute(db);
  return rows[0]?.there ?? false;
};

const viewsOf = async (db: Db): Promise<readonly View[]> =>
  (await logIsHere(db)) ? viewsOfLog : viewsOfCopies;

const isThere = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ there: boolean }>`
    select to_regnamespace(${auditorSchema}) is not null as there`.execute(db);
  return rows[0]?.there ?? false;
};

/** Whoever asks sees nothing of rows that a view leaves out, not by an error either. */
const options = 'security_barrier = true';

/** The role of the service. */
export async function ownerOfTables(db: Db): Promise<string> {
  const { rows } = await sql<{ owner: string }>`
    select tableowner as owner from pg_tables
    where schemaname = ${booksSchema} and tablename = 'transactions'`.execute(db);
  const [row] = rows;
  invariant(row, 'no tables of the service');
  return row.owner;
}

const digestOf = (views: readonly View[]) => hash('sha256', JSON.stringify([options, views]), 'hex');

/** Makes the schema, and what is missing in it. Returns the names of its views. */
export const openAuditorSchema = (db: Db): Promise<readonly string[]> =>
  db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext(${lockName}))`.execute(transaction);
    const owner = sql.id(await ownerOfTables(transaction));
    // An administrator makes it for the service, which has to make its views anew when its tables change.
    await sql`create schema if not exists ${sql.id(auditorSchema)} authorization ${owner}`.execute(
      transaction,
    );
    await sql`set local role ${owner}`.execute(transaction);
    return renew(transaction);
  });

/** Where there is the schema: its views as this version has them. Costs a look where they are so already. */
export async function refreshAuditorViews(db: Db): Promise<void> {
  if (!(await isThere(db))) return;
  const { rows } = await sql<{ digest: string | null }>`
    select obj_description(to_regnamespace(${auditorSchema}), 'pg_namespace') as digest`.execute(db);
  if (rows[0]?.digest !== digestOf(await viewsOf(db))) await openAuditorSchema(db);
}

async function renew(transaction: Db): Promise<readonly string[]> {
  const views = await viewsOf(transaction);
  await dropViews(transaction, [...viewsOfLog, ...viewsOfCopies]);
  for (const view of views) await create(transaction, view);
  await sql`comment on schema ${sql.id(auditorSchema)} is ${sql.lit(digestOf(views))}`.execute(transaction);
  return views.map(({ name }) => name);
}

/** Before tables change; they come back with `refreshAuditorViews`. */
export async function dropAuditorViews(db: Db): Promise<void> {
  if (!(await isThere(db))) return;
  await dropViews(db, [...viewsOfLog, ...viewsOfCopies]);
  await sql`comment on schema ${sql.id(auditorSchema)} is null`.execute(db);
}

/** Puts tables in the place of others: the views of those are made anew, of these, in the same transaction. */
export async function exchanging(
  transaction: Db,
  tables: readonly string[],
  exchange: () => Promise<void>,
): Promise<void> {
  const views = (await isThere(transaction)) ? await viewsOf(transaction) : [];
  const concerned = views.filter(({ of }) => of !== undefined && tables.includes(of));
  await dropViews(transaction, concerned);
  await exchange();
  for (const view of concerned) await create(transaction, view);
}

async function dropViews(db: Db, views: readonly View[]): Promise<void> {
  for (const { name } of views) await sql`drop view if exists ${sql.id(auditorSchema, name)}`.execute(db);
}

const create = (db: Db, { name, query }: View) =>
  sql`create view ${sql.id(auditorSchema, name)} with (${sql.raw(options)}) as ${sql.raw(query)}`.execute(db);
