/**
 * Builds read models from the log into tables of their own while the live ones keep serving, then swaps all of them at
 * the position that the live ones have reached. The log is read once, whatever the number of models; the projector
 * waits for the swap alone.
 */
import type { Closings } from '../../../src/infrastructure/closings/closings.ts';
import type { EventStore } from '../../../src/infrastructure/event-store/event-store.ts';
import { booksSchema, createPool, type Pool } from '../../../src/infrastructure/postgres/pool.ts';
import { keyFilter } from '../../../src/kernel/key-filter.ts';
import { createReadDb, type ReadDb } from '../../database.ts';
import { erasuresSoFar, loadCheckpoint, projectionsCheckpoint } from '../../kept/checkpoints.ts';
import { forgetParked } from '../../kept/parked.ts';
import { project } from '../batch.ts';
import type { Projection } from '../projection.ts';
import { createStates } from '../states.ts';
import { bulkOf } from './bulk.ts';
import { foldingOf } from './folding.ts';
import { type Page, pagesOf } from './pages.ts';
import { inShadowTables, newShadowSchema, type Shadow, writeToShadow } from './shadow-tables.ts';
import { stagingOf } from './staging.ts';
import { swap } from './swap.ts';

/** How often the distance to the live read models is made up for while they go on. */
const roundsMax = 10;

type Deps = {
  readonly db: ReadDb;
  readonly shadow: ShadowPool;
  readonly store: EventStore;
  /** Without it long streams are folded in memory. */
  readonly closings?: Closings;
};

export type RebuildProgress = {
  /** Read so far. */
  readonly events: number;
  readonly position: bigint;
  /** What the position will be. It grows while the service is at work. */
  readonly until: bigint;
};

export type RebuildOptions = {
  readonly onProgress?: (progress: RebuildProgress) => void;
  /** Given each page too, for what is beside the read models. */
  readonly onPage?: (page: Page) => Promise<void>;
  /** Events that are read and folded at once. */
  readonly pageMax?: number;
  /** Rows that are kept in memory before they are written; as many may be on their way. */
  readonly rowsMax?: number;
};

export type ShadowPool = Pick<Shadow, 'schema'> & {
  readonly pool: Pool;
  readonly end: () => Promise<void>;
};

/**
 * Connections that look tables up in the schema of this rebuild first. What is written on them can be built again. One
 * of them does nothing but hold the lock of whoever rebuilds.
 */
export function createShadowPool(url: string): ShadowPool {
  const schema = newShadowSchema();
  const pool = createPool({
    url,
    max: 4,
    name: 'rebuild-shadow',
    statementMaxMs: 0,
    schema: `${schema},${booksSchema}`,
    settings: {
      synchronous_commit: 'off',
      work_mem: '64MB',
      maintenance_work_mem: '128MB',
      default_statistics_target: '10',
    },
  });
  return { schema, pool, end: () => pool.end() };
}

/**
 * Returns the number of events read: none, with nothing done, before the live read models have come to one. Throws, with
 * the live tables as they were, where somebody was erased meanwhile: what was read before may tell of them.
 */
export async function rebuild(
  { db, shadow: { pool, schema }, store, closings }: Deps,
  models: readonly Projection[],
  { onProgress, onPage, pageMax = 5_000, rowsMax = 20_000 }: RebuildOptions = {},
): Promise<number> {
  const tables = models.flatMap((model) => model.tables);
  const shadow: Shadow = { db: createReadDb(pool), schema, tables };
  const states = createStates(store, closings);
  const written = keyFilter();
  const bulk = bulkOf((table) => stagingOf({ ...shadow, pool, written }, table), rowsMax);
  const { fold, finish } = foldingOf({ shadow, bulk, states }, models);
  let events = 0;
  let position: bigint | undefined;

  const readUntil = async (until: bigint, consume: (page: Page) => Promise<void>) => {
    const before = events;
    for await (const page of pagesOf(store, { after: position, until, pageMax })) {
      await consume(page);
      await onPage?.(page);
      events += page.length;
      position = page.at(-1)?.position ?? position;
      onProgress?.({ events, position: position ?? 0n, until });
    }
    return events - before;
  };
  const catchUp = async (consume: (page: Page) => Promise<void>) => {
    for (let round = 0; round < roundsMax; round++) {
      const reached = await loadCheckpoint(db, projectionsCheckpoint);
      if (!reached || (await readUntil(reached, consume)) < pageMax) return;
    }
  };

  if (!(await loadCheckpoint(db, projectionsCheckpoint))) return 0;
  const erasures = await erasuresSoFar(db);
  const unlessErased = (count: bigint) => {
    if (count !== erasures)
      throw new Error(
        'A customer was erased meanwhile, and nothing was changed. Rebuild the read models again.',
      );
  };
  const build = async () => {
    await catchUp(fold);
    await finish();
    await catchUp((page) =>
      writeToShadow(shadow, async (one) => project(models, await states.follow(page), one)),
    );
    const from = position;
    const counted = events;
    await swap(shadow, async (transaction, reached) => {
      unlessErased(await erasuresSoFar(transaction));
      // An attempt that has failed has written nothing.
      position = from;
      events = counted;
      await readUntil(reached, async (page) => project(models, await states.follow(page), transaction));
      await forgetParked(
        transaction,
        models.map(({ name }) => name),
      );
    });
  };
  await inShadowTables(shadow, build).catch(async (error) => {
    // Who erases takes the tables away.
    unlessErased(await erasuresSoFar(db).catch(() => erasures));
    throw error;
  });
  return events;
}
