/**
 * How rows get into the table of a rebuild. New rows are copied straight into it. A row that may be in it already is
 * staged as a correction, with the number of its portion, and so is a key that is removed; in the end the newest
 * correction of each key counts.
 */
import { type Kysely, sql } from 'kysely';
import { copyRows } from '../../../src/infrastructure/postgres/copy.ts';
import type { Pool } from '../../../src/infrastructure/postgres/pool.ts';
import { invariant } from '../../../src/kernel/invariant.ts';
import type { KeyFilter } from '../../../src/kernel/key-filter.ts';
import type { Database } from '../../database.ts';
import { keys, type ModelTable } from '../write.ts';
import type { Shadow } from './shadow-tables.ts';

export type Fields = Readonly<Record<string, unknown>>;
/** What becomes of the row of a key. */
export type Latest = { readonly row: Fields; readonly removed: boolean };

export type Staging = {
  /** Takes in what has changed since the last portion. */
  add(changes: ReadonlyMap<string, Latest>): Promise<void>;
  /** Corrects the rows that are there. */
  finish(): Promise<void>;
};

type Deps = Pick<Shadow, 'db' | 'schema'> & { readonly pool: Pool; readonly written: KeyFilter };

/** What is written to it adds up. */
const sums: ModelTable = 'ledger_balances';

export function stagingOf({ pool, db, schema, written }: Deps, table: ModelTable): Staging {
  const [shadow, staged] = [`${schema}.${table}`, `${schema}.staged_${table}`];
  let types: ReadonlyMap<string, string> | undefined;
  /** That a row of this table has, in all rows alike. */
  let columns: readonly string[] | undefined;
  let portions = 0;

  // An event has one position, and is folded once.
  const isAppendOnly = (keys[table] as readonly string[]).includes('position');
  const isCorrection = (key: string, removed: boolean): boolean => {
    if (isAppendOnly || table === sums) return !isAppendOnly;
    const known = `${table} ${key}`;
    // What is removed before it was ever written need not be removed.
    return removed ? written.mayHave(known) : written.add(known);
  };
  const copy = async (into: string, names: readonly string[], rows: readonly Fields[]) => {
    types ??= await typesOf(db, shadow);
    const typed = names.map((name) => ({ name, type: types?.get(name) ?? 'text' }));
    await copyRows(pool, { table: into, columns: typed, rows });
  };
  const correct = async (corrections: readonly Latest[]) => {
    if (portions === 0) await createStaged(db, { shadow, staged });
    portions += 1;
    const rows = corrections.map(({ row, removed }) => ({ ...row, portion: portions, removed }));
    await copy(staged, [...(columns ?? keys[table]), 'portion', 'removed'], rows);
  };
  return {
    async add(changes) {
      const news: Fields[] = [];
      const corrections: Latest[] = [];
      for (const [key, latest] of changes) {
        const { row, removed } = latest;
        if (!removed) {
          columns ??= Object.keys(row);
          invariant(Object.keys(row).length === columns.length, `rows of ${table} with different columns`);
        }
        if (isCorrection(key, removed)) corrections.push(latest);
        else if (!removed) news.push(row);
      }
      if (columns && news.length > 0) await copy(shadow, columns, news);
      if (corrections.length > 0) await correct(corrections);
    },
    async finish() {
      if (portions === 0) return;
      for (const text of correctionsOf({ table, shadow, staged, columns: columns ?? [] }))
        await sql.raw(text).execute(db);
    },
  };
}

type Names = { readonly shadow: string; readonly staged: string };

/** Not written ahead: what a crash leaves of it is dropped by the next rebuild. */
const createStaged = (db: Kysely<Database>, { shadow, staged }: Names) =>
  sql`create unlogged table ${sql.raw(staged)} as
    select t.*, 0 as portion, false as removed from ${sql.raw(shadow)} t with no data`.execute(db);

async function typesOf(db: Kysely<Database>, shadow: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${shadow}::regclass and attnum > 0 and not attisdropped`.execute(db);
  return new Map(rows.map(({ name, type }) => [name, type]));
}

/**
 * Statements that make the newest correction of each key good. Triggers see what they would see of the live table: a
 * row is inserted once, and updated after that.
 */
function correctionsOf(
  of: Names & { readonly table: ModelTable; readonly columns: readonly string[] },
): readonly string[] {
  const { table, shadow, staged, columns } = of;
  const key: readonly string[] = keys[table];
  const [keyList, list] = [key.join(', '), columns.join(', ')];
  const drop = `drop table ${staged}`;
  if (table === sums)
    return [
      `insert into ${shadow} (${keyList}, minor) select ${keyList}, sum(minor) from ${staged} group by ${keyList}`,
      drop,
    ];
  const same = key.map((column) => `t.${column} = s.${column}`).join(' and ');
  const set = columns.map((column) => `${column} = s.${column}`).join(', ');
  const isThere = `exists (select from ${shadow} t where ${same})`;
  return [
    `delete from ${staged} t using (select ${keyList}, max(portion) as newest from ${staged} group by ${keyList}) s
     where ${same} and t.portion < s.newest`,
    `delete from ${shadow} t using ${staged} s where ${same} and s.removed`,
    `update ${shadow} t set ${set} from ${staged} s where ${same} and not s.removed`,
    `insert into ${shadow} (${list}) select ${list} from ${staged} s where not removed and not ${isThere}`,
    drop,
  ];
}
