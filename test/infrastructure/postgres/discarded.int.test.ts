import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { createReadDb } from '../../../projections/database.ts';
import { isOfServer, isStoreAway } from '../../../src/infrastructure/postgres/away.ts';
import { createPool } from '../../../src/infrastructure/postgres/pool.ts';
import { createDatabase } from '../../support/postgres/database.ts';
import { lineTo } from '../../support/servers/line.ts';

it('a connection on which a transaction broke off is told to be away, whatever is asked on it next', async () => {
  const line = await lineTo(await createDatabase());
  const db = createReadDb(createPool({ url: line.url, max: 1, name: 'test-discarded' }));
  onTestFinished(() => db.destroy());
  const errors = await db.connection().execute(async (session) => {
    const ask = () => sql`select 1`.execute(session);
    await ask();
    const broken = session.transaction().execute(async (transaction) => {
      line.reset();
      await sql`select 1`.execute(transaction);
    });
    return [await broken.catch((error) => error), await ask().catch((error) => error)];
  });
  for (const error of errors) {
    expect(error).toBeInstanceOf(Error);
    expect([isStoreAway(error), isOfServer(error)]).toEqual([true, true]);
  }
});
