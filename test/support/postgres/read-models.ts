import { onTestFinished } from 'vitest';
import { createReadDb, type ReadDb } from '../../../projections/database.ts';
import { migrateBooks } from '../../../projections/migrations/migrate.ts';
import { projections } from '../../../projections/projector/projections.ts';
import { openVault } from '../../../src/app/parts/core/vault.ts';
import type { EventStore, StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { postgresEventStore } from '../../../src/infrastructure/event-store/postgres/store.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { shownLog } from '../../../src/infrastructure/personal-data/shown-log.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { connect } from '../log/raw-log.ts';
import { testMasterKey } from '../processes/service.ts';
import { eventually } from '../resources/flows.ts';
import { createDatabase, query } from './database.ts';

export type Books = { readonly url: string; readonly db: ReadDb };
type Rows = Readonly<Record<string, readonly string[]>>;

export const modelTables: readonly string[] = projections.flatMap(({ tables }) => tables);

/** Empty read models in a database of their own. */
export async function emptyBooks(): Promise<Books> {
  const books = booksOf(await createDatabase());
  await migrateBooks(books.db);
  return books;
}

/** The read models of a database. */
export function booksOf(url: string): Books {
  const db = createReadDb(createPool({ url, max: 6, name: 'test-books' }));
  onTestFinished(() => db.destroy());
  return { url, db };
}

/** Something that is done once, when the next statement has been answered and its reader does not know it yet. */
export function afterFirstStatement(db: ReadDb, meanwhile: () => Promise<unknown>): void {
  const executor = db.getExecutor();
  const { executeQuery } = executor;
  executor.executeQuery = async (compiled, options) => {
    const result = await executeQuery.call(executor, compiled, options);
    executor.executeQuery = executeQuery;
    await meanwhile();
    return result as never;
  };
}

/** Every row of every read model, as text in a fixed order. */
export async function rowsOf(url: string): Promise<Rows> {
  const each = modelTables.map(
    (table) => `select '${table}' as "table", to_jsonb(t)::text as "row" from daybook.${table} t`,
  );
  const rows = await query<{ table: string; row: string }>(
    url,
    `select * from (${each.join(' union all ')}) as every order by "row" collate "C"`,
  );
  const byTable = Map.groupBy(rows, ({ table }) => table);
  return Object.fromEntries(
    modelTables.map((table) => [table, (byTable.get(table) ?? []).map(({ row }) => row)]),
  );
}

const inPostgres = (url: string): Promise<EventStore> => postgresEventStore(url, createLog('silent'));

/** The log as a test service has it, in Postgres or elsewhere, with personal texts readable. `close` ends it. */
export async function openLog(url: string, opening = inPostgres(url)): Promise<EventStore> {
  const pool = createPool({ url, max: 1, name: 'test-keys' });
  const log = await opening;
  const shown = shownLog(log, openVault(pool, { current: testMasterKey }));
  return { ...shown, close: () => shown.close().finally(() => pool.end()) };
}

/** The log from its beginning to what is its end now. */
export const readLog = async (url: string, opening = inPostgres(url)): Promise<readonly StoredEvent[]> =>
  readWhole(await openLog(url, opening));

/** The same as it is stored, with what is sealed in it. */
export const readSealedLog = async (
  url: string,
  opening = inPostgres(url),
): Promise<readonly StoredEvent[]> => readWhole(await opening);

async function readWhole(store: EventStore): Promise<readonly StoredEvent[]> {
  const end = await store.last();
  const events: StoredEvent[] = [];
  await new Promise<void>((resolve, reject) => {
    if (end === 0n) resolve();
    const consume = async (batch: readonly StoredEvent[]) => {
      events.push(...batch);
      if ((events.at(-1)?.position ?? 0n) >= end) resolve();
    };
    store.subscribeToAll({ after: undefined, consume }).done.catch(reject);
  });
  await store.close();
  return events;
}

/** Until the read models have come to the end of the log. */
export const untilShown = (databaseUrl: string): Promise<unknown> =>
  eventually(
    () =>
      query<{ lag: string }>(
        databaseUrl,
        `select (select max(position) from daybook_log.events) - position as lag
           from daybook.checkpoints where name = 'projections'`,
      ),
    ([row]) => row?.lag === '0',
  );

/** The read models stand still until this is released. */
export async function holdProjector(databaseUrl: string): Promise<() => Promise<unknown>> {
  const holder = await connect(databaseUrl);
  await holder.query('begin');
  await holder.query("select from daybook.checkpoints where name = 'projections' for update");
  return () => holder.query('rollback');
}
