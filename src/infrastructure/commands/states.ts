/**
 * States of streams, read from the log and remembered. What is remembered never runs backwards, and one read of a stream
 * is under way at a time: whoever asks meanwhile shares the next one, which begins after they asked.
 */
import type { LRUCache } from 'lru-cache';
import type { Aggregate, AnyEvent } from '../../kernel/aggregate.ts';
import { decodeEvent } from '../event-store/encoding.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { rememberStates, sized } from '../remembered-states.ts';

/** A state and where in its stream and in the log it stands. `fresh` is one that was read just now. */
export type Snapshot<State> = {
  readonly state: State;
  readonly revision: number;
  readonly position: bigint | undefined;
  readonly fresh: boolean;
};

export type Snapshots = LRUCache<string, Snapshot<unknown>>;

/** Streams, not their events: the longest are those that are asked for all the time. */
export const rememberedMax = 10_000;

export const rememberSnapshots = (): Snapshots => rememberStates(rememberedMax);

export type States<State> = {
  /** As it is remembered, which may be old. */
  readonly known: (stream: string) => Snapshot<State> | undefined;
  /** As the log has it at a moment after the call. */
  readonly refresh: (stream: string) => Promise<Snapshot<State>>;
  readonly remember: (stream: string, snapshot: Omit<Snapshot<State>, 'fresh'>) => void;
  readonly forget: (stream: string) => void;
};

type Reads<State> = { current: Promise<Snapshot<State>>; next?: Promise<Snapshot<State>> };

export function statesOf<State, Command, Event extends AnyEvent>(
  store: EventStore,
  { schemas, decider, extraBytes }: Aggregate<State, Command, Event>,
  snapshots: Snapshots,
): States<State> {
  const cache = snapshots as LRUCache<string, Snapshot<State>>;
  const reads = new Map<string, Reads<State>>();

  const remember: States<State>['remember'] = (stream, { state, revision, position }) => {
    const known = cache.get(stream);
    if (known && known.revision > revision) return;
    cache.set(stream, { state, revision, position, fresh: false }, sized(extraBytes, state));
  };

  const read = async (stream: string): Promise<Snapshot<State>> => {
    const known = cache.get(stream) ?? { state: decider.initial, revision: -1, position: undefined };
    let { state, revision, position } = known;
    for (const stored of await store.read(stream, revision + 1)) {
      state = decider.evolve(state, decodeEvent<Event>(schemas, stored));
      ({ revision, position } = stored);
    }
    remember(stream, { state, revision, position });
    return { state, revision, position, fresh: true };
  };

  const begin = (stream: string): Promise<Snapshot<State>> => {
    const current = read(stream).finally(() => {
      if (reads.get(stream)?.current === current) reads.delete(stream);
    });
    reads.set(stream, { current });
    return current;
  };

  return {
    known: (stream) => cache.get(stream),
    refresh(stream) {
      const underway = reads.get(stream);
      if (!underway) return begin(stream);
      underway.next ??= underway.current.catch(() => {}).then(() => begin(stream));
      return underway.next;
    },
    remember,
    forget: (stream) => void cache.delete(stream),
  };
}
