import { sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createReadDb, type WriteDb } from '../../projections/database.ts';
import { countErasure } from '../../projections/kept/checkpoints.ts';
import { projections } from '../../projections/projector/projections.ts';
import { projector } from '../../projections/projector/projector.ts';
import { pagesOf } from '../../projections/projector/rebuild/pages.ts';
import {
  createShadowPool,
  type RebuildOptions,
  rebuild,
} from '../../projections/projector/rebuild/rebuild.ts';
import {
  dropShadowTables,
  inShadowTables,
  type Shadow,
} from '../../projections/projector/rebuild/shadow-tables.ts';
import { swap } from '../../projections/projector/rebuild/swap.ts';
import type { EventStore, StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { eventStoreDb } from '../../src/infrastructure/event-store/eventstoredb.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { inParts } from '../../src/kernel/parts.ts';
import { definitionsOf } from '../support/interface/definitions.ts';
import { memoryEventStore } from '../support/log/memory-event-store.ts';
import { query } from '../support/postgres/database.ts';
import {
  type Books,
  booksOf,
  emptyBooks,
  modelTables,
  openLog,
  readLog,
  rowsOf,
} from '../support/postgres/read-models.ts';
import { startTestService } from '../support/processes/service.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';
import { driveTraffic, fickleRail, recordTraffic } from '../support/traffic/mixed-traffic.ts';

/** Small enough that rows are written in many portions, and rows of one portion change in the next. */
const tight = { pageMax: 40, rowsMax: 10 };

let events: readonly StoredEvent[];
let live: Awaited<ReturnType<typeof rowsOf>>;
let store: EventStore;

beforeAll(async () => {
  ({ events, live } = await recordTraffic());
  store = memoryEventStore();
  await appendAll(store, events);
});

async function appendAll(to: EventStore, all: readonly StoredEvent[]): Promise<void> {
  for (const event of all) {
    const expected = event.revision === 0 ? 'none' : event.revision - 1;
    await to.append(event.stream, expected, [event]);
  }
}

/** A quote as former versions have written it. */
function withoutRecipient(event: StoredEvent): StoredEvent {
  const { recipient: _named, ...data } = event.data;
  return event.type === 'QuoteCreated' ? { ...event, data } : event;
}
const isReceivingSide = (row: string) => row.includes('"INCOMING"') && row.includes('"Quote:');

const modelsNamed = (...names: readonly string[]) => projections.filter(({ name }) => names.includes(name));

const rebuildBooks = (
  { url, db }: Books,
  options: RebuildOptions = tight,
  models = projections,
  from = store,
) => {
  const shadow = createShadowPool(url);
  onTestFinished(() => shadow.end());
  return rebuild({ db, shadow, store: from }, models, options);
};

/** The log, which waits once for something else to be done: when so many times events were read. */
function heldUp(meanwhile: () => Promise<unknown>, times = 1): EventStore {
  let read = 0;
  return {
    ...store,
    subscribeToAll: (options) =>
      store.subscribeToAll({
        ...options,
        async consume(batch) {
          read += 1;
          if (read === times) await meanwhile();
          return options.consume(batch);
        },
      }),
  };
}

const projectorOf = ({ db }: Books) => projector({ db, store, passed: () => undefined });

/** Read models that have come so far, by the first events of the log. */
async function booksAt(count: number): Promise<Books> {
  const books = await emptyBooks();
  await projectorOf(books).consume(events.slice(0, count));
  return books;
}

/** Makes every row of the live read models wrong, or takes it away. */
async function spoil({ url }: Books): Promise<void> {
  for (const table of modelTables) await query(url, `delete from daybook.${table} where ctid <= '(0,5)'`);
  await query(url, `update daybook.transactions set reference = 'wrong', settled_at = now()`);
  await query(url, `insert into daybook.timers values ('Transaction:none', 'Platform:none', 'none', now())`);
}

/** What rebuilds have left. */
const shadowTables = ({ url }: Books) =>
  query(url, `select tablename from pg_tables where schemaname like 'daybook_rebuild%'`);

/** A table that a trigger keeps: how many payments a platform has. */
const counts = `
  create table daybook.counts (platform_id text primary key, n bigint not null);
  create function daybook.count_payments() returns trigger language plpgsql as $$
  begin
    insert into counts as c select platform_id, count(*) from added group by 1
      on conflict (platform_id) do update set n = c.n + excluded.n;
    return null;
  end $$;
  insert into daybook.counts select platform_id, count(*) from daybook.transactions group by 1;
  create trigger payments_are_counted after insert on daybook.transactions referencing new table as added
    for each statement execute function daybook.count_payments()`;

describe('a rebuild of all read models', () => {
  it.each([
    ['in one page and one portion', {}],
    ['in many pages', { pageMax: 7 }],
    ['in many portions', tight],
    ['event by event', { pageMax: 1, rowsMax: 1 }],
  ])('%s makes the rows that the live ones should have', async (_how, options) => {
    const books = await booksAt(events.length);
    await spoil(books);
    expect(await rebuildBooks(books, options)).toBe(events.length);
    expect(await rowsOf(books.url)).toEqual(live);
  });

  it.each([
    ['all models', projections],
    ['payments alone', modelsNamed('transactions')],
  ])('of %s finds whom quotes paid before they named the recipient', async (_what, models) => {
    const books = await booksAt(events.length);
    const former = memoryEventStore();
    await appendAll(former, events.map(withoutRecipient));
    await query(
      books.url,
      `delete from daybook.transactions where type = 'INCOMING' and quote_id is not null`,
    );
    await rebuildBooks(books, tight, models, former);
    expect(await rowsOf(books.url)).toEqual(live);
    expect(live.transactions?.filter(isReceivingSide)).toHaveLength(1);
  });

  it('leaves tables that are defined as before, with the same names', async () => {
    const books = await booksAt(events.length);
    const before = await definitionsOf(books.url);
    await rebuildBooks(books);
    expect(await definitionsOf(books.url)).toEqual(before);
    expect(before.length).toBeGreaterThan(200);
  });

  it('leaves what is set for the storage of a table, by a migration or by who runs the server', async () => {
    const books = await booksAt(events.length);
    const set = `autovacuum_vacuum_scale_factor = 0.01, toast.autovacuum_vacuum_threshold = 1000`;
    await query(books.url, `alter table daybook.transactions set (${set})`);
    const before = await definitionsOf(books.url);
    await rebuildBooks(books);
    expect(await definitionsOf(books.url)).toEqual(before);
    expect(before).toEqual(
      expect.arrayContaining([
        'ledger_balances with fillfactor=20',
        'transactions with autovacuum_vacuum_scale_factor=0.01',
        'transactions with toast.autovacuum_vacuum_threshold=1000',
      ]),
    );
  });

  it('holds nobody up where it is stopped in its swap: the server ends the transaction', async () => {
    const { url } = await booksAt(1);
    const { schema, pool, end } = createShadowPool(url);
    onTestFinished(end);
    const shadow: Shadow = { db: createReadDb(pool), schema, tables: ['timers'] };
    const idleMax = async (transaction: WriteDb) => {
      const { rows } = await sql<{ most: string }>`
        select current_setting('idle_in_transaction_session_timeout') as most`.execute(transaction);
      throw new Error(rows[0]?.most);
    };
    await expect(inShadowTables(shadow, () => swap(shadow, idleMax))).rejects.toThrow(/^10s$/);
  });

  it('can be repeated', async () => {
    const books = await booksAt(events.length);
    const before = await definitionsOf(books.url);
    for (let time = 0; time < 2; time++) await rebuildBooks(books);
    expect(await rowsOf(books.url)).toEqual(live);
    expect(await definitionsOf(books.url)).toEqual(before);
  });

  it.each([{}, tight])('takes triggers along, and what they keep', async (options) => {
    const books = await booksAt(events.length);
    await query(books.url, counts);
    const read = () => query(books.url, 'select * from daybook.counts order by platform_id');
    const [before, counted] = [await definitionsOf(books.url), await read()];
    const counting = projections.map((model) =>
      model.name === 'transactions' ? { ...model, tables: [...model.tables, 'counts' as never] } : model,
    );
    await rebuildBooks(books, options, counting);
    expect(await definitionsOf(books.url)).toEqual(before);
    expect(before.join()).toContain('CREATE TRIGGER payments_are_counted');
    expect(await read()).toEqual(counted);
  });

  it('reads nothing before there are live read models', async () => {
    const books = await emptyBooks();
    expect(await rebuildBooks(books)).toBe(0);
  });

  it('catches up with what the projector writes in the meantime', async () => {
    const books = await booksAt(50);
    const { consume } = projectorOf(books);
    const rest = inParts(events.slice(50), 9);
    let written = Promise.resolve();
    let next = 0;
    const goOn = () => {
      const batch = rest[next++];
      if (batch) written = written.then(() => consume(batch));
    };
    await rebuildBooks(books, { ...tight, onProgress: goOn });
    const afterwards = next;
    while (next < rest.length) goOn();
    await written;
    expect(afterwards).toBeGreaterThan(2);
    expect(await rowsOf(books.url)).toEqual(live);
  });
});

describe('a rebuild that is cut short', () => {
  it('leaves the live tables alone, and can be started again', async () => {
    const books = await booksAt(events.length);
    await spoil(books);
    const before = await rowsOf(books.url);
    let pages = 0;
    const onProgress = () => {
      pages += 1;
      if (pages === 3) throw new Error('cut short');
    };
    await expect(rebuildBooks(books, { ...tight, onProgress })).rejects.toThrow('cut short');
    expect(await rowsOf(books.url)).toEqual(before);
    await rebuildBooks(books);
    expect(await rowsOf(books.url)).toEqual(live);
  });

  it('changes nothing where somebody is erased meanwhile, of whom it may have read', async () => {
    const books = await booksAt(events.length);
    await spoil(books);
    const before = await rowsOf(books.url);
    let erased: Promise<void> | undefined;
    const onProgress = () => {
      erased ??= countErasure(books.db);
    };
    await expect(rebuildBooks(books, { ...tight, onProgress })).rejects.toThrow(
      'Rebuild the read models again.',
    );
    await erased;
    expect(await rowsOf(books.url)).toEqual(before);
    expect(await shadowTables(books)).toEqual([]);
  });

  it('says so as well where its tables are taken away for that, and writes to no others', async () => {
    const books = await booksAt(events.length);
    await spoil(books);
    const before = await rowsOf(books.url);
    const erase = () => countErasure(books.db).then(() => dropShadowTables(books.db));
    for (let page = 1; page <= events.length / tight.pageMax; page++) {
      await expect(rebuildBooks(books, tight, projections, heldUp(erase, page))).rejects.toThrow(
        'Rebuild the read models again.',
      );
      expect(await rowsOf(books.url)).toEqual(before);
    }
  });

  it('leaves nothing beside the live tables', async () => {
    const books = await booksAt(events.length);
    await rebuildBooks(books);
    expect(await shadowTables(books)).toEqual([]);
  });

  it('is the only one: another that is asked for meanwhile is refused, and takes nothing from it', async () => {
    const books = await booksAt(events.length);
    await spoil(books);
    let second: unknown;
    const meanwhile = async () => {
      second = await rebuildBooks(books).catch((error) => error.message);
    };
    await rebuildBooks(books, tight, projections, heldUp(meanwhile));
    expect(second).toBe('The read models are being rebuilt already. Wait until that is done, or stop it.');
    expect(await shadowTables(books)).toEqual([]);
    expect(await rowsOf(books.url)).toEqual(live);
  });

  it("is in nobody's way once its lines to the server are gone, and writes nothing where another has come", async () => {
    const books = await booksAt(events.length);
    await spoil(books);
    const cutOffAndOvertaken = async () => {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'daybook-rebuild-shadow' and datname = current_database()`.execute(books.db);
      await rebuildBooks(books);
    };
    await expect(rebuildBooks(books, tight, projections, heldUp(cutOffAndOvertaken, 3))).rejects.toThrow(
      'The tables of this rebuild were taken away',
    );
    expect(await shadowTables(books)).toEqual([]);
    expect(await rowsOf(books.url)).toEqual(live);
  });

  it('fails with what the log cannot be read for', async () => {
    const books = await booksAt(events.length);
    const shadow = createShadowPool(books.url);
    onTestFinished(() => shadow.end());
    const consumeBroken: EventStore['subscribeToAll'] = (options) =>
      store.subscribeToAll({
        ...options,
        consume: (batch) => options.consume(batch.map((event) => ({ ...event, type: 'NeverHeardOf' }))),
      });
    const broken = { ...store, subscribeToAll: consumeBroken };
    await expect(rebuild({ db: books.db, shadow, store: broken }, projections)).rejects.toThrow(
      'NeverHeardOf',
    );
    expect(await shadowTables(books)).toEqual([]);
  });
});

describe('a rebuild of some read models', () => {
  it('touches no other tables', async () => {
    const books = await booksAt(events.length);
    await spoil(books);
    const before = await rowsOf(books.url);
    await rebuildBooks(books, tight, modelsNamed('ledger', 'timers'));
    const { postings, ledger_balances, timers } = live;
    expect(await rowsOf(books.url)).toEqual({ ...before, postings, ledger_balances, timers });
  });

  it.each(projections.map(({ name }) => name))('rebuilds %s by itself', async (name) => {
    const books = await booksAt(events.length);
    const definitions = await definitionsOf(books.url);
    await rebuildBooks(books, tight, modelsNamed(name));
    expect(await rowsOf(books.url)).toEqual(live);
    expect(await definitionsOf(books.url)).toEqual(definitions);
  });
});

describe('a rebuild from EventStoreDB, where positions have gaps', () => {
  it('makes the rows that the projector makes', async () => {
    const server = await startEventStoreDb();
    const eventStore = eventStoreDb({ url: server.url, log: createLog('silent') });
    onTestFinished(() => eventStore.close().then(() => server.close()));
    await appendAll(eventStore, events);
    const books = await emptyBooks();
    const { consume } = projector({ db: books.db, store: eventStore, passed: () => undefined });
    for await (const page of pagesOf(eventStore, {
      after: undefined,
      until: await endOf(eventStore),
      pageMax: 100,
    }))
      await consume(page);
    const before = await rowsOf(books.url);
    await spoil(books);
    const shadow = createShadowPool(books.url);
    onTestFinished(() => shadow.end());
    expect(await rebuild({ db: books.db, shadow, store: eventStore }, projections, tight)).toBe(
      events.length,
    );
    expect(await rowsOf(books.url)).toEqual(before);
  });
});

/** The position of the last event. */
async function endOf(eventStore: EventStore): Promise<bigint> {
  const last = events.at(-1);
  const stored = (await eventStore.read(last?.stream ?? '')).find(({ id }) => id === last?.id);
  return stored?.position ?? 0n;
}

describe('a rebuild beside a service at work', () => {
  it('ends with the rows that the log makes, again and again', async () => {
    const service = await startTestService({ rail: fickleRail });
    const log = await openLog(service.databaseUrl);
    onTestFinished(() => log.close());
    const [books, shadow] = [booksOf(service.databaseUrl), createShadowPool(service.databaseUrl)];
    onTestFinished(() => shadow.end());
    let isDriving = true;
    const driven = driveTraffic(service).finally(() => {
      isDriving = false;
    });
    let times = 0;
    for (; isDriving; times++) await rebuild({ db: books.db, shadow, store: log }, projections, tight);
    await driven;
    await service.stop();
    const replayed = await emptyBooks();
    await projectorOf(replayed).consume(await readLog(service.databaseUrl));
    expect(await rowsOf(service.databaseUrl)).toEqual(await rowsOf(replayed.url));
    expect(times).toBeGreaterThan(1);
  });
});
