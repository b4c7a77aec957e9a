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

export function createRetry({ db, store, states, holding }: Deps): Retry {
  /** One page of what is left of the stream. Returns where the next one begins. */
  const retryPage = async (
    model: Projection,
    work: ParkedWork,
    reached: bigint,
  ): Promise<ParkedWork | undefined> => {
    const events = await store.read(work.stream, work.revision, pageMax + 1);
    const due = events.filter(({ position }) => position <= reached);
    const next = due[pageMax];
    try {
      const followed = await states.follow(due.slice(0, pageMax));
      await holding(reached, async (transaction) => {
        const left = next ? parkRest(transaction, work, next) : unpark(transaction, work);
        // Somebody else may have dropped it, or made the model anew, since it was taken.
        if (await left) await project([model], followed, transaction);
      });
      return next && { ...work, revision: next.revision };
    } catch (error) {
      const [event] = due;
      if (!event || !isOfEvent(error)) throw error;
      await parkAgain(db, work, error);
      return undefined;
    } finally {
      model.forget?.();
    }
  };

  return async (model, work, reached) => {
    for (let page: ParkedWork | undefined = work; page; ) page = await retryPage(model, page, reached);
  };
}
