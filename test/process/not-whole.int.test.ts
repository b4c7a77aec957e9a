/** Databases as they are left where putting a backup back has ended halfway: tables come first, then rows, then keys. */
import { expect, it } from 'vitest';
import { query } from '../support/postgres/database.ts';
import { startTestService } from '../support/processes/service.ts';
import { createCustomer } from '../support/resources/flows.ts';

/** Drops the keys, indexes and triggers of a schema. */
const withoutKeys = (schema: string) => `
do $$
declare statement text;
begin
  for statement in
    select format('alter table %s drop constraint %I cascade', conrelid::regclass, conname)
      from pg_constraint where connamespace = '${schema}'::regnamespace and contype in ('p', 'u')
    union all
    select format('drop trigger %I on %s', tgname, tgrelid::regclass)
      from pg_trigger join pg_class on pg_class.oid = tgrelid
      where relnamespace = '${schema}'::regnamespace and not tgisinternal
  loop
    execute statement;
  end loop;
end $$`;

it.each([
  ['no table has its keys', [withoutKeys('daybook'), withoutKeys('daybook_log')]],
  ['the log lacks its keys', [withoutKeys('daybook_log')]],
  ['the steps that made the tables are not there', ['truncate daybook.kysely_migration']],
  ['neither is their table', ['drop table daybook.kysely_migration']],
  ['the clock has no row', ['truncate daybook.clock']],
])('a database is refused with what to do where %s', async (_what, statements) => {
  const service = await startTestService();
  await createCustomer(service.client);
  const { databaseUrl } = service;
  await service.stop();
  for (const statement of statements) await query(databaseUrl, statement);
  await expect(startTestService({ databaseUrl })).rejects.toThrow(
    /^DATABASE_URL: the database is not whole, .+\. Put the backup back into an empty database, to its end\.$/,
  );
});

it('a database whose log has no rows is refused with what to do', async () => {
  const service = await startTestService();
  const { databaseUrl } = service;
  await service.stop();
  await query(databaseUrl, 'drop schema daybook_log cascade');
  await expect(startTestService({ databaseUrl })).rejects.toThrow(/^EVENTSTORE_URL: .+daybook restore/);
});
