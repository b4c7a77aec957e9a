import { expect, it, onTestFinished } from 'vitest';
import { forgetFormerClosings } from '../../../src/infrastructure/closings/forget.ts';
import { createPool, type Pool } from '../../../src/infrastructure/postgres/pool.ts';
import { stepMax } from '../../../src/infrastructure/scheduling/steps.ts';
import { query } from '../../support/postgres/database.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';

/** A stream's closings by a version of the fold, each made from the one before, with values and parts of the filter. */
const closed = (url: string, stream: string, version: number, closings: number, values: number) =>
  query(
    url,
    `with made as (
       insert into daybook.closings (stream, version, revision, event_id, previous, state, digest)
       select $1, $2, n, gen_random_uuid(), nullif(n - 1, 0), '{}', '' from generate_series(1, $3::int) as n
     ), kept as (
       insert into daybook.closed_values (stream, version, key, revision, value)
       select $1, $2, 'key-' || n, 1, '' from generate_series(1, $4::int) as n
     )
     insert into daybook.closing_filters (stream, version, part, keys, bits) values ($1, $2, 0, 0, '')`,
    [stream, version, closings, values],
  );

it('closings of former versions are forgotten in steps, with all that hangs on them, and no others', async () => {
  const { url } = await emptyBooks();
  const pool = createPool({ url, max: 1, name: 'former' });
  onTestFinished(() => pool.end());
  const read = [
    { category: 'account', version: 2 },
    { category: 'agent', version: 1 },
  ];
  const current = [
    ['account-2', 2],
    ['account-3', 3],
    ['agent-1', 1],
    ['agentaction-1', 0],
  ] as const;
  for (const [stream, version] of current) await closed(url, stream, version, 3, 5);
  await closed(url, 'account-1', 1, 2 * stepMax + 5, 2 * stepMax + 5);
  await closed(url, 'account-2', 1, 3, 5);
  let forgotten = 0;
  for (let n = -1; n !== 0; forgotten += n) n = await forgetFormerClosings(pool, read);
  expect(forgotten).toBe(2 * (2 * stepMax + 5) + 8 + 2);
  for (const [table, each] of [
    ['closings', 3],
    ['closed_values', 5],
    ['closing_filters', 1],
  ] as const) {
    const rows = await query<{ stream: string; version: number; count: number }>(
      url,
      `select stream, version, count(*)::int as count from daybook.${table} group by 1, 2 order by 1`,
    );
    expect(rows).toEqual(current.map(([stream, version]) => ({ stream, version, count: each })));
  }
});

it('what was closed anew by then keeps its values, until the next turn has forgotten it', async () => {
  const { url } = await emptyBooks();
  const pool = createPool({ url, max: 1, name: 'former' });
  onTestFinished(() => pool.end());
  const read = [{ category: 'account', version: 2 }];
  const count = (table: string) =>
    query<{ n: number }>(url, `select count(*)::int as n from daybook.${table}`).then(([row]) => row?.n);
  await closed(url, 'account-1', 1, 1, 0);
  let isClosed = false;
  const beside = {
    async query(...asked: Parameters<Pool['query']>) {
      const answer = await pool.query(...asked);
      if (String(asked[0]).includes('delete from closings') && !isClosed) {
        isClosed = true;
        await query(url, 'delete from daybook.closing_filters');
        await closed(url, 'account-1', 1, 1, 5);
      }
      return answer;
    },
  } as unknown as Pool;
  await forgetFormerClosings(beside, read);
  expect([await count('closings'), await count('closed_values')]).toEqual([1, 5]);
  await forgetFormerClosings(pool, read);
  expect([await count('closings'), await count('closed_values'), await count('closing_filters')]).toEqual([
    0, 0, 0,
  ]);
});

it('a closing goes before its values: without them it would say that they were never written', async () => {
  const { url } = await emptyBooks();
  const pool = createPool({ url, max: 1, name: 'former' });
  onTestFinished(() => pool.end());
  const values = stepMax + 5;
  await closed(url, 'account-1', 1, 3, values);
  const left = async () => {
    const [row] = await query<{ closings: number; values: number }>(
      url,
      `select (select count(*)::int from daybook.closings) as closings,
         (select count(*)::int from daybook.closed_values) as values`,
    );
    return row;
  };
  const seen: unknown[] = [];
  const watched = {
    async query(...asked: Parameters<Pool['query']>) {
      const answer = await pool.query(...asked);
      seen.push(await left());
      return answer;
    },
  } as unknown as Pool;
  await forgetFormerClosings(watched, [{ category: 'account', version: 2 }]);
  expect(seen).toContainEqual({ closings: 0, values });
  expect(seen).not.toContainEqual({ closings: 3, values: expect.toSatisfy((n: number) => n < values) });
  expect(await left()).toEqual({ closings: 0, values: 0 });
});
