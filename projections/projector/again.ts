/** Rows that were made of events which say less by now: made again of what can still be read. */
import { CompiledQuery, sql } from 'kysely';
import { isStreamOf, type Kind } from '../../src/domain/streams.ts';
import type { EventStore } from '../../src/infrastructure/event-store/event-store.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import { projectionsCheckpoint } from '../kept/checkpoints.ts';
import { agents } from '../models/agents.ts';
import { beneficialOwners } from '../models/beneficial-owners.ts';
import { customers } from '../models/customers.ts';
import { documents } from '../models/documents.ts';
import { externalAccounts } from '../models/external-accounts.ts';
import { transactions } from '../models/transactions.ts';
import type { Projection } from './projection.ts';
import type { Rows } from './rows.ts';
import { createStates } from './states.ts';
import { keyOf, type ModelTable, write } from './write.ts';

/** Those that have personal texts of a customer who is deleted: credentials of wallets have none by then. */
const models: readonly Projection[] = [
  customers,
  beneficialOwners,
  documents,
  externalAccounts,
  transactions,
  agents,
];

/** These follow no others: those of accounts, which may be long, have nothing for them. */
const followed: readonly Kind[] = [
  'customer',
  'beneficialOwner',
  'document',
  'externalAccount',
  'transaction',
  'agent',
];

const tables: ReadonlySet<ModelTable> = new Set([
  'customers',
  'beneficial_owners',
  'documents',
  'external_accounts',
  'transactions',
  'agent_actions',
]);

/** Columns that events change without putting the row, also those of other rows. Nothing personal is in them: they stay. */
const madeOtherwise: Partial<Record<ModelTable, readonly string[]>> = {
  external_accounts: ['status', 'default_uma_deposit_account', 'updated_at'],
};

type Row = Readonly<Record<string, unknown>>;
type Deps = { readonly db: ReadDb; readonly store: Pick<EventStore, 'read'> };

/**
 * The rows that are there get what the events of their streams say now, up to where the read models have come; who keeps
 * them up to date waits meanwhile.
 */
export async function projectAgain({ db, store }: Deps, streams: readonly string[]): Promise<void> {
  for (const stream of streams.filter((one) => followed.some((kind) => isStreamOf(kind, one)))) {
    const events = await store.read(stream);
    // Nothing is asked of others while the checkpoint is held: they may wait for it.
    const all = await createStates(store).follow(events.map(({ known: _, ...event }) => event));
    await db.transaction().execute(async (transaction) => {
      const { position } = await transaction
        .selectFrom('checkpoints')
        .select('position')
        .where('name', '=', projectionsCheckpoint)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const rows = lastRows(transaction);
      for (const event of all.filter((one) => one.position <= position))
        for (const model of models) await model.project(event, rows);
      for (const [table, own] of rows.taken) await rewrite(transaction, table, [...own.values()]);
    });
  }
}

/** Of each row the last one; nothing else is done again. */
function lastRows(db: WriteDb): Rows & { readonly taken: ReadonlyMap<ModelTable, Map<string, Row>> } {
  const taken = new Map<ModelTable, Map<string, Row>>();
  return {
    taken,
    put(table, row) {
      if (!tables.has(table)) return;
      const own = taken.get(table) ?? new Map<string, Row>();
      taken.set(table, own.set(keyOf(table, row), row));
    },
    post: () => undefined,
    remove: () => undefined,
    later: () => undefined,
    now: (work) => asIfDone(db, work),
  };
}

/** What is read is read; what is written along the way is taken back: it has been written when its time was. */
async function asIfDone<Result>(db: WriteDb, work: (db: WriteDb) => Promise<Result>): Promise<Result> {
  await sql`savepoint as_if`.execute(db);
  try {
    return await work(db);
  } finally {
    await sql`rollback to savepoint as_if`.execute(db);
  }
}

/** A row that was removed since stays so. */
async function rewrite(db: WriteDb, table: ModelTable, rows: readonly Row[]): Promise<void> {
  const changed = rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !madeOtherwise[table]?.includes(column))),
  );
  const { text, values } = write({ kind: 'change', table, rows: changed });
  await db.executeQuery(CompiledQuery.raw(text, [...values]));
}
