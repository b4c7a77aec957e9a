/** Makes rows of events, and moves the checkpoint past them. */
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { isCancelled, isDeadlock } from '../../src/infrastructure/postgres/violations.ts';
import type { ReadDb } from '../database.ts';
import { projectAt } from './batch.ts';
import { isOfEvent } from './of-event.ts';
import type { Parking } from './parking.ts';
import type { Projection } from './projection.ts';
import type { States } from './states.ts';
import type { Place } from './write.ts';

/** The projector and a rebuild that puts its tables in place may wait for each other: one of them begins again. */
const attemptsMax = 5;

type Deps = {
  readonly db: ReadDb;
  readonly models: readonly Projection[];
  readonly states: Pick<States, 'follow'>;
  readonly parking: Pick<Parking, 'isUsed' | 'project' | 'setAside'>;
  readonly place: () => Pick<Place, 'name' | 'token' | 'erasures'>;
};

/** `from` is where the checkpoint is. Returns where it has been moved to. */
type Advance = (events: readonly StoredEvent[], from: bigint, attempt?: number) => Promise<bigint>;

export function createAdvance({ db, models, states, parking, place }: Deps): Advance {
  /** All of them at once, or, where they fail, in halves, down to the one that is set aside. */
  const advance: Advance = async (events, from, attempt = 1) => {
    const [first] = events;
    const to = events.at(-1)?.position;
    if (!first || to === undefined) return from;
    try {
      if (parking.isUsed()) await parking.project(events, { from, to });
      else await projectAt(models, await states.follow(events), db, { ...place(), from, to });
    } catch (error) {
      for (const model of models) model.forget?.();
      if (isDeadlock(error) && attempt < attemptsMax) return advance(events, from, attempt + 1);
      // What took longer than a statement may: half of the events may take half as long.
      if (!isOfEvent(error) && !(isCancelled(error) && events.length > 1)) throw error;
      if (events.length > 1) {
        const half = Math.ceil(events.length / 2);
        return advance(events.slice(half), await advance(events.slice(0, half), from));
      }
      await parking.setAside(first, { from, to });
    }
    return to;
  };
  return advance;
}
