/**
 * What a read model cannot make rows of is set aside with the rest of its stream, for that model alone, and is tried
 * again: everything else goes on. What is wrong with the database rather than with an event is not set aside.
 */
import type { EventStore, StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import type { ReadDb } from '../database.ts';
import { saveCheckpoint } from '../kept/checkpoints.ts';
import { park, parkedStreams, takeDue } from '../kept/parked.ts';
import { begin, project, type Transaction } from './batch.ts';
import { isOfEvent } from './of-event.ts';
import type { Projection } from './projection.ts';
import { createRetry, type Holding } from './retry.ts';
import type { States } from './states.ts';
import type { Place } from './write.ts';

/** Streams that are tried again in one turn, for each model. */
const atOnceMax = 20;

/** Told of an event that was set aside, and how the models fail for it, by their names. */
export type SetAside = (event: StoredEvent, failures: ReadonlyMap<string, unknown>) => void;

type Deps = {
  readonly db: ReadDb;
  readonly store: Pick<EventStore, 'read'>;
  readonly states: States;
  readonly models: readonly Projection[];
  readonly told: SetAside | undefined;
  /** The checkpoint, and the term that moves it. */
  readonly place: () => Pick<Place, 'name' | 'token' | 'erasures'>;
};

/** From where to where the checkpoint is moved. */
type Reach = Pick<Place, 'from' | 'to'>;

export type Parking = {
  /** Whether something was set aside when it was last looked at. */
  readonly isUsed: () => boolean;
  /** Looks at what is set aside. */
  readonly look: () => Promise<void>;
  /** Projects the events for the models that have not set their streams aside. */
  readonly project: (events: readonly StoredEvent[], place: Reach) => Promise<void>;
  /** Projects one event that has failed for the models that it does not fail for. Throws where it fails for none. */
  readonly setAside: (event: StoredEvent, place: Reach) => Promise<void>;
  /** Tries what is due again, as of the position that the read models have reached. */
  readonly retry: (reached: bigint) => Promise<void>;
};

export function createParking({ db, store, states, models, told, place }: Deps): Parking {
  const names = models.map((model) => model.name);
  let parked: Awaited<ReturnType<typeof parkedStreams>> = new Map();

  /** One transaction that holds the checkpoint: whoever swaps or repairs rows waits for it. */
  const holding: Holding = async (from, work) => {
    const transaction = await begin(db, { ...place(), from });
    try {
      await work(transaction);
      await transaction.commit().execute();
    } catch (error) {
      await transaction.rollback().execute();
      throw error;
    }
  };
  const save = (transaction: Transaction, to: bigint) => {
    const { name, token } = place();
    return saveCheckpoint(transaction, name, to, token);
  };
  const sparing = (model: Projection): Projection => {
    const own = parked.get(model.name);
    if (!own) return model;
    return {
      ...model,
      project: (event, rows) => (own.has(event.stream) ? undefined : model.project(event, rows)),
    };
  };
  const isReadable = ({ stream }: StoredEvent) => !names.every((one) => parked.get(one)?.has(stream));

  /** Those models that fail for the event, with how. Nothing is written. */
  const failuresOf = async (event: StoredEvent, from: bigint): Promise<ReadonlyMap<string, unknown>> => {
    const followed = await states.follow([event]).catch((error) => error as Error);
    if (followed instanceof Error) return new Map(names.map((one) => [one, followed]));
    const failures = new Map<string, unknown>();
    for (const model of models) {
      await holding(from, async (transaction) => {
        await project([sparing(model)], followed, transaction);
        throw new Tried();
      }).catch((error) => {
        if (!(error instanceof Tried)) failures.set(model.name, requireOfEvent(error));
      });
    }
    return failures;
  };

  const retryOne = createRetry({ db, store, states, holding });

  return {
    isUsed: () => parked.size > 0,
    async look() {
      parked = await parkedStreams(db, names);
    },
    project: (events, { from, to }) =>
      holding(from, async (transaction) => {
        parked = await parkedStreams(transaction, names);
        const followed = await states.follow(events.filter(isReadable));
        await project(models.map(sparing), followed, transaction);
        await save(transaction, to);
      }),
    async setAside(event, { from, to }) {
      const failures = await failuresOf(event, from);
      if (failures.size === 0) throw new Error(`no read model fails for ${event.id}, and all of them do`);
      const others = models.filter((model) => !failures.has(model.name));
      await holding(from, async (transaction) => {
        const followed = others.length > 0 ? await states.follow([event]) : [];
        await project(others.map(sparing), followed, transaction);
        for (const [consumer, error] of failures) await park(transaction, { consumer, event, error });
        await save(transaction, to);
      });
      told?.(event, failures);
      parked = await parkedStreams(db, names);
    },
    async retry(reached) {
      for (const model of models) {
        if (!parked.has(model.name)) continue;
        for (const work of await takeDue(db, model.name, atOnceMax))
          await retryOne(model.again ?? model, work, reached);
      }
      parked = await parkedStreams(db, names);
    },
  };
}

/** Ends a transaction that was only to show whether it would succeed. */
class Tried extends Error {}

function requireOfEvent(error: unknown): unknown {
  if (isOfEvent(error)) return error;
  throw error;
}
