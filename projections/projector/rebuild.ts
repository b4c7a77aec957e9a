import { sql } from 'kysely';
import type { EventStore, StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { booksSchema } from '../../src/infrastructure/postgres/pool.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import { loadCheckpoint } from '../kept/checkpoints.ts';
import { project } from './batch.ts';
import type { Projection } from './projection.ts';
import { projectionsCheckpoint } from './run.ts';
import { createStates } from './states.ts';

export const rebuildSchema = 'daybook_rebuild';

type Deps = {
  readonly db: ReadDb;
  /** Looks tables up in `rebuildSchema` first. One connection, so that nothing else runs on it. */
  readonly shadow: ReadDb;
  readonly store: EventStore;
};

/**
 * Builds one read model from the log into tables of its own while the live one keeps serving, then swaps them at the
 * position that the live read models have reached. The projector waits for the swap alone. Returns the number of
 * events read.
 */
export async function rebuild({ db, shadow, store }: Deps, model: Projection): Promise<number> {
  await createShadowTables(db, model);
  const reached = await loadCheckpoint(db, projectionsCheckpoint);
  if (!reached) return 0;
  const states = createStates(store);
  const first = await copy(store, undefined, reached, (events) =>
    shadow
      .transaction()
      .execute(async (transaction) => project([model], await states.follow(events), transaction)),
  );
  return shadow.transaction().execute(async (transaction) => {
    const swapAt = (await loadCheckpoint(transaction, projectionsCheckpoint, 'for update')) ?? reached;
    const rest = await copy(store, reached, swapAt, async (events) =>
      project([model], await states.follow(events), transaction),
    );
    await swap(transaction, model);
    return first + rest;
  });
}

async function createShadowTables(db: ReadDb, { tables }: Projection): Promise<void> {
  await sql`drop schema if exists ${sql.id(rebuildSchema)} cascade`.execute(db);
  await sql`create schema ${sql.id(rebuildSchema)}`.execute(db);
  for (const table of tables) {
    const [shadow, live] = [sql.id(rebuildSchema, table), sql.id(booksSchema, table)];
    await sql`create table ${shadow} (like ${live} including all)`.execute(db);
  }
  for (const table of tables) await copyTriggers(db, table);
}

async function copyTriggers(db: ReadDb, table: string): Promise<void> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = ${`${booksSchema}.${table}`}::regclass and not tgisinternal`.execute(db);
  for (const { definition } of rows) {
    const [live, shadow] = [`${booksSchema}.${table}`, `${rebuildSchema}.${table}`];
    await sql.raw(definition.replace(` ON ${live} `, ` ON ${shadow} `)).execute(db);
  }
}

/** Hands over the events after `after` up to and including `until`; returns how many. */
async function copy(
  store: EventStore,
  after: bigint | undefined,
  until: bigint,
  consume: (events: readonly StoredEvent[]) => Promise<void>,
): Promise<number> {
  if (after !== undefined && after >= until) return 0;
  let count = 0;
  await new Promise<void>((resolve, reject) => {
    const subscription = store.subscribeToAll({
      after,
      async consume(events) {
        const wanted = events.filter(({ position }) => position <= until);
        await consume(wanted);
        count += wanted.length;
        if ((events.at(-1)?.position ?? 0n) >= until) resolve();
      },
    });
    subscription.done.then(resolve, reject);
  });
  return count;
}

async function swap(transaction: WriteDb, { tables }: Projection): Promise<void> {
  for (const table of tables) {
    await sql`drop table ${sql.id(booksSchema, table)}`.execute(transaction);
    await sql`alter table ${sql.id(rebuildSchema, table)} set schema ${sql.id(booksSchema)}`.execute(
      transaction,
    );
  }
}
