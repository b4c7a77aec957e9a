/** Events whose reactions have failed, tried again when they are due. */
import type { ReadDb } from '../../projections/database.ts';
import {
  countParked,
  type ParkedWork,
  park,
  parkAgain,
  reactionsConsumer,
  takeDue,
  unpark,
} from '../../projections/kept/parked.ts';
import type { React } from '../infrastructure/commands/reaction-consumer.ts';
import type { EventStore, StoredEvent } from '../infrastructure/event-store/event-store.ts';

/** Tried again in one turn: what else is due waits for the next. */
const atOnceMax = 50;

type Deps = {
  readonly readDb: ReadDb;
  readonly store: Pick<EventStore, 'read'>;
  readonly react: React;
  /** Told how much is parked, for each consumer that has any. */
  readonly parked: (counts: ReadonlyMap<string, number>) => void;
};

export type Parked = {
  readonly park: (event: StoredEvent, error: unknown) => Promise<void>;
  /** Tries again what is due. Safe in several processes at once. */
  readonly retry: () => Promise<void>;
};

export function createParked({ readDb, store, react, parked }: Deps): Parked {
  const parkReactions = (event: StoredEvent, error: unknown) =>
    park(readDb, { consumer: reactionsConsumer, event, error });

  const tryAgain = async (work: ParkedWork) => {
    const [event] = await store.read(work.stream, work.revision, 1);
    const failed = event && (await react(event));
    if (failed) await parkAgain(readDb, work, failed.error);
    else await unpark(readDb, work);
  };
  return {
    park: parkReactions,
    async retry() {
      const counts = await countParked(readDb);
      parked(counts);
      if (!counts.has(reactionsConsumer)) return;
      const due = await takeDue(readDb, reactionsConsumer, atOnceMax);
      for (const work of due) await tryAgain(work);
      if (due.length > 0) parked(await countParked(readDb));
    },
  };
}
