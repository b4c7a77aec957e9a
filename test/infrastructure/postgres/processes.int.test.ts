import { describe, expect, it, onTestFinished } from 'vitest';
import { applicationName, createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { countProcesses, ofEachProcess } from '../../../src/infrastructure/postgres/processes.ts';
import { createDatabase, query } from '../../support/postgres/database.ts';
import { startTestService } from '../../support/processes/service.ts';
import { eventually } from '../../support/resources/flows.ts';
import { customerWith } from '../../support/resources/payments.ts';

const names = Object.values(ofEachProcess);
const isNamed = (name: string) => (row: { readonly name: string }) => row.name === applicationName(name);

async function connectedAs(url: string, name: string) {
  const pool = createPool({ url, max: 1, name });
  onTestFinished(() => pool.end());
  await pool.query('select 1');
  return pool;
}

describe('another process', () => {
  it.each([...names, 'books'])('is counted that has nothing but its connection for %s', async (name) => {
    const url = await createDatabase();
    const asked = await connectedAs(url, 'books');
    expect(await countProcesses(asked)).toBe(1);
    for (const own of names) await connectedAs(url, own);
    expect(await countProcesses(asked)).toBe(1);
    await connectedAs(url, name);
    expect(await countProcesses(asked)).toBe(2);
  });

  it('is counted that has none in common with this one but those of the pool', async () => {
    const url = await createDatabase();
    const asked = await connectedAs(url, 'books');
    await connectedAs(url, ofEachProcess.listening);
    await connectedAs(url, 'books');
    await connectedAs(url, ofEachProcess.writer);
    expect(await countProcesses(asked)).toBe(2);
  });
});

it('one process is counted once, whatever it does', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  await customerWith(service.client);
  const connections = () =>
    query<{ name: string }>(
      service.databaseUrl,
      'select application_name as name from pg_stat_activity where datname = current_database()',
    );
  // Some are made when there is something to do for the first time.
  const rows = await eventually(connections, (all) => names.every((name) => all.some(isNamed(name))));
  for (const name of names) expect(rows.filter(isNamed(name))).toHaveLength(1);
});
