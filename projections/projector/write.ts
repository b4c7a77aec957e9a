/**
 * Changes of rows as SQL: any number of rows of a table is one part of one statement, and travels as a list of values for
 * each column: Postgres reads that in three quarters of the time that it takes for objects, whose names it looks up in each.
 */
import { arrayText } from '../../src/infrastructure/postgres/arrays.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import type { Database } from '../database.ts';
import { typeOf } from './column-types.ts';

/** The columns that tell the rows of a table apart. */
export const keys = {
  customers: ['id'],
  beneficial_owners: ['id'],
  verifications: ['id'],
  documents: ['id'],
  internal_accounts: ['id'],
  funding_references: ['reference'],
  external_accounts: ['id'],
  transactions: ['id'],
  uncompleted_transactions: ['platform_id', 'status', 'created_at', 'id'],
  postings: ['position', 'n'],
  ledger_balances: ['platform_id', 'account', 'currency'],
  agents: ['id'],
  agent_actions: ['id'],
  timers: ['subject'],
  platform_clocks: ['platform_id'],
  wallet_credentials: ['id'],
  wallet_sessions: ['id'],
  webhook_endpoints: ['platform_id'],
  webhook_cutoffs: ['platform_id'],
  deleted_tokens: ['token_id'],
} as const satisfies Partial<{ readonly [T in keyof Database]: readonly (keyof Database[T])[] }>;

export type ModelTable = keyof typeof keys;

/** Tells the rows of a table apart. */
export function keyOf(table: ModelTable, row: Readonly<Record<string, unknown>>): string {
  const [first, ...others] = keys[table] as readonly string[];
  let key = String(row[first ?? '']);
  for (const column of others) key += ` ${short(row[column])}`;
  return key;
}

const short = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value);

export type Change = {
  /**
   * `change` sets columns of rows that are there, `add` adds `minor` to what the row has, `post` puts a posting with what its
   * accounts hold by it.
   */
  readonly kind: 'put' | 'change' | 'remove' | 'add' | 'post';
  readonly table: ModelTable;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
};

export type Statement = { readonly text: string; readonly values: readonly unknown[] };

/**
 * The checkpoint of a batch: where it is expected, where it goes, the token of the term that moves it, and how often people
 * had been erased when its events were read.
 */
export type Place = {
  readonly name: string;
  readonly from: bigint;
  readonly to: bigint;
  readonly token: bigint;
  readonly erasures: bigint;
};

/**
 * Writes the changes, and the checkpoint with them, in one statement; the answer has a row when the checkpoint was
 * where it was expected, its term is not over, and nobody was erased since. Otherwise nothing is written.
 */
export function writeAt(changes: readonly Change[], checkpoint: Place): Statement {
  let next = 6;
  const parts = changes.map((change) => {
    const part = partOf(change, next, 'where exists (select from held)');
    next += columnsOf(change).length;
    return part;
  });
  const text = `
    with held as (
      select position from checkpoints
      where name = $1 and position = $2 and token = $4 and erasures = $5 for update
    )${parts.map((part, n) => `, part${n} as (${part})`).join('')}
    update checkpoints set position = $3 where name = $1 and exists (select from held) returning position`;
  const { name, from, to, token, erasures } = checkpoint;
  const place = [name, ...[from, to, token, erasures].map(String)];
  return { text, values: [...place, ...changes.flatMap(listsOf)] };
}

/** Writes the changes of one kind of one table. */
export const write = (change: Change): Statement => ({
  text: partOf(change, 1, ''),
  values: listsOf(change),
});

const columnsOf = ({ rows }: Change): readonly string[] => Object.keys(rows[0] ?? {});

/** The values of each column as JSON, with lists as Postgres writes them, and integers as text: JSON has none of their size. */
function listsOf(change: Change): readonly string[] {
  const columns = columnsOf(change);
  const { table, rows } = change;
  invariant(
    rows.every((row) => Object.keys(row).length === columns.length),
    `rows of ${table} with different columns`,
  );
  return columns.map((column) => JSON.stringify(rows.map((row) => writable(column, row[column]))));
}

function writable(column: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return Array.isArray(value) && typeOf(column) === 'text[]' ? arrayText(value) : value;
}

/** The rows as a table, whose lists are parameters from this one on. */
function given(columns: readonly string[], parameter: number): string {
  const lists = columns.map((_, n) => `json_array_elements_text($${parameter + n}::json)`);
  const typed = columns.map((column) => `${column}::${typeOf(column)}`);
  return `(select ${typed.join(', ')} from rows from (${lists.join(', ')}) as given (${columns.join(', ')}))`;
}

function partOf(change: Change, parameter: number, condition: string): string {
  const { kind, table } = change;
  const columns = columnsOf(change);
  const list = columns.join(', ');
  const key: readonly string[] = keys[table];
  const rows = `${given(columns, parameter)} r`;
  if (kind === 'remove') {
    const wanted = `select ${key.join(', ')} from ${rows} ${condition}`;
    return `delete from ${table} where (${key.join(', ')}) in (${wanted})`;
  }
  if (kind === 'post') return postOf(columns, rows, condition);
  const changed = columns.filter((column) => !key.includes(column));
  if (kind === 'change') {
    const found = key.map((column) => `${table}.${column} = r.${column}`).join(' and ');
    const set = changed.map((column) => `${column} = r.${column}`).join(', ');
    return `update ${table} set ${set} from (select ${list} from ${rows} ${condition}) as r where ${found}`;
  }
  const value = (column: string) =>
    kind === 'add' ? `${table}.${column} + excluded.${column}` : `excluded.${column}`;
  const done = changed.map((column) => `${column} = ${value(column)}`).join(', ');
  return `
    insert into ${table} (${list}) select ${list} from ${rows} ${condition}
    on conflict (${key.join(', ')}) do ${done === '' ? 'nothing' : `update set ${done}`}`;
}

/**
 * The sums are those before the batch: in one statement with them, and where they are changed after it. What was recorded
 * by the last posting is found by the key, which a table of a former version has too.
 */
const postOf = (columns: readonly string[], rows: string, condition: string): string => `
    insert into postings (${columns.join(', ')}, recorded_high, projected_after, held)
    select ${columns.map((column) => `r.${column}`).join(', ')},
      greatest(max(r.at) over (order by r.position, r.n), last.recorded_high),
      case when r.position < last.position then last.position end,
      coalesce(b.minor, 0) + sum(r.minor) over (partition by r.platform_id, b.grouped, r.currency order by r.position, r.n)
    from ${rows}
    left join (select position, recorded_high from postings order by position desc, n desc limit 1) last on true
    cross join lateral (
      select grouped, (
        select s.minor from ledger_balances s
        where s.platform_id = r.platform_id and s.account = grouped and s.currency = r.currency) as minor
      from (values (case when r.account like 'InternalAccount:%' then 'internal' else r.account end)) as g (grouped)
    ) b
    ${condition}`;
