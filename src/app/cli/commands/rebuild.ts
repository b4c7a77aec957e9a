import { createReadDb } from '../../../../projections/database.ts';
import { createShadowPool, rebuild } from '../../../../projections/projector/rebuild/rebuild.ts';
import { projections } from '../../../../projections/projector/run.ts';
import { postgresClosings } from '../../../infrastructure/closings/postgres.ts';
import { createPool } from '../../../infrastructure/postgres/pool.ts';
import { onLog } from './beside.ts';
import { progressOutput } from './progress-output.ts';

/** The read models that may be named. */
export const modelNames = projections.map(({ name }) => name);

/**
 * Builds read models anew from the log, all of them unless some are named, beside the live ones, and swaps them. The
 * service may be running.
 */
export const rebuildModels = (names: readonly string[]): Promise<void> =>
  onLog(async ({ databaseUrl, store, log }) => {
    const models = projections.filter(({ name }) => names.length === 0 || names.includes(name));
    const pool = createPool({ url: databaseUrl, max: 4, name: 'rebuild', statementMaxMs: 0 });
    const db = createReadDb(pool);
    const closings = postgresClosings(pool, log);
    const shadow = createShadowPool(databaseUrl);
    const output = progressOutput(process.stdout, () => performance.now());
    const started = performance.now();
    try {
      const events = await rebuild({ db, shadow, store, closings }, models, {
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
    }
  });
