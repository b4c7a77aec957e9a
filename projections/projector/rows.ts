/**
 * What a batch of events makes of the rows: folded in memory, then written whatever the number of events. Of several
 * changes of one row only the last is written.
 */
import type { Selectable } from 'kysely';
import type { SystemAccount } from '../../src/domain/books/postings.ts';
import type { Database, WriteDb } from '../database.ts';
import { type Change, keyOf, keys, type ModelTable } from './write.ts';

type Row<T extends ModelTable> = Selectable<Database[T]>;

/** A posting without what follows from those before it. */
export type NewPosting = Omit<Row<'postings'>, 'recorded_high' | 'projected_after' | 'held'>;

/** The running sum that a posting is part of. */
export function sumOf({
  platform_id,
  account,
  currency,
  minor,
}: Pick<NewPosting, 'platform_id' | 'account' | 'currency' | 'minor'>): Row<'ledger_balances'> {
  const isInternal = account.startsWith('InternalAccount:');
  return { platform_id, account: isInternal ? 'internal' : (account as SystemAccount), currency, minor };
}

/** Writes many things of one kind at once. */
export type Together<Item> = (items: readonly Item[], db: WriteDb) => Promise<void>;

export type Rows = {
  /**
   * The row as it is from now on. Columns that are left out keep their value, or get their default in a new row.
   * `changed` names the columns that differ from those of a row that is there: one list for each table.
   */
  put<T extends ModelTable>(
    table: T,
    row: Partial<Row<T>>,
    changed?: readonly (keyof Row<T> & string)[],
  ): void;
  /** Adds a posting to the books, with what its accounts hold by it, and to their running sums. */
  post(posting: NewPosting): void;
  remove<T extends ModelTable>(table: T, key: Partial<Row<T>>): void;
  /** Writes an item with all others of its kind, after the rows of all events that are written together. */
  later<Item>(together: Together<Item>, item: Item): void;
  /** For what needs the rows as they are at this event: writes what is pending, then runs. */
  now<Result>(work: (db: WriteDb) => Promise<Result>): Promise<Result>;
};

type Fields = Readonly<Record<string, unknown>>;
type Columns = readonly string[];
type Pending = { readonly row: Fields; readonly removed: boolean; readonly changed?: Columns | undefined };

/** Of a row, what tells it apart and what has changed. */
const partOf = (table: ModelTable, row: Fields, changed: Columns): Fields =>
  Object.fromEntries([...keys[table], ...changed].map((column) => [column, row[column]]));

/** What was collected and not written yet. */
export type Collected = {
  readonly rows: Rows;
  /** The changes of rows since the last time, to be written in this order. */
  take(): readonly Change[];
  /** Whether something is to be written after the rows, which takes a transaction. */
  hasMore(): boolean;
  writeMore(db: WriteDb): Promise<void>;
};

/** `inTransaction` writes what is pending and runs the work in the transaction of the batch. */
export function collectRows(inTransaction: Rows['now']): Collected {
  const pending = new Map<ModelTable, Map<string, Pending>>();
  const posted: NewPosting[] = [];
  const sums = new Map<string, Row<'ledger_balances'>>();
  const deferred = new Map<Together<never>, unknown[]>();

  const set = (table: ModelTable, row: Fields, removed: boolean, changed?: Columns) => {
    const changes = pending.get(table) ?? new Map<string, Pending>();
    pending.set(table, changes);
    const key = keyOf(table, row);
    const before = changes.get(key);
    // Of a row that is to be written whole nothing is left out.
    changes.set(key, { row, removed, changed: before ? before.changed && changed : changed });
  };
  const changesOf = ([table, changes]: readonly [ModelTable, ReadonlyMap<string, Pending>]): Change[] => {
    const all = [...changes.values()];
    const removed = all.filter((change) => change.removed).map(({ row }) => row);
    const put = all.filter((change) => !change.removed && !change.changed).map(({ row }) => row);
    const changed = all.flatMap((change) =>
      change.changed && !change.removed ? [partOf(table, change.row, change.changed)] : [],
    );
    return [
      { kind: 'remove', table, rows: removed },
      { kind: 'put', table, rows: put },
      { kind: 'change', table, rows: changed },
    ];
  };
  return {
    rows: {
      put: (table, row, changed) => set(table, row, false, changed),
      remove: (table, key) => set(table, key, true),
      post(posting) {
        posted.push(posting);
        const row = sumOf(posting);
        const key = keyOf('ledger_balances', row);
        sums.set(key, { ...row, minor: row.minor + (sums.get(key)?.minor ?? 0n) });
      },
      later(together, item) {
        const items = deferred.get(together) ?? [];
        deferred.set(together, items);
        items.push(item);
      },
      now: inTransaction,
    },
    take() {
      // What the accounts held before is read from the sums, which change after it.
      const post: Change = { kind: 'post', table: 'postings', rows: [...posted] };
      const sum: Change = { kind: 'add', table: 'ledger_balances', rows: [...sums.values()] };
      const changes = [...[...pending].flatMap(changesOf), post, sum].filter(({ rows }) => rows.length > 0);
      pending.clear();
      posted.length = 0;
      sums.clear();
      return changes;
    },
    hasMore: () => deferred.size > 0,
    async writeMore(db) {
      for (const [together, items] of deferred) await together(items as never[], db);
      deferred.clear();
    },
  };
}
