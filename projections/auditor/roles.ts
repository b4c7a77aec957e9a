/** Who may read the auditors' views, and nothing else. */
import { type Kysely, sql } from 'kysely';
import { logSchema } from '../../src/infrastructure/event-store/postgres/schema.ts';
import type { Database, ReadDb } from '../database.ts';
import { logIsHere, openAuditorSchema, ownerOfTables } from './schema.ts';
import { auditorSchema } from './views.ts';

/** A statement of an auditor may take so long, and a transaction in which nothing happens. */
const statementMaxSeconds = 300;
const idleMaxSeconds = 60;
const connectionsMax = 5;

const logTable = sql.id(logSchema, 'events');

type Db = Kysely<Database>;

const roleExists = async (db: ReadDb, name: string): Promise<boolean> => {
  const { rows } = await sql`select from pg_roles where rolname = ${name}`.execute(db);
  return rows.length > 0;
};

/**
 * Returns the names of the views. `readsLog` lets the role read the table of the log as well, with all that is in it.
 * Throws where there is a role of this name already, or no log in this database.
 */
export async function createAuditor(
  db: ReadDb,
  name: string,
  { password, readsLog }: { readonly password: string; readonly readsLog: boolean },
): Promise<readonly string[]> {
  if (await roleExists(db, name))
    throw new Error(
      `There is a role ${name} already. To give it another password: daybook auditor drop ${name}`,
    );
  if (readsLog && !(await logIsHere(db)))
    throw new Error(
      'The log is in EventStoreDB: make a user there that may read $all and streams, and append nowhere.',
    );
  const role = sql.id(name);
  const schema = sql.id(auditorSchema);
  const views = await openAuditorSchema(db);
  await db.transaction().execute(async (transaction) => {
    const run = (statement: ReturnType<typeof sql>) => statement.execute(transaction);
    await run(
      sql`create role ${role} login noinherit connection limit ${sql.lit(connectionsMax)} password ${sql.lit(password)}`,
    );
    await run(sql`alter role ${role} set default_transaction_read_only = on`);
    await run(sql`alter role ${role} set statement_timeout = ${sql.lit(`${statementMaxSeconds}s`)}`);
    await run(
      sql`alter role ${role} set idle_in_transaction_session_timeout = ${sql.lit(`${idleMaxSeconds}s`)}`,
    );
    await run(sql`alter role ${role} set search_path = ${schema}`);
    await run(sql`grant usage on schema ${schema} to ${role}`);
    await run(sql`grant select on all tables in schema ${schema} to ${role}`);
    // Views that are made anew are readable too.
    const owner = sql.id(await ownerOfTables(transaction));
    await run(
      sql`alter default privileges for role ${owner} in schema ${schema} grant select on tables to ${role}`,
    );
    if (!readsLog) return;
    await run(sql`grant usage on schema ${sql.id(logSchema)} to ${role}`);
    await run(sql`grant select on ${logTable} to ${role}`);
  });
  return views;
}

/** Ends its connections, too. Throws where there is no auditor of this name. */
export async function dropAuditor(db: ReadDb, name: string): Promise<void> {
  const { rows } = await sql`
    select from pg_roles r where rolname = ${name} and not rolsuper
      and case when to_regnamespace(${auditorSchema}) is null then false
        else has_schema_privilege(r.oid, to_regnamespace(${auditorSchema}), 'usage')
          and not has_schema_privilege(r.oid, to_regnamespace(${auditorSchema}), 'create') end`.execute(db);
  if (rows.length === 0) throw new Error(`There is no auditor ${name}.`);
  const role = sql.id(name);
  const schema = sql.id(auditorSchema);
  await db.transaction().execute(async (transaction) => {
    const run = (statement: ReturnType<typeof sql>) => statement.execute(transaction);
    await run(sql`alter role ${role} nologin`);
    const owner = sql.id(await ownerOfTables(transaction));
    await run(
      sql`alter default privileges for role ${owner} in schema ${schema} revoke select on tables from ${role}`,
    );
    await run(sql`revoke all on all tables in schema ${schema} from ${role}`);
    await run(sql`revoke all on schema ${schema} from ${role}`);
    if (await tableOfLogIsThere(transaction)) await closeLogTo(transaction, name);
    await run(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where usename = ${name} and pg_has_role(usesysid, 'usage')`);
    await run(sql`drop role ${role}`);
  });
}

/** For a log that is left for another one, and does not go on. Returns the names of those who could read it. */
export const closeLogToAuditors = (db: ReadDb): Promise<readonly string[]> =>
  db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ name: string }>`
      select r.rolname as name from pg_namespace n join pg_class c on c.relnamespace = n.oid
        cross join lateral aclexplode(c.relacl) as granted
        join pg_roles r on r.oid = granted.grantee and r.oid <> c.relowner
      where n.nspname = ${logSchema} and c.relname = 'events' and granted.privilege_type = 'SELECT'
        and has_schema_privilege(r.oid, to_regnamespace(${auditorSchema}), 'usage')
      order by 1`.execute(transaction);
    for (const { name } of rows) await closeLogTo(transaction, name);
    return rows.map(({ name }) => name);
  });

const tableOfLogIsThere = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`select where to_regclass(${`${logSchema}.events`}) is not null`.execute(db);
  return rows.length > 0;
};

async function closeLogTo(db: Db, name: string): Promise<void> {
  const role = sql.id(name);
  await sql`revoke all on ${logTable} from ${role}`.execute(db);
  await sql`revoke all on schema ${sql.id(logSchema)} from ${role}`.execute(db);
}
