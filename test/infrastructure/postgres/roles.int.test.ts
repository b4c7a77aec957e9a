/** With which rights the service uses its embedded Postgres, and how a directory of an earlier version comes to them. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuditor, dropAuditor } from '../../../projections/auditor/roles.ts';
import { refreshAuditorViews } from '../../../projections/auditor/schema.ts';
import { createReadDb } from '../../../projections/database.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import {
  type EmbeddedPostgres,
  freePort,
  startEmbeddedPostgres,
} from '../../../src/infrastructure/postgres/embedded.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { openCluster } from '../../../src/infrastructure/postgres/server/cluster.ts';
import { launchServer } from '../../../src/infrastructure/postgres/server/guardian.ts';
import {
  type Addresses,
  addressOf,
  administratorPasswordFile,
  administratorRole,
  prepareServiceRole,
  serviceRole,
} from '../../../src/infrastructure/postgres/server/roles.ts';
import { connect } from '../../support/log/raw-log.ts';
import { query } from '../../support/postgres/database.ts';
import { startTestService } from '../../support/processes/service.ts';
import { eventually, expectStatus, individual } from '../../support/resources/flows.ts';

const log = createLog('silent');

/** A server as earlier versions had it, whose service is the administrator. Returns its URL. */
async function formerServer(directory: string) {
  const cluster = await openCluster(directory);
  const port = await freePort();
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port) };
  const server = await launchServer(cluster, settings, join(directory, 'postgres.log'));
  const password = (await readFile(administratorPasswordFile(directory), 'utf8')).trim();
  const url = addressOf(administratorRole, password, port);
  await eventually(
    () => query(url, 'select 1').catch(() => []),
    (rows) => rows.length === 1,
  );
  return { url, stop: server.stop };
}

async function withTables<T>(url: string, work: (db: ReturnType<typeof createReadDb>) => Promise<T>) {
  const db = createReadDb(createPool({ url, max: 1, name: 'roles' }));
  return await work(db).finally(() => db.destroy());
}

/** What in the database is neither the service's nor the server's own. */
const notTheServices = (url: string) =>
  query(
    url,
    `with mine as (select oid, nspname, nspowner from pg_namespace
       where nspname !~ '^pg_' and nspname not in ('information_schema', 'public'))
     select 'schema ' || nspname as what from mine where nspowner <> '${serviceRole}'::regrole
     union all select 'relation ' || c.oid::regclass from pg_class c join mine on mine.oid = relnamespace
       where relowner <> '${serviceRole}'::regrole
     union all select 'routine ' || p.oid::regprocedure from pg_proc p join mine on mine.oid = pronamespace
       where proowner <> '${serviceRole}'::regrole
     union all select 'type ' || t.oid::regtype from pg_type t join mine on mine.oid = typnamespace
       where typowner <> '${serviceRole}'::regrole
     union all select 'database' from pg_database
       where datname = current_database() and datdba <> '${serviceRole}'::regrole`,
  );

let directory: string;
let postgres: EmbeddedPostgres;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daybook-roles-'));
  const former = await formerServer(directory);
  const service = await startTestService({ databaseUrl: former.url });
  expectStatus(
    await service.client.post('/customers', individual({ platformCustomerId: 'from-before' })),
    201,
  );
  await service.stop();
  await withTables(former.url, (db) =>
    createAuditor(db, 'auditor', { password: 'a-password-of-before', readsLog: false }),
  );
  await query(former.url, 'create sequence daybook.numbers');
  await query(former.url, "create type daybook.mood as enum ('good', 'bad')");
  await former.stop();
  postgres = await startEmbeddedPostgres(directory, log);
});
afterAll(async () => {
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
});

const auditorUrl = () =>
  Object.assign(new URL(postgres.url), { username: 'auditor', password: 'a-password-of-before' }).href;

