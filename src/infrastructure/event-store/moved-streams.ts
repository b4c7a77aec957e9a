/**
 * Streams that go on elsewhere, because their owner was put back to an earlier state. The code knows a stream by one
 * name; the log has it under that, or under that and the generation of its owner. What a stream had before is shown to
 * nobody who reads the log through this.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { PassingSet } from '../remembered/passing.ts';
import {
  type Appended,
  type EventStore,
  type StoredEvent,
  type SubscribeOptions,
  WrongRevision,
} from './event-store.ts';

/** From now on all streams of an owner that have been named so far are elsewhere. */
export type Move = {
  readonly owner: string;
  /** One more each time. */
  readonly generation: number;
  /** Of the event that says so. */
  readonly position: bigint;
  /** Those that no move has named before. */
  readonly streams: readonly string[];
};

/** Where the log says what was moved. */
export type Moves = {
  readonly stream: string;
  readonly of: (event: StoredEvent) => Move | undefined;
};

export type MovedStreams = {
  /** The log by the names that the code knows. */
  readonly store: EventStore;
  /** An event of the log as it is shown; `undefined` for what a stream had before it was moved. */
  readonly shown: (event: StoredEvent) => StoredEvent | undefined;
  /** The name under which the log has a stream. */
  readonly placeOf: (stream: string) => string;
  /** Whether a move has named the stream. */
  readonly isNamed: (stream: string) => boolean;
  /** `undefined` for an owner that was never moved. */
  readonly standingOf: (owner: string) => Standing | undefined;
  /** How often the owner was moved. */
  readonly generationOf: (owner: string) => number;
  /** Safe to repeat. */
  readonly move: (move: Move) => void;
  /** Knows all moves that the log has when it resolves. */
  readonly readMoves: () => Promise<void>;
  /** Told of all streams of an owner that has moved, before anything of them is read in the new place. */
  readonly onMove: (told: (streams: ReadonlySet<string>) => void) => void;
  /**
   * Resolves when nothing is being written for the owner. What is to be written for it, and what is to be read of its
   * named streams, waits until the function is called that this resolves to.
   */
  readonly hold: (owner: string) => Promise<() => void>;
  /** Tells later whether an owner has been held since: a part of what it has may have been missing for a while. */
  readonly holding: () => () => boolean;
  /**
   * Writes for the owner what is not in the log: not while it is held, and whoever holds it waits for the end. What it appends
   * for the owner, or reads, waits for nobody.
   */
  readonly beside: <Result>(owner: string, write: () => Promise<Result>) => Promise<Result>;
};

type Options = {
  /** Whoever begins with nothing need not hear of the moves that were made before: what was left is not shown. */
  readonly tellsFormerMoves?: boolean;
};

/** What is written beside the log, until it is. */
type Beside = { readonly owner: string; isOver: boolean };

type Owner = { readonly name: string; generation: number; since: bigint; readonly streams: Set<string> };
/** Of an owner: how often its streams were moved, when that was last in the log, and their names. */
export type Standing = {
  readonly generation: number;
  readonly since: bigint;
  readonly streams: ReadonlySet<string>;
};

const pageMax = 1_000;

/** The name of a stream that has been moved. */
export const movedName = (stream: string, generation: number): string => `${stream}.${generation}`;

