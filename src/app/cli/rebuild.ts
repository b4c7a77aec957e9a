/** `npm run rebuild -- <model>`: builds a read model anew from the log, beside the live one, and swaps the two. */
import { createReadDb } from '../../../projections/database.ts';
import { rebuild } from '../../../projections/projector/rebuild.ts';
import { projections } from '../../../projections/projector/run.ts';
import { createLog } from '../../infrastructure/observe/log.ts';
import { createPool } from '../../infrastructure/postgres/pool.ts';
import { readConfig } from '../config.ts';
import { openDataDirectory } from '../installation.ts';
import { openEventStore } from '../parts/event-store.ts';

const name = process.argv[2];
const model = projections.find((projection) => projection.name === name);

if (model) {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const installation = await openDataDirectory(config, log);
  const { databaseUrl } = installation;
  const { eventStoreUrl } = config;
  const store = await openEventStore({ eventStoreUrl, databaseUrl, log });
  const db = createReadDb(createPool({ url: databaseUrl, max: 4, name: 'rebuild' }));
  const shadow = createReadDb(
    createPool({ url: databaseUrl, max: 1, name: 'rebuild-shadow', schema: 'daybook_rebuild,daybook' }),
  );
  try {
    const events = await rebuild({ db, shadow, store }, model);
    process.stdout.write(`Rebuilt ${model.name} from ${events} events.\n`);
  } finally {
    await shadow.destroy();
    await db.destroy();
    await store.close();
    await installation.close();
  }
} else {
  const names = projections.map((projection) => projection.name).join(', ');
  process.stderr.write(`Usage: npm run rebuild -- MODEL\nModels: ${names}\n`);
  process.exitCode = 2;
}
