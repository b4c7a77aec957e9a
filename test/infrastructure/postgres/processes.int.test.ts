import { expect, it, onTestFinished } from 'vitest';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { countProcesses, ofEachProcess } from '../../../src/infrastructure/postgres/processes.ts';
import { createDatabase, query } from '../../support/postgres/database.ts';
import { startTestService } from '../../support/processes/service.ts';
import { customerWith } from '../../support/resources/payments.ts';

const names = Object.values(ofEachProcess);

async function connectedAs(url: string, name: string) {
  const pool = createPool({ url, max: 1, name });
  onTestFinished(() => pool.end());
  await pool.query('select 1');
  return pool;
}

it.each(names)('a process that has lost all connections but the one for %s is counted', async (name) => {
  const url = await createDatabase();
  const asked = await connectedAs(url, 'books');
  expect(await countProcesses(asked)).toBe(0);
  for (const one of [...names, name]) await connectedAs(url, one);
  expect(await countProcesses(asked)).toBe(2);
});

it('one process is counted once, whatever it does', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  await customerWith(service.client);
  const rows = await query<{ name: string }>(
    service.databaseUrl,
    'select application_name as name from pg_stat_activity where datname = current_database()',
  );
  const connections = rows.map(({ name }) => name.replace('daybook-', ''));
  for (const name of names) expect(connections.filter((one) => one === name)).toEqual([name]);
});
