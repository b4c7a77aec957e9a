/** What Postgres plans for the statements of a list, on tables that are large enough for it to matter. */
import pg from 'pg';
import type { ReadDb } from '../../../projections/database.ts';
import type { Json } from '../http/client.ts';
import { query } from './database.ts';

export type Plan = {
  readonly text: string;
  /** What indexes are asked for. */
  readonly conditions: readonly string[];
  /** The tables that are read from beginning to end. */
  readonly scanned: readonly string[];
};

const rows = 30_000;

/** Values of which each is there once in a while; every 5000th row has the rare one. */
const fillers: Readonly<Record<string, string>> = {
  text: `case when n % 5000 = 0 then 'rare' else 'usual' || n % 50 end`,
  ARRAY: `case when n % 5000 = 0 then array['rare'] else array['USD'] end`,
  boolean: 'n % 2 = 0',
  jsonb: `'{}'`,
  bytea: `'\\x00'`,
  'timestamp with time zone': `timestamptz '2026-01-01' + n * interval '1 second' * case when n < 6 then -100000 else 0.5 end`,
};

/** The rows of one platform. Columns that may be empty are, where they mean that a row is gone. */
export async function fillTable(
  url: string,
  table: string,
  platformId: string,
  special: Readonly<Record<string, string>> = {},
): Promise<void> {
  const columns = await query<{ name: string; type: string }>(
    url,
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'daybook' and table_name = $1`,
    [table],
  );
  const known: Readonly<Record<string, string>> = {
    id: `'id' || n`,
    platform_id: `'${platformId}'`,
    platform_customer_id: `case when n % 5000 = 0 then 'rare' else 'usual' || n end`,
    environment: `'sandbox'`,
    deleted_at: 'null',
    is_deleted: 'false',
    client_id: `'client' || n`,
    ...special,
  };
  const valued = columns.map(({ name, type }) => known[name] ?? fillers[type] ?? 'n');
  await query(
    url,
    `insert into daybook.${table} (${columns.map(({ name }) => `"${name}"`).join(', ')})
     select ${valued.join(', ')} from generate_series(1, ${rows}) as n`,
  );
}

type Compiled = { readonly sql: string; readonly parameters: readonly unknown[] };

/** The plans of the statements that the work sends; what one counts beside its rows has a plan of its own, after them. */
export async function explained(
  url: string,
  db: ReadDb,
  work: () => Promise<unknown>,
): Promise<readonly Plan[]> {
  const executor = db.getExecutor();
  const { executeQuery, withConnectionProvider } = executor;
  const sent: Compiled[] = [];
  const note = (on: typeof executor): typeof executor => {
    const of = { executeQuery: on.executeQuery, withConnectionProvider: on.withConnectionProvider };
    on.executeQuery = async (compiled, options) => {
      // A lock has no plan.
      if (!compiled.sql.startsWith('lock table')) sent.push(compiled);
      return of.executeQuery.call(on, compiled, options) as never;
    };
    // Those of transactions.
    on.withConnectionProvider = (provider) => note(of.withConnectionProvider.call(on, provider));
    return on;
  };
  note(executor);
  await work().finally(() => Object.assign(executor, { executeQuery, withConnectionProvider }));
  const client = new pg.Client({ connectionString: url, options: '-c search_path=daybook' });
  await client.connect();
  try {
    const plans: Plan[] = [];
    for (const { sql, parameters } of sent) {
      const answer = await client.query(`explain (format json) ${sql}`, [...parameters]);
      const root = answer.rows[0]['QUERY PLAN'][0].Plan;
      const counts = nodesOf(root, () => true).filter(isBeside);
      plans.push(
        ...[root, ...counts].map((part) =>
          planOf(
            sql,
            nodesOf(part, (node) => !isBeside(node)),
          ),
        ),
      );
    }
    return plans;
  } finally {
    await client.end();
  }
}

const isBeside = (node: Json): boolean =>
  node['Parent Relationship'] === 'InitPlan' && node['Node Type'] === 'Aggregate';

const nodesOf = (node: Json, isPart: (child: Json) => boolean): readonly Json[] => [
  node,
  ...(node.Plans ?? []).filter(isPart).flatMap((child: Json) => nodesOf(child, isPart)),
];

const planOf = (text: string, nodes: readonly Json[]): Plan => ({
  text,
  conditions: nodes.flatMap((node) => node['Index Cond'] ?? []),
  scanned: nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']),
});
