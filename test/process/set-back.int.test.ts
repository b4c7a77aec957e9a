/** A log whose last events are lost under processes that have seen them, as where a server takes over that lacked them. */
import { expect, it, onTestFinished } from 'vitest';
import { createSeen, LogSetBack } from '../../src/infrastructure/event-store/postgres/seen.ts';
import { postgresEventStore } from '../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { aNewEvent } from '../infrastructure/event-store/recording.ts';
import { createDatabase, query } from '../support/postgres/database.ts';
import { spawnDaybook, temporaryDirectory } from '../support/processes/process.ts';

const newest = 'position = (select max(position) from daybook_log.events)';
const loseNewest = (url: string) =>
  query(
    url,
    `begin; alter table daybook_log.events disable trigger all; delete from daybook_log.events where ${newest};
     alter table daybook_log.events enable trigger all; commit`,
  );
const breakConnections = (url: string) =>
  query(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
  );

async function aLog() {
  const url = await createDatabase();
  const told: LogSetBack[] = [];
  const seen = createSeen((error) => void told.push(error));
  const waits = { askNew: seen.requireIn };
  const store = await postgresEventStore(url, createLog('silent'), { seen, waits });
  const other = await postgresEventStore(url, createLog('silent'));
  const books = createPool({ url, max: 1, name: 'books', ...waits });
  onTestFinished(async () => void (await Promise.allSettled([store.close(), other.close(), books.end()])));
  await store.append('kept', 'none', [aNewEvent()]);
  return { url, told, store, other, books };
}

const asks = 'select 1';

it('is gone on with by new connections where nothing was lost', async () => {
  const { url, told, store, books } = await aLog();
  await breakConnections(url);
  // Each connection is found to be gone by its next statement, if not before.
  await Promise.allSettled([books.query(asks), store.last(), store.append('tried', 'none', [aNewEvent()])]);
  await books.query(asks);
  await store.append('more', 'none', [aNewEvent()]);
  expect(told).toEqual([]);
});

it.each([
  [
    'wrote',
    async ({ store }: Awaited<ReturnType<typeof aLog>>) => store.append('lost', 'none', [aNewEvent()]),
  ],
  [
    'read',
    async ({ store, other }: Awaited<ReturnType<typeof aLog>>) => {
      await other.append('lost', 'none', [aNewEvent()]);
      await store.read('lost');
    },
  ],
])(
  'is neither written nor read, nor are its tables, where an event is another than the process %s',
  async (_, see) => {
    const log = await aLog();
    await see(log);
    await loseNewest(log.url);
    await log.other.append('lost', 'none', [aNewEvent()]);
    await breakConnections(log.url);
    const works = [
      () => log.books.query(asks),
      () => log.store.last(),
      () => log.store.append('new', 'none', [aNewEvent()]),
    ];
    await Promise.allSettled(works.map((work) => work()));
    for (const work of works) await expect(work()).rejects.toThrow(LogSetBack);
    expect(await query(log.url, `select stream from daybook_log.events where stream = 'new'`)).toEqual([]);
    expect(log.told.length).toBeGreaterThan(0);
  },
);

it('ends the process, which says what to do', async () => {
  const [cwd, url] = [await temporaryDirectory(), await createDatabase()];
  const daybook = spawnDaybook({ cwd, variables: { DATABASE_URL: url } });
  await daybook.ready;
  await loseNewest(url);
  await breakConnections(url);
  expect(await daybook.exited).toEqual({ code: 1, signal: null });
  expect(daybook.stderr()).toMatch(
    /lacks the event at position \d+ .+the log was set back; this process ends, start it again/,
  );
});
