/** Owners whose streams have been moved, and the names under which the log has these. */
import type { StoredEvent } from './event-store.ts';

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

/** Of an owner: how often its streams were moved, when that was last in the log, and their names. */
export type Standing = {
  readonly generation: number;
  readonly since: bigint;
  readonly streams: ReadonlySet<string>;
};

export type MovedOwners = {
  /** An event of the log as it is shown; `undefined` for what a stream had before it was moved. */
  readonly shown: (event: StoredEvent) => StoredEvent | undefined;
  /** The name under which the log has a stream. */
  readonly placeOf: (stream: string) => string;
  /** Whether a move has named the stream. */
  readonly isNamed: (stream: string) => boolean;
  /** Whether a move has named any. */
  readonly isAnyNamed: () => boolean;
  /** `undefined` for a stream that no move has named. */
  readonly ownerOf: (stream: string) => string | undefined;
  /** `undefined` for an owner that was never moved. */
  readonly standingOf: (owner: string) => Standing | undefined;
  /** How often the owner was moved. */
  readonly generationOf: (owner: string) => number;
  /** Whether an event of a stream was there before the stream was last moved: nothing is to follow from it. */
  readonly isLeft: (event: Pick<StoredEvent, 'stream' | 'position'>) => boolean;
  /** Safe to repeat. */
  readonly move: (move: Move) => void;
  /** Told of all streams of an owner that has moved, before anything of them is read in the new place. */
  readonly onMove: (told: (streams: ReadonlySet<string>) => void) => void;
};

type Owner = { readonly name: string; generation: number; since: bigint; readonly streams: Set<string> };

/** The name of a stream that has been moved. */
export const movedName = (stream: string, generation: number): string => `${stream}.${generation}`;

export function movedOwners(): MovedOwners {
  const owners = new Map<string, Owner>();
  const ownerOf = new Map<string, Owner>();
  const listeners: ((streams: ReadonlySet<string>) => void)[] = [];

  const placeOf = (stream: string): string => {
    const owner = ownerOf.size > 0 ? ownerOf.get(stream) : undefined;
    return owner ? movedName(stream, owner.generation) : stream;
  };

  return {
    shown(event) {
      const { stream } = event;
      const end = stream.lastIndexOf('.');
      if (end < 0) return ownerOf.has(stream) ? undefined : event;
      const name = stream.slice(0, end);
      return placeOf(name) === stream ? { ...event, stream: name } : undefined;
    },
    placeOf,
    isNamed: (stream) => ownerOf.has(stream),
    isAnyNamed: () => ownerOf.size > 0,
    ownerOf: (stream) => ownerOf.get(stream)?.name,
    standingOf: (owner) => owners.get(owner),
    generationOf: (owner) => owners.get(owner)?.generation ?? 0,
    isLeft({ stream, position }) {
      const owner = ownerOf.size > 0 ? ownerOf.get(stream) : undefined;
      return owner !== undefined && position <= owner.since;
    },
    move({ owner: name, generation, position, streams }) {
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
    },
    onMove: (told) => void listeners.push(told),
  };
}
