/** All that a database of the service has, whatever it is for. */

type Ask = <Row extends object>(text: string) => Promise<readonly Row[]>;

/** Each row of each table, as JSON. */
export async function everyRow(
  ask: Ask,
): Promise<readonly { readonly table: string; readonly row: string }[]> {
  const tables = await ask<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('daybook', 'daybook_log', 'daybook_jobs', 'public') or schemaname like 'daybook_rebuild%'
     order by 1`,
  );
  const all = [];
  for (const { name: table } of tables) {
    const rows = await ask<{ row: string }>(`select to_jsonb(t)::text as row from ${table} t`);
    all.push(...rows.map(({ row }) => ({ table, row })));
  }
  return all;
}
