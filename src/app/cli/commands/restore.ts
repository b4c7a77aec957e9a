import { usedKeysOfPages } from '../../../../projections/kept/used-keys.ts';
import { migrateBooks } from '../../../../projections/migrations/migrate.ts';
import { restore } from '../../../../projections/projector/rebuild/restore.ts';
import { openMovedStreams } from '../../../infrastructure/event-store/moved-streams.ts';
import { createLog } from '../../../infrastructure/observe/log.ts';
import { shownLog } from '../../../infrastructure/personal-data/shown-log.ts';
import { createPool } from '../../../infrastructure/postgres/pool.ts';
import { readConfig } from '../../config.ts';
import { openDataDirectory } from '../../installation.ts';
import { openClock } from '../../parts/clock.ts';
import { openEventStore, restored } from '../../parts/core/event-store.ts';
import { requireOwnLog } from '../../parts/core/own-log.ts';
import { openVault } from '../../parts/core/vault.ts';
import { buildShown } from './building.ts';

export type RestoreOptions = { readonly webhooksSince?: Date; readonly reactionsSince?: Date };

const next = `Before a process starts, fill in the originals of the backup, then run \`daybook rebuild\`: without the keys of persons names and addresses say "erased", and a process makes keys of its own in their place.
`;

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
  const keyPool = createPool({ url: databaseUrl, max: 1, name: 'person-keys' });
  try {
    const { store: shown } = await openMovedStreams(store, restored, { tellsFormerMoves: false });
    const vault = openVault(keyPool, installation.masterKeys);
    const opened = { databaseUrl, store: shownLog(shown, vault), log };
    const events = await buildShown(opened, async (deps, onProgress) => {
      await migrateBooks(deps.db);
      await requireOwnLog({ readDb: deps.db, store }, config);
      const clock = await openClock(databaseUrl, log);
      const onPage = usedKeysOfPages(deps.db, clock.now());
      const count = await restore(deps, { ...options, onProgress, onPage });
      // Made before the keys of persons are filled in, they would say that everybody is erased.
      await deps.forgetClosings();
      return count;
    });
    process.stdout.write(`Restored from ${events} events.\n${next}`);
  } finally {
    await keyPool.end();
    await store.close();
    await installation.close();
  }
}
