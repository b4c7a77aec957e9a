/** Rows that were made of events which say less by now: made again of what can still be read. */
import { CompiledQuery, sql } from 'kysely';
import { isStreamOf, type Kind } from '../../src/domain/streams.ts';
import type { EventStore, StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { inParts } from '../../src/kernel/parts.ts';
import type { ReadDb, WriteDb } from '../database.ts';
import { loadCheckpoint, projectionsCheckpoint } from '../kept/checkpoints.ts';
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
type Deps = {
  readonly db: ReadDb;
  readonly store: Pick<EventStore, 'read'>;
  /** Whether the read models have come to a position of the log: `false` when waiting has taken long enough. */
  readonly projected: (position: bigint) => Promise<boolean>;
};

const eventsAtOnce = 1_000;
/** Who keeps the read models up to date waits while so many are written. */
const rowsAtOnce = 1_000;

/**
 * The rows that are there get what the events of their streams say now, those included that come meanwhile. `false` where
 * the read models have not come so far: it is to be tried again.
 */
export async function projectAgain(deps: Deps, streams: readonly string[]): Promise<boolean> {
  for (const stream of streams.filter((one) => followed.some((kind) => isStreamOf(kind, one))))
    if (!(await makeAgain(deps, stream))) return false;
  return true;
}

/** All is read before the checkpoint is held: nothing is asked of others then, as they may wait for it. */
async function makeAgain(deps: Deps, stream: string): Promise<boolean> {
  const states = createStates(deps.store);
  const pending = new Map<ModelTable, Map<string, Row>>();
  for (let last: StoredEvent | undefined; ; ) {
    const events = await deps.store.read(stream, (last?.revision ?? -1) + 1, eventsAtOnce);
    last = events.at(-1) ?? last;
    const page = await states.follow(events.map(({ known: _, ...event }) => event));
    await deps.db.transaction().execute(async (transaction) => {
      const rows = lastRows(transaction, pending);
      for (const event of page) for (const model of models) await model.project(event, rows);
    });
    if (events.length === eventsAtOnce) continue;
    // What came since the stream was read may have been a row already, in whose place there is an older one now.
    if (!last || pending.size === 0) return true;
    if (!(await rewrite(deps, pending, last.position))) return false;
    pending.clear();
  }
}

/** Of each row the last one; nothing else is done again. */
function lastRows(db: WriteDb, pending: Map<ModelTable, Map<string, Row>>): Rows {
  return {
    put(table, row) {
      if (!tables.has(table)) return;
      const own = pending.get(table) ?? new Map<string, Row>();
      pending.set(table, own.set(keyOf(table, row), row));
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

/** Rows as they are at a position, once the read models have come there. */
async function rewrite(
  { db, projected }: Deps,
  rows: ReadonlyMap<ModelTable, ReadonlyMap<string, Row>>,
  position: bigint,
): Promise<boolean> {
  for (const [table, own] of rows)
    for (const some of inParts([...own.values()], rowsAtOnce))
      while (!(await change(db, table, some, position))) if (!(await projected(position))) return false;
  return true;
}

/** A row that was removed since stays so. `false`, with nothing changed, where the read models have not come so far. */
const change = (db: ReadDb, table: ModelTable, rows: readonly Row[], position: bigint): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    const reached = await loadCheckpoint(transaction, projectionsCheckpoint, 'for update');
    if ((reached ?? 0n) < position) return false;
    const changed = rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !madeOtherwise[table]?.includes(column))),
    );
    const { text, values } = write({ kind: 'change', table, rows: changed });
    await transaction.executeQuery(CompiledQuery.raw(text, [...values]));
    return true;
  });
