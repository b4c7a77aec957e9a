/** Changes of rows as SQL: any number of rows of a table is one part of one statement, and travels as JSON. */
import { invariant } from '../../src/kernel/invariant.ts';
import type { Database } from '../database.ts';

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
  for (const column of others) key += ` ${row[column]}`;
  return key;
}

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
  const parts = changes.map((change, n) => partOf(change, n + 6, 'where exists (select from held)'));
  const text = `
    with held as (
      select position from checkpoints
      where name = $1 and position = $2 and token = $4 and erasures = $5 for update
    )${parts.map((part, n) => `, part${n} as (${part})`).join('')}
    update checkpoints set position = $3 where name = $1 and exists (select from held) returning position`;
  const { name, from, to, token, erasures } = checkpoint;
  const place = [name, ...[from, to, token, erasures].map(String)];
  return { text, values: [...place, ...changes.map(jsonOf)] };
}

/** Writes the changes of one kind of one table. */
export const write = (change: Change): Statement => ({
  text: partOf(change, 1, ''),
  values: [jsonOf(change)],
});

const jsonOf = ({ rows }: Change): string => JSON.stringify(rows.map(writable));

/** The row with integers as text: JSON has none of their size. A replacer would make `JSON.stringify` slow. */
function writable(row: Change['rows'][number]): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const column in row) {
    const value = row[column];
    copy[column] = typeof value === 'bigint' ? value.toString() : value;
  }
  return copy;
}

function partOf({ kind, table, rows }: Change, parameter: number, condition: string): string {
  const columns = Object.keys(rows[0] ?? {});
  invariant(
    rows.every((row) => Object.keys(row).length === columns.length),
    `rows of ${table} with different columns`,
  );
  const list = columns.join(', ');
  const key: readonly string[] = keys[table];
  const recordset = `json_populate_recordset(null::${table}, $${parameter}::json)`;
  if (kind === 'remove') {
    const wanted = `select ${key.join(', ')} from ${recordset} ${condition}`;
    return `delete from ${table} where (${key.join(', ')}) in (${wanted})`;
  }
  if (kind === 'post') return postOf(list, `$${parameter}`, condition);
  const changed = columns.filter((column) => !key.includes(column));
  if (kind === 'change') {
    const found = key.map((column) => `${table}.${column} = r.${column}`).join(' and ');
    const set = changed.map((column) => `${column} = r.${column}`).join(', ');
    return `update ${table} set ${set} from (select ${list} from ${recordset} ${condition}) as r where ${found}`;
  }
  const value = (column: string) =>
    kind === 'add' ? `${table}.${column} + excluded.${column}` : `excluded.${column}`;
  return `
    insert into ${table} (${list}) select ${list} from ${recordset} ${condition}
    on conflict (${key.join(', ')}) do update set ${changed.map((column) => `${column} = ${value(column)}`).join(', ')}`;
}

/**
 * The sums are those before the batch: in one statement with them, and where they are changed after it. What was recorded
 * by the last posting is found by the key, which a table of a former version has too.
 */
const postOf = (list: string, parameter: string, condition: string): string => `
    insert into postings (${list}, recorded_high, projected_after, held)
    select ${list
      .split(', ')
      .map((column) => `r.${column}`)
      .join(', ')},
      greatest(max(r.at) over (order by r.position, r.n), last.recorded_high),
      case when r.position < last.position then last.position end,
      coalesce(b.minor, 0) + sum(r.minor) over (partition by r.platform_id, b.grouped, r.currency order by r.position, r.n)
    from json_populate_recordset(null::postings, ${parameter}::json) r
    left join (select position, recorded_high from postings order by position desc, n desc limit 1) last on true
    cross join lateral (
      select grouped, (
        select s.minor from ledger_balances s
        where s.platform_id = r.platform_id and s.account = grouped and s.currency = r.currency) as minor
      from (values (case when r.account like 'InternalAccount:%' then 'internal' else r.account end)) as g (grouped)
    ) b
    ${condition}`;
