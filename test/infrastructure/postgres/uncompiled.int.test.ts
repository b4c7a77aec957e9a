import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { createClient, createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { createDatabase, query } from '../../support/postgres/database.ts';

let url: string;
beforeAll(async () => {
  url = await createDatabase();
});
const asked = 'show jit';

it('has no statement compiled, whatever the server does for others', async () => {
  await query(
    url,
    `do $$ begin execute format('alter database %I set jit = on', current_database()); end $$`,
  );
  const pool = createPool({ url, max: 1, name: 'asks', settings: { work_mem: '4MB' } });
  onTestFinished(() => pool.end());
  const client = createClient(url, 'asks', 5_000);
  await client.connect();
  onTestFinished(() => client.end());
  const answers = await Promise.all([pool.query(asked), client.query(asked)]);
  expect(answers.map(({ rows }) => rows)).toEqual([[{ jit: 'off' }], [{ jit: 'off' }]]);
});
