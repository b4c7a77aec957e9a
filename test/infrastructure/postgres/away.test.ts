import { describe, expect, it } from 'vitest';
import { createReadDb } from '../../../projections/database.ts';
import { isOfEvent } from '../../../projections/projector/of-event.ts';
import { isOfServer, isStoreAway, lackOf } from '../../../src/infrastructure/postgres/away.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';

const limit = (message: string) => Object.assign(new Error(message), { code: '54000' });

it('is told by who builds statements, once it is closed, as by the pool', async () => {
  const pool = createPool({ url: 'postgres://127.0.0.1:1/none', max: 1, name: 'nothing' });
  const db = createReadDb(pool);
  const asked = () => db.selectFrom('checkpoints').selectAll().execute();
  const away = [await asked().catch((error) => error)];
  await db.destroy();
  for (const ask of [asked, () => pool.query('select')]) away.push(await ask().catch((error) => error));
  for (const error of away)
    expect([isStoreAway(error), isOfServer(error), isOfEvent(error)]).toEqual([true, true, false]);
});

describe('a limit that Postgres has come to', () => {
  it.each([
    'database is not accepting commands that assign new transaction IDs to avoid wraparound data loss in database "a"',
    'database is not accepting commands to avoid wraparound data loss in database "a"',
    'database is not accepting commands that generate new MultiXactIds to avoid wraparound data loss in database "a"',
  ])('is the server’s where it takes no more writes: %s', (message) => {
    const error = limit(message);
    expect([isStoreAway(error), isOfServer(error), isOfEvent(error)]).toEqual([true, true, false]);
    expect(lackOf(error)).toMatch(/^its server has no transaction ids left/);
  });

  it('is the statement’s where a row is too large', () => {
    const error = limit('row is too big: size 8200, maximum size 8160');
    expect([isStoreAway(error), isOfServer(error), isOfEvent(error)]).toEqual([false, false, true]);
    expect(lackOf(error)).toBeUndefined();
  });
});
