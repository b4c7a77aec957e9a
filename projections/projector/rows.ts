/**
 * What a batch of events makes of the rows: folded in memory, then written with one statement for each table, whatever
 * the number of events. Of several changes of one row only the last is written.
 */
import { type Selectable, sql } from 'kysely';
import { invariant } from '../../src/kernel/invariant.ts';
import type { Database, WriteDb } from '../database.ts';

/** The columns that tell the rows of a table apart. */
const keys = {
  customers: ['id'],
  beneficial_owners: ['id'],
  verifications: ['id'],
  documents: ['id'],
  internal_accounts: ['id'],
  external_accounts: ['id'],
  transactions: ['id'],
  postings: ['position', 'n'],
  ledger_balances: ['platform_id', 'account', 'currency'],
  agents: ['id'],
  agent_actions: ['id'],
  timers: ['subject'],
  wallet_credentials: ['id'],
  wallet_sessions: ['id'],
  webhook_endpoints: ['platform_id'],
} as const satisfies Partial<{ readonly [T in keyof Database]: readonly (keyof Database[T])[] }>;

type Table = keyof typeof keys;
type Row<T extends Table> = Selectable<Database[T]>;
type Fields = Readonly<Record<string, unknown>>;

/** Writes many things of one kind at once. */
export type Together<Item> = (items: readonly Item[], db: WriteDb) => Promise<void>;

export type Rows = {
  /** The row as it is from now on. Columns that are left out keep their value, or get their default in a new row. */
  put<T extends Table>(table: T, row: Partial<Row<T>>): void;
  remove<T extends Table>(table: T, key: Partial<Row<T>>): void;
  /** Adds to a running sum. */
  add(row: Row<'ledger_balances'>): void;
  /** Writes an item with all others of its kind, after the rows. */
  later<Item>(together: Together<Item>, item: Item): void;
  /** For what needs the rows as they are at this event: writes what is pending, then runs. */
  now<Result>(work: (db: WriteDb) => Promise<Result>): Promise<Result>;
};

/** Collects changes; `flush` writes what is pending. */
export function collectRows(db: WriteDb): { readonly rows: Rows; readonly flush: () => Promise<void> } {
  const pending = new Map<Table, Map<string, { readonly row: Fields; readonly removed: boolean }>>();
  const sums = new Map<string, Row<'ledger_balances'>>();
  const deferred = new Map<Together<never>, unknown[]>();

  const set = (table: Table, row: Fields, removed: boolean) => {
    const changes = pending.get(table) ?? new Map();
    pending.set(table, changes);
    changes.set(keys[table].map((column) => String(row[column])).join(' '), { row, removed });
  };
  const flush = async () => {
    for (const [table, changes] of pending) {
      const all = [...changes.values()];
      await removeAll(
        db,
        table,
        all.filter(({ removed }) => removed).map(({ row }) => row),
      );
      await putAll(
        db,
        table,
        all.filter(({ removed }) => !removed).map(({ row }) => row),
      );
    }
    pending.clear();
    await addAll(db, [...sums.values()]);
    sums.clear();
    for (const [together, items] of deferred) await together(items as never[], db);
    deferred.clear();
  };
  const rows: Rows = {
    put: (table, row) => set(table, row, false),
    remove: (table, key) => set(table, key, true),
    add(row) {
      const key = `${row.platform_id} ${row.account} ${row.currency}`;
      sums.set(key, { ...row, minor: row.minor + (sums.get(key)?.minor ?? 0n) });
    },
    later(together, item) {
      const items = deferred.get(together) ?? [];
      deferred.set(together, items);
      items.push(item);
    },
    async now(work) {
      await flush();
      return work(db);
    },
  };
  return { rows, flush };
}

const asJson = (rows: readonly Fields[]) =>
  JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? value.toString() : value));

const columnsOf = (rows: readonly Fields[]) => {
  const names = Object.keys(rows[0] ?? {});
  invariant(
    rows.every((row) => Object.keys(row).length === names.length),
    'rows of one table with different columns',
  );
  return names;
};

const list = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

const recordset = (table: Table, rows: readonly Fields[]) =>
  sql`json_populate_recordset(null::${sql.table(table)}, ${asJson(rows)}::json)`;

async function putAll(db: WriteDb, table: Table, rows: readonly Fields[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = columnsOf(rows);
  const key: readonly string[] = keys[table];
  const changed = columns.filter((column) => !key.includes(column));
  const sets = changed.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
  await sql`
    insert into ${sql.table(table)} (${list(columns)}) select ${list(columns)} from ${recordset(table, rows)}
    on conflict (${list(key)}) do update set ${sql.join(sets)}`.execute(db);
}

async function removeAll(db: WriteDb, table: Table, rows: readonly Fields[]): Promise<void> {
  if (rows.length === 0) return;
  const key = list(keys[table]);
  await sql`
    delete from ${sql.table(table)} where (${key}) in (select ${key} from ${recordset(table, rows)})`.execute(
    db,
  );
}

async function addAll(db: WriteDb, rows: readonly Row<'ledger_balances'>[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into ledger_balances (platform_id, account, currency, minor)
    select platform_id, account, currency, minor from ${recordset('ledger_balances', rows)}
    on conflict (platform_id, account, currency) do update set minor = ledger_balances.minor + excluded.minor`.execute(
    db,
  );
}
