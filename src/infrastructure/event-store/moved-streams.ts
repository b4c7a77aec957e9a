/**
 * Streams that go on elsewhere, because their owner was put back to an earlier state. The code knows a stream by one
 * name; the log has it under that, or under that and the generation of its owner. What a stream had before is shown to
 * nobody who reads the log through this.
 */
import {
  type Appended,
  type EventStore,
  type StoredEvent,
  type SubscribeOptions,
  WrongRevision,
} from './event-store.ts';
import { createHolds, type Holds } from './holds.ts';
import { type Move, type MovedOwners, movedOwners } from './moved-owners.ts';

/** Where the log says what was moved. */
export type Moves = {
  readonly stream: string;
  readonly of: (event: StoredEvent) => Move | undefined;
};

export type MovedStreams = Omit<MovedOwners, 'isAnyNamed' | 'ownerOf'> &
  Pick<Holds, 'hold' | 'holding' | 'beside'> & {
    /** The log by the names that the code knows. */
    readonly store: EventStore;
    /** Knows all moves that the log has when it resolves. */
    readonly readMoves: () => Promise<void>;
  };

type Options = {
  /** Whoever begins with nothing need not hear of the moves that were made before: what was left is not shown. */
  readonly tellsFormerMoves?: boolean;
};

const pageMax = 1_000;

/** Knows all moves that the log has when it resolves. */
export async function openMovedStreams(
  log: EventStore,
  moves: Moves,
  { tellsFormerMoves = true }: Options = {},
): Promise<MovedStreams> {
  const owners = movedOwners();
  const { shown, placeOf, isNamed, ownerOf, standingOf, generationOf, isLeft, move, onMove } = owners;
  const { heldFor, waitedFor, hold, holding, beside } = createHolds();

  let known = 0;
  const readMoves = async (): Promise<void> => {
    for (let more = true, from = known; more; known = Math.max(known, from)) {
      const page = await log.read(moves.stream, from, pageMax);
      for (const event of page) {
        const made = moves.of(event);
        if (made) move(made);
      }
      from += page.length;
      more = page.length === pageMax;
    }
  };
  await readMoves();
  const handOver = handingOver(moves, owners, tellsFormerMoves ? -1 : known - 1);

  const append = (...[stream, ...rest]: Parameters<EventStore['append']>) =>
    waitedFor(log.append(placeOf(stream), ...rest));
  /** What was decided on a state that is no more has to be decided again. */
  const appendAfter = async (held: Promise<void>, ...args: Parameters<EventStore['append']>) => {
    const [stream, expected] = args;
    const place = placeOf(stream);
    await held;
    if (placeOf(stream) !== place) throw new WrongRevision(stream, expected, 'none');
    return store.append(...args);
  };
  const readAfter = async (held: Promise<void>, ...args: Parameters<EventStore['read']>) => {
    await held;
    return store.read(...args);
  };
  const store: EventStore = {
    append(...args): Promise<Appended> {
      const [stream, , events] = args;
      const held = stream === moves.stream ? undefined : heldFor(events[0]?.metadata.platformId);
      return held ? appendAfter(held, ...args) : append(...args);
    },
    read(stream, from, most) {
      const held = heldFor(ownerOf(stream));
      if (held) return readAfter(held, stream, from, most);
      const place = placeOf(stream);
      const reading = log.read(place, from, most);
      return place === stream ? reading : reading.then((events) => events.map((e) => ({ ...e, stream })));
    },
    last: () => log.last(),
    subscribeToAll({ consume, passed, ...options }) {
      const handOn = (events: readonly StoredEvent[]) => handOver(events, consume);
      if (!passed) return log.subscribeToAll({ ...options, consume: handOn });
      return log.subscribeToAll({
        ...options,
        async consume(events) {
          await handOn(events);
          const last = events.at(-1);
          if (last) await passed(last.position);
        },
      });
    },
    close: () => log.close(),
  };

  return {
    store,
    shown,
    placeOf,
    isNamed,
    standingOf,
    generationOf,
    isLeft,
    move,
    readMoves,
    onMove,
    beside,
    hold,
    holding,
  };
}

/**
 * Hands on what is shown of the log. A move ends what is handed over at once: what comes after it is of other streams,
 * under the same names. Nobody is told of a move up to the revision `untold`.
 */
const handingOver =
  (moves: Moves, { isAnyNamed, shown, move }: MovedOwners, untold: number) =>
  async (events: readonly StoredEvent[], consume: SubscribeOptions['consume']): Promise<void> => {
    if (!isAnyNamed() && !events.some(({ stream }) => stream === moves.stream)) return consume(events);
    let part: StoredEvent[] = [];
    for (const event of events) {
      const next = event.stream === moves.stream ? moves.of(event) : undefined;
      if (next && event.revision <= untold) continue;
      const one = shown(event);
      if (one) part.push(one);
      if (!next) continue;
      move(next);
      await consume(part);
      part = [];
    }
    if (part.length > 0) await consume(part);
  };

/** The same for whoever only reads, or for whom nothing is to be written. */
export const openMovedReader = (log: Omit<EventStore, 'append'>, moves: Moves): Promise<MovedStreams> =>
  openMovedStreams(
    { ...log, append: async () => Promise.reject(new Error('nothing is written here')) },
    moves,
    {
      tellsFormerMoves: false,
    },
  );
