import { expect, it, onTestFinished } from 'vitest';
import { createReadDb } from '../../projections/database.ts';
import { createShadowPool } from '../../projections/projector/rebuild/rebuild.ts';
import { inShadowTables, type Shadow } from '../../projections/projector/rebuild/shadow-tables.ts';
import { swap } from '../../projections/projector/rebuild/swap.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import { query } from '../support/postgres/database.ts';
import { emptyBooks } from '../support/postgres/read-models.ts';
import { eventually } from '../support/resources/flows.ts';

it('a swap begins anew where somebody holds a table for longer than it waits', async () => {
  const { url } = await emptyBooks();
  await query(
    url,
    "insert into daybook.checkpoints (name, position) values ('projections', 0) on conflict do nothing",
  );
  const { schema, pool, end } = createShadowPool(url);
  const others = createPool({ url, max: 1, name: 'holder', statementMaxMs: 0 });
  const holder = await others.connect();
  onTestFinished(async () => {
    holder.release(true);
    await others.end();
    await end();
  });
  await holder.query('begin');
  await holder.query('lock table timers in share mode');
  const shadow: Shadow = { db: createReadDb(pool), schema, tables: ['timers'] };
  let swaps = 0;
  const swapping = inShadowTables(shadow, () =>
    swap(shadow, async () => {
      swaps += 1;
    }),
  );
  const waits = () =>
    query<{ since: string }>(
      url,
      `select waitstart::text as since from pg_locks
       where not granted and waitstart is not null and relation = 'daybook.timers'::regclass`,
    );
  const [first] = await eventually(waits, (rows) => rows.length > 0);
  await eventually(waits, ([one]) => one !== undefined && one.since !== first?.since);
  expect(swaps).toBe(0);
  await holder.query('rollback');
  await swapping;
  expect(swaps).toBe(1);
});