describe('a data directory whose service was the superuser', () => {
  it('belongs to the role of the service, as a whole', async () => {
    expect(await notTheServices(postgres.url)).toEqual([]);
    expect(
      await query(
        postgres.url,
        `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
           (select count(*)::int from pg_auth_members where member = r.oid) as memberships
         from pg_roles r where rolname = current_user`,
      ),
    ).toEqual([
      {
        rolsuper: false,
        rolcreatedb: false,
        rolcreaterole: false,
        rolreplication: false,
        rolbypassrls: false,
        memberships: 0,
      },
    ]);
  });

  it('keeps what is in it, and is served', async () => {
    const service = await startTestService({ databaseUrl: postgres.url });
    await service.client.post('/customers', individual());
    await service.stop();
    const names = await query(
      postgres.url,
      "select data ->> 'platformCustomerId' as id from daybook_log.events where type = 'CustomerCreated' order by position",
    );
    expect(names).toMatchObject([{ id: 'from-before' }, {}]);
  });

  it('has its auditors, who see the views of later versions, until they are dropped', async () => {
    expect(await query(auditorUrl(), 'select type from auditor.customer_events')).not.toEqual([]);
    await query(postgres.url, 'drop view auditor.customer_events');
    await query(postgres.url, "comment on schema auditor is 'former'");
    await withTables(postgres.url, refreshAuditorViews);
    expect(await query(auditorUrl(), 'select type from auditor.customer_events')).not.toEqual([]);
    await withTables(postgres.administratorUrl, (db) => dropAuditor(db, 'auditor'));
    await expect(query(auditorUrl(), 'select 1')).rejects.toThrow(/authentication/);
  });

  it('is brought up to date again by each start, whatever was cut short', async () => {
    // An earlier version that ran in between, or an administrator.
    await query(postgres.administratorUrl, 'create table daybook.late (n int generated always as identity)');
    await query(postgres.administratorUrl, `alter role ${serviceRole} createrole password 'another'`);
    await prepareServiceRole(postgres);
    await prepareServiceRole(postgres);
    expect(await notTheServices(postgres.url)).toEqual([]);
    await expect(query(postgres.url, 'create role mine')).rejects.toThrow('permission denied');
  });

  it('is as it was where the step fails half way', async () => {
    const broken: Addresses = { ...postgres, url: postgres.url.replace(/:[^:@]*@/, ':other-password@') };
    await query(
      postgres.administratorUrl,
      `create function public.refuse() returns event_trigger language plpgsql as
       $$ begin raise exception 'refused'; end $$`,
    );
    await query(postgres.administratorUrl, 'create table daybook.half (n int)');
    await query(
      postgres.administratorUrl,
      "create event trigger no_table on ddl_command_start when tag in ('ALTER TABLE') execute function public.refuse()",
    );
    await expect(prepareServiceRole(broken)).rejects.toThrow('refused');
    await query(postgres.administratorUrl, 'drop event trigger no_table');
    expect(await query(postgres.url, 'select current_user')).toEqual([{ current_user: serviceRole }]);
    expect(await notTheServices(postgres.url)).toContainEqual({ what: 'relation half' });
    await prepareServiceRole(postgres);
    expect(await notTheServices(postgres.url)).toEqual([]);
    expect(await readFile(join(directory, 'postgres.log'), 'utf8')).not.toContain('other-password');
  });
});

describe('somebody with the connection of the service', () => {
  it.each([
    "select pg_read_file('/etc/passwd')",
    "select pg_read_file('postgresql.conf')",
    "select pg_read_binary_file('/etc/passwd')",
    "select pg_ls_dir('/')",
    "select pg_stat_file('/etc/passwd')",
    "select lo_import('/etc/passwd')",
    "select lo_export(0, '/tmp/x')",
    "copy (select 1) to program 'true'",
    "copy (select 1) to '/tmp/x'",
    "create temp table t (line text); copy t from '/etc/passwd'",
    "create temp table t (line text); copy t from program 'id'",
    "create function f() returns int language c as 'libc.so.6', 'system'",
    "load '/tmp/x.so'",
    'create extension file_fdw',
    'create extension dblink',
    'create extension plpython3u',
    "alter system set archive_command = 'id'",
    'set session_preload_libraries = x',
    'set session_replication_role = replica',
    `set role ${administratorRole}`,
    `set session authorization ${administratorRole}`,
    `grant ${administratorRole} to ${serviceRole}`,
    `grant pg_read_server_files to ${serviceRole}`,
    `grant pg_execute_server_program to ${serviceRole}`,
    `alter role ${serviceRole} superuser`,
    `alter role ${administratorRole} password 'mine'`,
    `drop role ${administratorRole}`,
    'create role mine superuser',
    'create role mine',
    'create database mine',
    'select rolpassword from pg_authid',
    "create subscription s connection 'host=127.0.0.1' publication p",
    "select pg_create_physical_replication_slot('mine')",
    'select pg_reload_conf()',
  ])('is refused: %s', async (statement) => {
    const client = await connect(postgres.url);
    await expect(client.query(statement)).rejects.toThrow(
      /permission denied|must be (superuser|owner)|Only roles with|access to non-system|Access to|not available|could not access file|only superusers|Must be/i,
    );
  });

  it('finds neither password in the database, and both are the owner’s alone', async () => {
    for (const file of ['password', 'service-password'])
      expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
    expect(new URL(postgres.url).password).not.toBe(new URL(postgres.administratorUrl).password);
  });
});

describe('a password of the service that is gone', () => {
  it('is made anew by the next start', async () => {
    await postgres.stop();
    await rm(join(directory, 'service-password'));
    postgres = await startEmbeddedPostgres(directory, log);
    expect(existsSync(join(directory, 'service-password'))).toBe(true);
    expect(await query(postgres.url, 'select current_user')).toEqual([{ current_user: serviceRole }]);
  });
});
