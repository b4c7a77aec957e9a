/**
 * The two roles of the embedded Postgres. The administrator is the superuser that initdb makes: it prepares a start, and
 * operators have its password. The service has a role that owns the database and all in it, and nothing beyond it.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keepSecret, readSecret } from '../data-directory.ts';
import { booksSchema, createClient } from '../pool.ts';

export const administratorRole = 'daybook';
export const serviceRole = 'daybook_service';
const database = 'postgres';

/** An installation has a few hundred tables, indexes and functions at most. */
const prepareMaxMs = 60_000;

/** Where the administrator's password is kept. */
export const administratorPasswordFile = (directory: string) => join(directory, 'password');
export const servicePasswordFile = (directory: string) => join(directory, 'service-password');

/** Addresses of the same database, for each of the roles. */
export type Addresses = { readonly url: string; readonly administratorUrl: string };

export const newPassword = (): string => randomBytes(24).toString('hex');

/** The addresses of a server whose roles are prepared; nothing where a password is not there. */
export async function addressesOf(directory: string, port: string): Promise<Addresses | undefined> {
  const [own, administrators] = await Promise.all(
    [servicePasswordFile(directory), administratorPasswordFile(directory)].map(readSecret),
  );
  if (!own || !administrators) return undefined;
  return {
    url: addressOf(serviceRole, own, port),
    administratorUrl: addressOf(administratorRole, administrators, port),
  };
}

/** Makes the service's password where there is none yet. */
export const keepServicePassword = (directory: string) =>
  keepSecret(servicePasswordFile(directory), newPassword);

/** It says how to connect: `PGSSLMODE` in the environment is meant for another server. */
export const addressOf = (role: string, password: string, port: string | number): string =>
  `postgres://${role}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;

/**
 * Gives the database, and whatever the administrator owns in it, to the service's role, which is made where it is not
 * there yet. All or nothing, and safe to repeat: a directory of a version whose service was the administrator is brought
 * up to date by it. Throws what Postgres does.
 */
export async function prepareServiceRole({ url, administratorUrl }: Addresses): Promise<void> {
  const client = createClient(administratorUrl, 'roles', prepareMaxMs);
  const password = client.escapeLiteral(new URL(url).password);
  await client.connect();
  try {
    await client.query('begin');
    // A statement that fails would be written to the server's log, with the password in it.
    await client.query("set local log_min_error_statement = 'panic'");
    await client.query(ensureRole);
    await client.query(`alter role ${serviceRole} with ${attributes} password ${password}`);
    // For who looks with a client of their own: the service says it for each connection.
    await client.query(`alter role ${serviceRole} set search_path = ${booksSchema}, public`);
    await client.query(`alter database ${database} owner to ${serviceRole}`);
    await client.query(handOver);
    await client.query(handOverDefaults);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

const attributes =
  'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls inherit connection limit -1';

const ensureRole = `
do $$ begin
  if not exists (select from pg_roles where rolname = '${serviceRole}') then
    create role ${serviceRole};
  end if;
end $$`;

/** Sequences of columns follow their tables, and what belongs to an extension stays with it. */
const handOver = `
do $$
declare statement text;
begin
  for statement in
    with mine as (
      select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
    of_others (id) as (select objid from pg_depend where deptype = 'e')
    select format('alter schema %I owner to ${serviceRole}', n.nspname)
      from pg_namespace n join mine using (oid)
      where n.nspowner = current_user::regrole and n.oid not in (select id from of_others)
    union all
    select format('alter table %s owner to ${serviceRole}', c.oid::regclass)
      from pg_class c join mine on mine.oid = c.relnamespace
      where c.relowner = current_user::regrole and c.oid not in (select id from of_others)
        and (c.relkind in ('r', 'p', 'v', 'm', 'f') or c.relkind = 'S' and not exists (
          select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')))
    union all
    select format('alter routine %s owner to ${serviceRole}', p.oid::regprocedure)
      from pg_proc p join mine on mine.oid = p.pronamespace
      where p.proowner = current_user::regrole and p.oid not in (select id from of_others)
    union all
    select format('alter type %s owner to ${serviceRole}', t.oid::regtype)
      from pg_type t join mine on mine.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
      where t.typowner = current_user::regrole and t.oid not in (select id from of_others)
        and (t.typtype in ('e', 'd', 'r') or c.relkind = 'c')
  loop
    execute statement;
  end loop;
end $$`;

/** Who may read what is made later: the auditors, the views of a later version. */
const handOverDefaults = `
do $$
declare granted record;
begin
  for granted in
    select n.nspname as schema, pg_get_userbyid(acl.grantee) as grantee, acl.privilege_type as privilege
    from pg_default_acl d join pg_namespace n on n.oid = d.defaclnamespace, aclexplode(d.defaclacl) as acl
    where d.defaclrole = current_user::regrole and d.defaclobjtype = 'r'
      and acl.grantee not in (0, d.defaclrole)
  loop
    execute format('alter default privileges for role ${serviceRole} in schema %I grant %s on tables to %I',
      granted.schema, granted.privilege, granted.grantee);
    execute format('alter default privileges for role ${administratorRole} in schema %I revoke %s on tables from %I',
      granted.schema, granted.privilege, granted.grantee);
  end loop;
end $$`;
