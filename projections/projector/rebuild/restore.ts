/**
 * Makes the read models of a log from nothing, so that nothing follows from the events that are in it already: what was
 * told and done then is not told and done again, unless from a moment on it is wanted.
 */
import type { Closings } from '../../../src/infrastructure/closings/closings.ts';
import type { EventStore } from '../../../src/infrastructure/event-store/event-store.ts';
import type { ReadDb } from '../../database.ts';
import { beginRestore, endRestore } from '../../kept/checkpoints.ts';
import { projections } from '../projections.ts';
import { pagesOf } from './pages.ts';
import { type RebuildOptions, rebuild, type ShadowPool } from './rebuild.ts';

const pageMax = 5_000;

type Deps = {
  readonly db: ReadDb;
  readonly shadow: ShadowPool;
  readonly store: EventStore;
  readonly closings?: Closings;
};

export type RestoreOptions = Pick<RebuildOptions, 'onProgress' | 'onPage'> & {
  /** Events since then are told to platforms again; those before are not. */
  readonly webhooksSince?: Date | undefined;
  /** Reactions to events since then run again, which is harmless; those before do not. */
  readonly reactionsSince?: Date | undefined;
};

/**
 * Returns the number of events read. Throws where the read models are in use. What is cut short has to be run again:
 * until then no process starts.
 */
export async function restore(
  { db, shadow, store, closings }: Deps,
  { webhooksSince, reactionsSince, ...options }: RestoreOptions = {},
): Promise<number> {
  const last = await store.last();
  const before = (moment: Date | undefined) => (moment ? placeBefore(store, moment, last) : last);
  const [reactions, webhooks] = [await before(reactionsSince), await before(webhooksSince)];
  // What is to be told is rendered from the read models as they were then: they stop there, and go on by themselves.
  await beginRestore(db, { projections: webhooks, reactions, webhooks, deliveries: last });
  const events = await rebuild({ db, shadow, store, ...(closings && { closings }) }, projections, options);
  await endRestore(db);
  return events;
}

/** The position of the last event before a moment; 0 where there is none. */
async function placeBefore(store: EventStore, moment: Date, last: bigint): Promise<bigint> {
  let place = 0n;
  if (last === 0n) return place;
  for await (const page of pagesOf(store, { after: undefined, until: last, pageMax })) {
    const first = page.findIndex(({ metadata }) => new Date(metadata.at) >= moment);
    if (first === -1) place = page.at(-1)?.position ?? place;
    else return page[first - 1]?.position ?? place;
  }
  return place;
}
