import type { Closings } from '../../src/infrastructure/closings/closings.ts';
import type { EventStore, StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { type CheckpointedConsumer, ReadAgain } from '../../src/infrastructure/event-store/follow-log.ts';
import { oneAtATime } from '../../src/infrastructure/scheduling/one-at-a-time.ts';
import type { ReadDb } from '../database.ts';
import { erasuresSoFar, projectionsCheckpoint, startCheckpoint } from '../kept/checkpoints.ts';
import { createAdvance } from './advance.ts';
import { CheckpointMoved } from './batch.ts';
import { createParking, type SetAside } from './parking.ts';
import type { Projection } from './projection.ts';
import { projections } from './projections.ts';
import { createStates, type Learned } from './states.ts';

type Deps = {
  readonly db: ReadDb;
  readonly store: Pick<EventStore, 'read' | 'last'>;
  /** Without it long streams are read whole. */
  readonly closings?: Closings;
  /** Told how far the read models have come, after the commit. */
  readonly passed: (position: bigint) => void;
  /** Run for each event after the read models, in the same transaction: they see them as of exactly that event. */
  readonly extra?: readonly Projection[];
  /** People may have been erased: what this process remembers of them is read again. */
  readonly forget?: () => void;
  /** Told what the streams that others write have come to. */
  readonly learned?: Learned;
  readonly setAside?: SetAside;
  /** Of the term in which this is the projector; 0 for the only one there is. */
  readonly token?: bigint;
};

/** The consumer that keeps the read models up to date, and tries again what it had to set aside. */
export type Projector = CheckpointedConsumer & {
  readonly retry: () => Promise<void>;
};

/**
 * The checkpoint and the token of its term are compared as it is moved, so that a projector that has lost its lease
 * without noticing changes nothing.
 */
export function projector(deps: Deps): Projector {
  const { db, store, closings, passed, extra = [], learned, token = 0n } = deps;
  const models = [...projections, ...extra];
  const states = createStates(store, closings, learned);
  /** How often people had been erased when the events were read that are projected now; unknown at first. */
  let erasures: bigint | undefined;
  /** The same, when the log was begun to be followed. */
  let followedSince: bigint | undefined;
  /** What this process knows of the events up to here by itself may be of people who were erased since. */
  let untold = 0n;
  const place = () => ({ name: projectionsCheckpoint, token, erasures: erasures ?? 0n });
  const parking = createParking({ db, store, states, models, told: deps.setAside, place });
  /** Where this consumer has left the checkpoint; unknown after a failure, and at first. */
  let reached: bigint | undefined;
  const forget = () => {
    reached = undefined;
    for (const model of models) model.forget?.();
  };
  const load = async () => {
    forget();
    await parking.look();
    const started = await startCheckpoint(db, projectionsCheckpoint, token);
    if (started.erasures !== erasures) {
      states.forget();
      deps.forget?.();
      untold = await store.last();
      erasures = started.erasures;
    }
    reached = started.position;
    return reached;
  };
  const asStored = (event: StoredEvent): StoredEvent => {
    if (event.position > untold) return event;
    const { known: _, ...stored } = event;
    return stored;
  };
  const advance = createAdvance({ db, models, states, parking, place });
  const inTurn = oneAtATime();
  return {
    name: projectionsCheckpoint,
    async checkpoint() {
      const position = await load();
      followedSince = erasures;
      return position || undefined;
    },
    consume: (events) =>
      inTurn(async () => {
        const last = events.at(-1)?.position;
        if (last === undefined) return;
        try {
          const from = reached ?? (await load());
          followedSince ??= erasures;
          if (followedSince !== erasures) throw new ReadAgain();
          reached = await advance(events.filter(({ position }) => position > from).map(asStored), from);
        } catch (error) {
          forget();
          if (error instanceof CheckpointMoved && (await erasuresSoFar(db)) !== erasures)
            throw new ReadAgain();
          throw error;
        }
        passed(last);
      }),
    retry: () =>
      inTurn(async () => {
        if (reached === undefined || !parking.isUsed()) return;
        await parking.retry(reached).catch(async (error) => {
          if (error instanceof CheckpointMoved) await load();
          throw error;
        });
      }),
  };
}
