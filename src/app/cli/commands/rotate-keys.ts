import { createReadDb } from '../../../../projections/database.ts';
import { forgetSnapshotsSealedOtherwise, holdSnapshots } from '../../../../projections/kept/snapshots.ts';
import { createLog, type Log } from '../../../infrastructure/observe/log.ts';
import { DirectoryInUse } from '../../../infrastructure/postgres/data-directory.ts';
import { createPool } from '../../../infrastructure/postgres/pool.ts';
import { inTransaction } from '../../../infrastructure/postgres/transaction.ts';
import { createSealer } from '../../../infrastructure/secrets/sealing.ts';
import { type Config, readConfig } from '../../config.ts';
import {
  forgetPreviousMasterKey,
  joinDatabase,
  nextMasterKeys,
  openDataDirectory,
} from '../../installation.ts';
import { resealAll } from '../../sealed-columns.ts';
import { CannotStart, cannotStart } from '../../start/cannot-start.ts';
import { requireDatabase, requireTables } from './beside.ts';

/**
 * Seals every stored secret under the current master key. Where the data directory keeps the key, it makes a new one
 * first, and the service has to be stopped; elsewhere the operator has set DAYBOOK_MASTER_KEY to the new key and
 * DAYBOOK_MASTER_KEY_PREVIOUS to the former one in every process.
 */
export async function rotateKeys(): Promise<void> {
  const config = readConfig();
  requireDatabase(config);
  const kept = config.masterKey === undefined;
  const log = createLog(config.logLevel);
  const { databaseUrl, close } = await (kept ? takeDirectory(config, log) : joinDatabase(config, log));
  const pool = createPool({ url: databaseUrl, max: 2, name: 'keys', statementMaxMs: 0 });
  try {
    await requireTables(createReadDb(pool), config);
    const { changed, masterKeyId } = await inTransaction(pool, async (client) => {
      // Until all is sealed anew: rows that a platform goes back to are sealed as they were.
      await holdSnapshots(client);
      const sealer = createSealer(
        config.masterKey === undefined
          ? await nextMasterKeys(config.dataDirectory)
          : { current: config.masterKey, previous: config.previousMasterKeys },
      );
      const sealed = await resealAll(pool, sealer);
      await forgetSnapshotsSealedOtherwise(client, sealer.masterKeyId);
      return { changed: sealed, masterKeyId: sealer.masterKeyId };
    });
    if (kept) await forgetPreviousMasterKey(config.dataDirectory);
    const next = kept ? 'Start the service again.' : 'DAYBOOK_MASTER_KEY_PREVIOUS is not needed any more.';
    process.stdout.write(`Sealed ${changed} rows under the master key ${masterKeyId}. ${next}\n`);
  } finally {
    await pool.end();
    await close();
  }
}

/** With a database of its own. Throws `CannotStart` where a service is running on the directory, which has the former key. */
async function takeDirectory(config: Config, log: Log) {
  try {
    return await openDataDirectory({ ...config, eventStoreUrl: undefined }, log);
  } catch (error) {
    const cause = error instanceof CannotStart ? error.cause : undefined;
    if (!(cause instanceof DirectoryInUse)) throw error;
    const next = 'Stop it, run the command, and start it again';
    throw cannotStart({ variable: 'DAYBOOK_DATA_DIR', tried: cause.message, next, cause });
  }
}
