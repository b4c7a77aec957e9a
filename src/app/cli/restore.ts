/**
 * `npm run restore`: makes the tables of an installation whose log is there and whose other tables are lost. Nothing is
 * sent, and nothing reacts, to what is in the log already, unless `--webhooks-since` or `--reactions-since` says so.
 */
import { parseArgs } from 'node:util';
import { createReadDb } from '../../../projections/database.ts';
import { migrateBooks } from '../../../projections/migrations/migrate.ts';
import { createShadowPool } from '../../../projections/projector/rebuild/rebuild.ts';
import { restore } from '../../../projections/projector/rebuild/restore.ts';
import { createLog } from '../../infrastructure/observe/log.ts';
import { createPool } from '../../infrastructure/postgres/pool.ts';
import { readConfig } from '../config.ts';
import { openDataDirectory } from '../installation.ts';
import { openEventStore } from '../parts/event-store.ts';
import { progressOutput } from './progress-output.ts';

const usage = `Usage: npm run restore -- [--webhooks-since TIME] [--reactions-since TIME]
TIME is like 2026-11-02T09:00:00Z.
`;

/** Throws where it is no moment. */
function momentOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const moment = new Date(text);
  const isExact = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  if (!isExact || Number.isNaN(moment.getTime())) throw new Error(`${text} is not a moment`);
  return moment;
}

/** `undefined` where they are wrong. */
function readOptions() {
  try {
    const { values } = parseArgs({
      options: { 'webhooks-since': { type: 'string' }, 'reactions-since': { type: 'string' } },
    });
    return {
      webhooksSince: momentOf(values['webhooks-since']),
      reactionsSince: momentOf(values['reactions-since']),
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}`);
    return undefined;
  }
}

async function run(options: NonNullable<ReturnType<typeof readOptions>>): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const installation = await openDataDirectory(config, log);
  const { databaseUrl } = installation;
  const store = await openEventStore({ eventStoreUrl: config.eventStoreUrl, databaseUrl, log });
  const db = createReadDb(createPool({ url: databaseUrl, max: 4, name: 'restore' }));
  const shadow = createShadowPool(databaseUrl);
  const output = progressOutput(process.stdout, () => performance.now());
  try {
    await migrateBooks(db);
    const events = await restore(
      { db, shadow, store },
      {
        ...options,
        onProgress: ({ events, position, until }) => output.show({ events, done: position, total: until }),
      },
    );
    output.end();
    process.stdout.write(`Restored from ${events} events.\n`);
  } catch (error) {
    output.end();
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  } finally {
    await shadow.end();
    await db.destroy();
    await store.close();
    await installation.close();
  }
}

const options = readOptions();
if (options) await run(options);
else process.exitCode = 2;
