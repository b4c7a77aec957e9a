import { createReadDb, type ReadDb } from '../../../../projections/database.ts';
import {
  createShadowPool,
  type RebuildProgress,
  type ShadowPool,
} from '../../../../projections/projector/rebuild/rebuild.ts';
import type { Closings } from '../../../infrastructure/closings/closings.ts';
import { forgetAllClosings } from '../../../infrastructure/closings/forget.ts';
import { postgresClosings } from '../../../infrastructure/closings/postgres.ts';
import type { EventStore } from '../../../infrastructure/event-store/event-store.ts';
import type { Log } from '../../../infrastructure/observe/log.ts';
import { createPool } from '../../../infrastructure/postgres/pool.ts';
import { inTransaction } from '../../../infrastructure/postgres/transaction.ts';
import { progressOutput } from './progress-output.ts';

type Place = { readonly databaseUrl: string; readonly store: EventStore; readonly log: Log };

type Build = (
  deps: {
    readonly db: ReadDb;
    readonly shadow: ShadowPool;
    readonly store: EventStore;
    readonly closings: Closings;
    /** All of them: they are made anew on the way. */
    readonly forgetClosings: () => Promise<void>;
  },
  onProgress: (progress: RebuildProgress) => void,
) => Promise<number>;

/** Builds read models from the log on connections of its own, with its progress shown; returns what `build` does. */
export async function buildShown({ databaseUrl, store, log }: Place, build: Build): Promise<number> {
  const pool = createPool({ url: databaseUrl, max: 4, name: 'rebuild', statementMaxMs: 0 });
  const db = createReadDb(pool);
  const shadow = createShadowPool(databaseUrl);
  const output = progressOutput(process.stdout, () => performance.now());
  try {
    const closings = postgresClosings(pool, log);
    const forgetClosings = () => inTransaction(pool, forgetAllClosings);
    return await build({ db, shadow, store, closings, forgetClosings }, (progress) =>
      output.show({ events: progress.events, done: progress.position, total: progress.until }),
    );
  } finally {
    output.end();
    await shadow.end();
    await db.destroy();
  }
}
