/** What is beside the log in Postgres, for who may read some of it. */
import { createReadDb, type ReadDb } from '../../../../../projections/database.ts';
import { createPool } from '../../../../infrastructure/postgres/pool.ts';
import { requireServers } from '../../../start/servers.ts';

/** In transactions that cannot write. Throws `CannotStart` where the database does not answer. */
export async function onTables<Result>(
  databaseUrl: string,
  work: (db: ReadDb) => Promise<Result>,
): Promise<Result> {
  await requireServers({ databaseUrl });
  const settings = { default_transaction_read_only: 'on' };
  const db = createReadDb(
    createPool({ url: databaseUrl, max: 1, name: 'audit', settings, statementMaxMs: 0 }),
  );
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