/** Knows all moves that the log has when it resolves. */
export async function openMovedStreams(
  log: EventStore,
  moves: Moves,
  { tellsFormerMoves = true }: Options = {},
): Promise<MovedStreams> {
  const owners = new Map<string, Owner>();
  const ownerOf = new Map<string, Owner>();
  const holds = new Map<string, Promise<void>>();
  let holdsSoFar = 0;
  const writing = new PassingSet<Promise<unknown>>();
  const listeners: ((streams: ReadonlySet<string>) => void)[] = [];
  const writingBeside = new AsyncLocalStorage<Beside>();
  /** Revision of the last move that nobody is told of. */
  let untold = -1;

  const placeOf = (stream: string): string => {
    const owner = ownerOf.size > 0 ? ownerOf.get(stream) : undefined;
    return owner ? movedName(stream, owner.generation) : stream;
  };
  const move = ({ owner: name, generation, position, streams }: Move): void => {
    const owner = owners.get(name) ?? { name, generation: 0, since: 0n, streams: new Set<string>() };
    if (owner.generation >= generation) return;
    owners.set(name, owner);
    owner.generation = generation;
    owner.since = position;
    for (const stream of streams) {
      owner.streams.add(stream);
      ownerOf.set(stream, owner);
    }
    for (const told of listeners) told(owner.streams);
  };
  const heldFor = (owner: string | undefined): Promise<void> | undefined => {
    if (holds.size === 0 || owner === undefined) return undefined;
    const own = writingBeside.getStore();
    return own?.owner === owner && !own.isOver ? undefined : holds.get(owner);
  };

  const waitedFor = <Result>(write: Promise<Result>): Promise<Result> => {
    writing.add(write);
    const done = () => void writing.delete(write);
    write.then(done, done);
    return write;
  };
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
  const shown = (event: StoredEvent): StoredEvent | undefined => {
    const { stream } = event;
    const end = stream.lastIndexOf('.');
    if (end < 0) return ownerOf.has(stream) ? undefined : event;
    const name = stream.slice(0, end);
    return placeOf(name) === stream ? { ...event, stream: name } : undefined;
  };
  /** A move ends what is handed over at once: what comes after it is of other streams, under the same names. */
  const handOver = async (
    events: readonly StoredEvent[],
    consume: SubscribeOptions['consume'],
  ): Promise<void> => {
    if (ownerOf.size === 0 && !events.some(({ stream }) => stream === moves.stream)) return consume(events);
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

  const store: EventStore = {
    append(...args): Promise<Appended> {
      const [stream, , events] = args;
      const held = stream === moves.stream ? undefined : heldFor(events[0]?.metadata.platformId);
      return held ? appendAfter(held, ...args) : append(...args);
    },
    read(stream, from, most) {
      const held = heldFor(ownerOf.get(stream)?.name);
      if (held) return readAfter(held, stream, from, most);
      const place = placeOf(stream);
      const reading = log.read(place, from, most);
      return place === stream ? reading : reading.then((events) => events.map((e) => ({ ...e, stream })));
    },
    last: () => log.last(),
    subscribeToAll: ({ consume, ...options }) =>
      log.subscribeToAll({ ...options, consume: (events) => handOver(events, consume) }),
    close: () => log.close(),
  };

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
  if (!tellsFormerMoves) untold = known - 1;

  return {
    store,
    shown,
    placeOf,
    isNamed: (stream) => ownerOf.has(stream),
    standingOf: (owner) => owners.get(owner),
    generationOf: (owner) => owners.get(owner)?.generation ?? 0,
    move,
    readMoves,
    onMove: (told) => void listeners.push(told),
    async beside(owner, write) {
      for (let held = heldFor(owner); held; held = heldFor(owner)) await held;
      const own: Beside = { owner, isOver: false };
      return waitedFor(
        writingBeside.run(own, write).finally(() => {
          own.isOver = true;
        }),
      );
    },
    async hold(owner) {
      const { promise, resolve } = Promise.withResolvers<void>();
      holds.set(owner, promise);
      holdsSoFar++;
      await Promise.allSettled([...writing]);
      return () => {
        holds.delete(owner);
        resolve();
      };
    },
    holding() {
      const before = holds.size > 0 ? undefined : holdsSoFar;
      return () => holdsSoFar !== before;
    },
  };
}

/** The same for whoever only reads, or for whom nothing is to be written. */
export const openMovedReader = (log: Omit<EventStore, 'append'>, moves: Moves): Promise<MovedStreams> =>
  openMovedStreams(
    { ...log, append: async () => Promise.reject(new Error('nothing is written here')) },
    moves,
    {
      tellsFormerMoves: false,
    },
  );
