/**
 * `npm run rebuild -- [MODEL...]`: builds read models anew from the log, all of them unless some are named, beside the
 * live ones, and swaps them.
 */
import { createReadDb } from '../../../projections/database.ts';
import { createShadowPool, rebuild } from '../../../projections/projector/rebuild/rebuild.ts';
import { projections } from '../../../projections/projector/run.ts';
import { createLog } from '../../infrastructure/observe/log.ts';
import { createPool } from '../../infrastructure/postgres/pool.ts';
import { readConfig } from '../config.ts';
import { openDataDirectory } from '../installation.ts';
import { openEventStore } from '../parts/event-store.ts';
import { progressOutput } from './progress-output.ts';

const names = process.argv.slice(2);
const isAll = names.length === 0 || (names.length === 1 && names[0] === 'all');
const models = projections.filter(({ name }) => isAll || names.includes(name));

if (isAll || models.length === new Set(names).size) {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const installation = await openDataDirectory(config, log);
  const { databaseUrl } = installation;
  const { eventStoreUrl } = config;
  const store = await openEventStore({ eventStoreUrl, databaseUrl, log });
  const db = createReadDb(createPool({ url: databaseUrl, max: 4, name: 'rebuild', statementMaxMs: 0 }));
  const shadow = createShadowPool(databaseUrl);
  const output = progressOutput(process.stdout, () => performance.now());
  const started = performance.now();
  try {
    const events = await rebuild({ db, shadow, store }, models, {
      onProgress: ({ events, position, until }) => output.show({ events, done: position, total: until }),
    });
    output.end();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(
      `Rebuilt ${models.map(({ name }) => name).join(', ')} from ${events} events in ${seconds} s.\n`,
    );
  } finally {
    output.end();
    await shadow.end();
    await db.destroy();
    await store.close();
    await installation.close();
  }
} else {
  const known = projections.map(({ name }) => name).join(', ');
  process.stderr.write(`Usage: npm run rebuild -- [all | MODEL...]\nModels: ${known}\n`);
  process.exitCode = 2;
}
