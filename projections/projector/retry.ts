/** Tries a stream again that a read model has set aside. */
import type { EventStore } from '../../src/infrastructure/event-store/event-store.ts';
import type { ReadDb } from '../database.ts';
import { type ParkedWork, parkAgain, parkRest, unpark } from '../kept/parked.ts';
import { project, type Transaction } from './batch.ts';
import { isOfEvent } from './of-event.ts';
import type { Projection } from './projection.ts';
import type { States } from './states.ts';

/** Events of a stream that are projected together. */
const pageMax = 500;

/** One transaction that holds the checkpoint, which is at `from`. */
export type Holding = (from: bigint, work: (transaction: Transaction) => Promise<unknown>) => Promise<void>;

type Deps = {
  readonly db: ReadDb;
  readonly store: Pick<EventStore, 'read'>;
  readonly states: Pick<States, 'follow'>;
  readonly holding: Holding;
};

/** As of the position that the read models have reached. What fails again stays set aside. */
type Retry = (model: Projection, work: ParkedWork, reached: bigint) => Promise<void>;

/** What is left of the stream, and how many events of it are tried together. */
type Left = { readonly rest: ParkedWork | undefined; readonly most: number };

export function createRetry({ db, store, states, holding }: Deps): Retry {
  /** One page. Where one of its events fails fewer are tried next, until it is known which one. */
  const retryPage = async (
    model: Projection,
    work: ParkedWork,
    reached: bigint,
    most: number,
  ): Promise<Left> => {
    const events = await store.read(work.stream, work.revision, most + 1);
    const due = events.filter(({ position }) => position <= reached);
    const page = due.slice(0, most);
    const next = due[most];
    try {
      const followed = await states.follow(page);
      await holding(reached, async (transaction) => {
        const left = next ? parkRest(transaction, work, next) : unpark(transaction, work);
        // Somebody else may have dropped it, or made the model anew, since it was taken.
        if (await left) await project([model], followed, transaction);
      });
      return { rest: next && { ...work, revision: next.revision }, most };
    } catch (error) {
      if (page.length === 0 || !isOfEvent(error)) throw error;
      if (page.length > 1) return { rest: work, most: Math.floor(page.length / 2) };
      await parkAgain(db, work, error);
      return { rest: undefined, most };
    } finally {
      model.forget?.();
    }
  };

  return async (model, work, reached) => {
    let left: Left = { rest: work, most: pageMax };
    while (left.rest) left = await retryPage(model, left.rest, reached, left.most);
  };
}
