import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { copyRows } from '../../../src/infrastructure/postgres/copy.ts';
import { createPool, type Pool } from '../../../src/infrastructure/postgres/pool.ts';
import { createDatabase, query } from '../../support/postgres/database.ts';

const columns = [
  { name: 'n', type: 'integer' },
  { name: 'text', type: 'text' },
  { name: 'texts', type: 'text[]' },
  { name: 'json', type: 'jsonb' },
  { name: 'at', type: 'timestamp with time zone' },
  { name: 'minor', type: 'bigint' },
  { name: 'yes', type: 'boolean' },
];

let url: string;

beforeAll(async () => {
  url = await createDatabase();
  await query(url, 'create schema daybook');
  await query(
    url,
    `create table daybook.things (
       n int primary key, text text, texts text[], json jsonb, at timestamptz, minor bigint, yes boolean
     )`,
  );
});

function connect(): Pool {
  const pool = createPool({ url, max: 1, name: 'test-copy' });
  onTestFinished(() => pool.end());
  return pool;
}

const odd = ['', '\\N', 'a\tb\nc\rd', 'back\\slash', '"quoted", {braced}', "it's", 'ünïcödé 🏦', '\\.'];

describe('copying rows', () => {
  it('keeps every value as it is', async () => {
    const pool = connect();
    const rows = odd.map((text, n) => ({
      n,
      text,
      texts: [text, null, ...odd],
      json: { text, list: [text], nothing: null },
      at: new Date(`2026-11-2${n}T12:00:00.123Z`),
      minor: 9_007_199_254_740_993n,
      yes: n % 2 === 0,
    }));
    await copyRows(pool, { table: 'things', columns, rows });
    const { rows: copied } = await pool.query('select * from things order by n');
    expect(copied).toEqual(rows);
  });

  it('takes what is null or missing for null', async () => {
    const pool = connect();
    await copyRows(pool, { table: 'things', columns, rows: [{ n: 100, text: null, texts: undefined }] });
    const { rows } = await pool.query('select * from things where n = 100');
    expect(rows).toEqual([{ n: 100, text: null, texts: null, json: null, at: null, minor: null, yes: null }]);
  });

  it('copies more than travels at once', async () => {
    const pool = connect();
    const text = 'x'.repeat(1_000);
    const rows = Array.from({ length: 5_000 }, (_, n) => ({ n: 1_000 + n, text }));
    await copyRows(pool, { table: 'things', columns: columns.slice(0, 2), rows });
    const { rows: counted } = await pool.query('select count(*) as n from things where n >= 1000');
    expect(counted).toEqual([{ n: 5_000n }]);
  });

  it.each([
    ['refuses', [{ n: -1 }, { n: 'no number' }], /invalid input syntax/],
    ['cannot be given', [{ n: -2 }, { n: -3, json: { minor: 12n } }], /./],
  ])('copies nothing where Postgres %s a row', async (_what, rows, message) => {
    const pool = connect();
    await expect(copyRows(pool, { table: 'things', columns, rows })).rejects.toThrow(message);
    const { rows: copied } = await pool.query('select n from things where n < 0');
    expect(copied).toEqual([]);
  });
});
