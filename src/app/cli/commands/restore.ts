import { createReadDb } from '../../../../projections/database.ts';
import { migrateBooks } from '../../../../projections/migrations/migrate.ts';
import { createShadowPool } from '../../../../projections/projector/rebuild/rebuild.ts';
import { restore } from '../../../../projections/projector/rebuild/restore.ts';
import { postgresClosings } from '../../../infrastructure/closings/postgres.ts';
import { createLog } from '../../../infrastructure/observe/log.ts';
import { createPool } from '../../../infrastructure/postgres/pool.ts';
import { readConfig } from '../../config.ts';
import { openDataDirectory } from '../../installation.ts';
import { openEventStore } from '../../parts/event-store.ts';
import { requireOwnLog } from '../../parts/own-log.ts';
import { progressOutput } from './progress-output.ts';

export type RestoreOptions = { readonly webhooksSince?: Date; readonly reactionsSince?: Date };

/**
 * Makes the tables of an installation whose log is there and whose other tables are lost. Nothing is sent, and nothing
 * reacts, to what is in the log already, unless an option says so.
 */
export async function restoreTables(options: RestoreOptions): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const installation = await openDataDirectory(config, log);
  const { databaseUrl } = installation;
  const store = await openEventStore({ ...config, databaseUrl, log });
  const pool = createPool({ url: databaseUrl, max: 4, name: 'restore', statementMaxMs: 0 });
  const db = createReadDb(pool);
  const shadow = createShadowPool(databaseUrl);
  const output = progressOutput(process.stdout, () => performance.now());
  try {
    await migrateBooks(db);
    await requireOwnLog({ readDb: db, store }, config);
    const events = await restore(
      { db, shadow, store, closings: postgresClosings(pool, log) },
      {
        ...options,
        onProgress: ({ events, position, until }) => output.show({ events, done: position, total: until }),
      },
    );
    output.end();
    process.stdout.write(`Restored from ${events} events.\n`);
  } finally {
    output.end();
    await shadow.end();
    await db.destroy();
    await store.close();
    await installation.close();
  }
}
