/** Tables that another version of the service has, or is using. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrateBooks, tablesOf } from '../../projections/migrations/migrate.ts';
import { startService } from '../../src/app/service.ts';
import { migrateLog } from '../../src/infrastructure/event-store/postgres/schema.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { openListening } from '../../src/infrastructure/postgres/listen.ts';
import { createDatabaseWithTables, query } from '../support/postgres/database.ts';
import { type Books, booksOf } from '../support/postgres/read-models.ts';
import { newCredentials, startTestService, testConfig } from '../support/processes/service.ts';
import { eventually } from '../support/resources/flows.ts';

const silent = createLog('silent');

async function start(databaseUrl: string): Promise<void> {
  const service = await startService(testConfig(databaseUrl, newCredentials()), { log: silent });
  await service.stop();
}

/** As the version before the last step has left them. */
async function olderBooks(): Promise<Books> {
  const books = booksOf(await createDatabaseWithTables());
  await query(books.url, "delete from daybook.kysely_migration where name = '0084-domains-and-checks'");
  return books;
}

const listeners = `select from pg_stat_activity
  where datname = current_database() and application_name = 'daybook-listen'`;

/** A process of the service is there, until it is told to go or the test ends. */
async function running(url: string): Promise<() => Promise<void>> {
  const listening = openListening(url, silent);
  onTestFinished(() => listening.stop());
  await eventually(
    () => query(url, listeners),
    ({ length }) => length > 0,
  );
  return () => listening.stop();
}

describe('tables of a later version', () => {
  it('are not used, and nothing is written', async () => {
    const { databaseUrl, stop } = await startTestService();
    await stop();
    const step = "insert into daybook.kysely_migration values ('9999-later', '2030-01-01T00:00:00.000Z')";
    await query(databaseUrl, step);
    const events = () => query(databaseUrl, 'select position from daybook_log.events');
    const before = await events();
    await expect(start(databaseUrl)).rejects.toThrow(
      /^DATABASE_URL: a later version of Daybook has changed the tables\. Start that version .+ backup .+\.$/,
    );
    expect(await events()).toEqual(before);
  });
});

describe('tables of an earlier version', () => {
  it('are not changed while a process of it runs', async () => {
    const { url, db } = await olderBooks();
    await running(url);
    await expect(migrateBooks(db, { waitMs: 500 })).rejects.toThrow(
      /^An earlier version of Daybook runs on these tables \(connected from [^)]+\), .+ nothing was changed\.$/,
    );
    expect(await tablesOf(db)).toBe('older');
  });

  it('stay as they are where the log cannot be changed, and the earlier version starts', async () => {
    const { url, db } = await olderBooks();
    await migrateLog(url);
    await query(url, 'drop function daybook_log.refuse_change() cascade');
    await query(
      url,
      'create function daybook_log.refuse_change() returns int language sql as $$ select 1 $$',
    );
    await expect(start(url)).rejects.toThrow('cannot change return type of existing function');
    expect(await tablesOf(db)).toBe('older');
    await query(url, 'drop function daybook_log.refuse_change()');
    await start(url);
    expect(await tablesOf(db)).toBe('current');
  });

  it('are changed as soon as it has ended', async () => {
    const { url, db } = await olderBooks();
    const end = await running(url);
    const changed = migrateBooks(db);
    await end();
    await changed;
    expect(await tablesOf(db)).toBe('current');
  });

  it('are changed by the first of several processes of this one, for which the others wait', async () => {
    const { url } = await olderBooks();
    await Promise.all([start(url), start(url), start(url)]);
    expect(await tablesOf(booksOf(url).db)).toBe('current');
  });
});

it('a version that has nothing to change starts beside another one', async () => {
  const service = await startTestService();
  await start(service.databaseUrl);
  await service.stop();
});
