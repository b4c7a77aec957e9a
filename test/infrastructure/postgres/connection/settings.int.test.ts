import { beforeAll, expect, inject, it, onTestFinished, vi } from 'vitest';
import {
  createClient,
  createPool,
  type Pool,
  type PoolOptions,
} from '../../../../src/infrastructure/postgres/pool.ts';
import { createDatabase, query } from '../../../support/postgres/database.ts';
import { eventually } from '../../../support/resources/flows.ts';

/** As administrators set them for all who use a database. */
const others = {
  default_transaction_isolation: 'serializable',
  datestyle: 'SQL, DMY',
  timezone: 'Asia/Kathmandu',
  array_nulls: 'off',
  extra_float_digits: '0',
  quote_all_identifiers: 'on',
  standard_conforming_strings: 'off',
  lock_timeout: '50',
  idle_session_timeout: '100',
} as const;

/** From a connection to another database, which has none of them. */
async function setForAll(url: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const statements = Object.entries(settings).map(
    ([setting, value]) => `alter database ${name} set ${setting} = '${value}'`,
  );
  await query(inject('administratorUrl'), statements.join(';'));
}

let url: string;
beforeAll(async () => {
  url = await createDatabase();
  await setForAll(url, others);
});

function poolOf(options: Partial<PoolOptions> = {}): Pool {
  const pool = createPool({ url, max: 2, name: 'asks', ...options });
  onTestFinished(() => pool.end());
  return pool;
}

it('reads moments, and writes lists with nothing in them, whatever is set for others', async () => {
  const asked = `select '2026-11-26T10:00:00.5Z'::timestamptz as moment, $1::int[] as list`;
  const { rows } = await poolOf().query(asked, [[1, null]]);
  expect(rows).toEqual([{ moment: new Date('2026-11-26T10:00:00.500Z'), list: [1, null] }]);
});

it('reads a fraction as it was written, and definitions as they are written here', async () => {
  const pool = poolOf({ schema: 'public' });
  await pool.query('create table shares (share float8 primary key)');
  await pool.query('insert into shares values ($1)', [100 / 3]);
  const { rows } = await pool.query(
    `select share, pg_get_indexdef('shares_pkey'::regclass) as index from shares`,
  );
  expect(rows).toEqual([
    { share: 100 / 3, index: 'CREATE UNIQUE INDEX shares_pkey ON public.shares USING btree (share)' },
  ]);
});

const untilWaitedFor = (pool: Pool, ms: string) =>
  eventually(
    () =>
      pool.query(
        `select from pg_locks join pg_stat_activity using (pid)
         where datname = current_database() and waitstart < clock_timestamp() - $1 * interval '1 ms'`,
        [ms],
      ),
    ({ rowCount }) => rowCount === 1,
  );

it('waits for who has changed a row before, and changes it then', async () => {
  const pool = poolOf({ schema: 'public', max: 3 });
  await pool.query('create table counted as select 0 as n');
  const first = await pool.connect();
  await first.query('begin');
  await first.query('update counted set n = n + 1');
  const second = pool.query('update counted set n = n + 1 returning n');
  await Promise.race([second, untilWaitedFor(pool, others.lock_timeout)]);
  await first.query('commit');
  first.release();
  expect((await second).rows).toEqual([{ n: 2 }]);
});

it('keeps the connections of a pool for ten minutes after they were used', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const pool = poolOf({ max: 1 });
  const id = async () => (await pool.query('select pg_backend_pid() as id')).rows[0].id;
  const first = await id();
  vi.advanceTimersByTime(9 * 60_000);
  expect(await id()).toBe(first);
  vi.advanceTimersByTime(11 * 60_000);
  expect(pool.totalCount).toBe(0);
});

it('keeps a connection on which nothing is said', async () => {
  const client = createClient(url, 'listens', 5_000);
  await client.connect();
  onTestFinished(() => client.end());
  await new Promise((done) => setTimeout(done, 300));
  expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
});

it('has what takes as long as it takes in one transaction', async () => {
  const bounded = await createDatabase();
  await setForAll(bounded, { transaction_timeout: '1000' });
  const pool = poolOf({ url: bounded, statementMaxMs: 0 });
  expect((await pool.query('select pg_sleep(1.3)')).rows).toHaveLength(1);
});

it('has the name and the schema that it needs, and what else the address asks for', async () => {
  const address = new URL(url);
  address.searchParams.set('application_name', 'theirs');
  address.searchParams.set('options', '-c search_path=theirs -c work_mem=9MB');
  const pool = poolOf({ url: address.href, schema: 'ours' });
  const client = createClient(address.href, 'listens', 5_000);
  await client.connect();
  onTestFinished(() => client.end());
  const names = ['application_name', 'search_path', 'work_mem'];
  const asked = 'select array_agg(current_setting(name)) as settings from unnest($1::text[]) name';
  const answers = await Promise.all([pool.query(asked, [names]), client.query(asked, [names])]);
  expect(answers.map(({ rows }) => rows[0].settings)).toEqual([
    ['daybook-asks', 'ours', '9MB'],
    ['daybook-listens', 'daybook', '9MB'],
  ]);
});
