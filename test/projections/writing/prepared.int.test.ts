import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { ReadDb } from '../../../projections/database.ts';
import { createReadDb } from '../../../projections/database.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { query } from '../../support/postgres/database.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';

/** One connection, so that what it has prepared is what its next statement meets. */
async function oneConnection(): Promise<{ readonly url: string; readonly db: ReadDb; end(): Promise<void> }> {
  const { url } = await emptyBooks();
  const db = createReadDb(createPool({ url, max: 1, name: 'test-prepared' }));
  return { url, db, end: () => db.destroy() };
}

const emails = (db: ReadDb, id: string) => db.selectFrom('emails').selectAll().where('id', '=', id).execute();
const prepared = async (db: ReadDb) =>
  (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)).rows;

describe('a statement with parameters', () => {
  it('is prepared once, however often it comes', async () => {
    const { db, end } = await oneConnection();
    for (const id of ['a', 'b', 'c']) await emails(db, id);
    expect((await prepared(db)).filter(({ statement }) => statement.includes('"emails"'))).toHaveLength(1);
    await end();
  });

  it('works on when a newer version has added a column to its table', async () => {
    const { url, db, end } = await oneConnection();
    await emails(db, 'a');
    await query(url, 'alter table daybook.emails add column newer int');
    await expect(emails(db, 'a')).resolves.toEqual([]);
    await end();
  });

  it('fails inside a transaction that has begun with the former table, and not in the next', async () => {
    const { url, db, end } = await oneConnection();
    await emails(db, 'a');
    await query(url, 'alter table daybook.emails add column newer int');
    const once = () => db.transaction().execute((open) => emails(open as unknown as ReadDb, 'a'));
    await expect(once()).rejects.toThrow('cached plan must not change result type');
    await expect(emails(db, 'a')).resolves.toEqual([]);
    await end();
  });

  it('is not prepared without bound', async () => {
    const { db, end } = await oneConnection();
    for (let n = 0; n < 520; n++) await sql`select ${n}::int as ${sql.id(`column_${n}`)}`.execute(db);
    expect((await prepared(db)).length).toBeLessThanOrEqual(500);
    await end();
  });
});
