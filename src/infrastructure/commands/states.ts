/**
 * States of streams, read from the log and remembered. What is remembered never runs backwards, and one read of a stream
 * is under way at a time: whoever asks meanwhile shares the next one, which begins after they asked. The books of a
 * stream are closed beside what changes it: nobody waits for that.
 */
import type { LRUCache } from 'lru-cache';
import type { Aggregate, AnyEvent } from '../../kernel/aggregate.ts';
import type { Closed } from '../../kernel/keyed-history.ts';
import type { Closings } from '../closings/closings.ts';
import { type Folded, foldingOf } from '../closings/fold.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { rememberNewest } from '../remembered/newest.ts';
import { PassingMap } from '../remembered/passing.ts';
import { rememberStates, sized } from '../remembered/states.ts';

/** A state and where in its stream and in the log it stands. `fresh` is one that was read just now. */
export type Snapshot<State> = Folded<State> & { readonly fresh: boolean };

export type Snapshots = LRUCache<string, Snapshot<unknown>>;

/** Streams, not their events: the longest are those that are asked for all the time. */
export const rememberedMax = 10_000;
/** Closings just made, which commands under way at that moment have not seen yet. */
const justClosedMax = 100;
/** After a failure the books of a stream are left alone for so long. */
const closeAgainMs = 1_000;

export const rememberSnapshots = (): Snapshots => rememberStates(rememberedMax);

export type States<State, Message> = {
  /** As it is remembered, which may be old. What is over is not. */
  readonly known: (stream: string) => Snapshot<State> | undefined;
  /** As the log has it at a moment after the call. */
  readonly refresh: (stream: string) => Promise<Snapshot<State>>;
  /** The keys that have to be looked up before the messages are decided on. */
  readonly unknown: (state: State, messages: readonly Message[]) => readonly string[];
  /** With what the keys had at the last closing; `undefined` where that is gone and the state is to be forgotten. */
  readonly recall: (stream: string, state: State, keys: readonly string[]) => Promise<State | undefined>;
  readonly remember: (stream: string, snapshot: Folded<State>) => void;
  readonly forget: (stream: string) => void;
  /** How often all was forgotten: who has read something before does not have it remembered. */
  readonly forgotten: () => number;
};

type Reads<State> = { current?: Promise<Snapshot<State>>; next?: Promise<Snapshot<State>> };

type Deps = {
  readonly store: EventStore;
  readonly snapshots: Snapshots;
  readonly forgotten: () => number;
  readonly closings: Closings | undefined;
  readonly placeOf: (stream: string) => string;
};

export function statesOf<State, Command, Event extends AnyEvent>(
  { store, snapshots, forgotten, closings, placeOf }: Deps,
  aggregate: Aggregate<State, Command, Event>,
): States<State, Command | Event> {
  const cache = snapshots as LRUCache<string, Snapshot<State>>;
  const folding = foldingOf(store, aggregate, closings);
  const reads = new PassingMap<string, Reads<State>>();
  const closing = new Set<string>();
  const justClosed = rememberNewest<string, Closed>(justClosedMax);

  const remember: States<State, Command | Event>['remember'] = (stream, folded) => {
    const known = cache.get(stream);
    if (known && known.revision > folded.revision) return;
    const state = folding.settle(folded.state);
    const current = onJustClosed(stream, { ...folded, state });
    if (aggregate.isOver?.(current.state)) cache.delete(stream);
    else cache.set(stream, { ...current, fresh: false }, sized(aggregate.extraBytes, current.state));
    if (folding.isDue(current) && !closing.has(stream)) void close(stream, current);
  };

  const onJustClosed = (stream: string, folded: Folded<State>): Folded<State> => {
    const closed = justClosed.get(stream);
    if (!closed) return folded;
    justClosed.delete(stream);
    return isBehind(folded, closed) ? folding.after(folded, closed) : folded;
  };

  const close = async (stream: string, folded: Folded<State>): Promise<void> => {
    closing.add(stream);
    try {
      const after = await folding.close(stream, folded);
      closing.delete(stream);
      if (after) adopt(stream, after.closed);
      else cache.delete(stream);
    } catch (error) {
      closings?.failed({ stream, version: aggregate.closing?.version ?? 0 }, error);
      setTimeout(() => closing.delete(stream), closeAgainMs).unref();
    }
  };

  const adopt = (stream: string, closed: Closed | undefined): void => {
    const known = cache.get(stream);
    if (!closed || !known || !isBehind(known, closed)) return;
    remember(stream, folding.after(known, closed));
    justClosed.set(stream, closed);
  };

  const read = async (stream: string, own: Reads<State>): Promise<Snapshot<State>> => {
    try {
      for (;;) {
        const place = placeOf(stream);
        const since = forgotten();
        const folded = await folding.read(stream, cache.get(stream));
        // It has been moved meanwhile.
        if (placeOf(stream) !== place) continue;
        if (since === forgotten()) remember(stream, folded);
        return { ...folded, fresh: true };
      }
    } finally {
      if (reads.get(stream) === own) reads.delete(stream);
    }
  };

  const begin = (stream: string): Promise<Snapshot<State>> => {
    const own: Reads<State> = {};
    reads.set(stream, own);
    own.current = read(stream, own);
    return own.current;
  };

  return {
    known: (stream) => cache.get(stream),
    refresh(stream) {
      const underway = reads.get(stream);
      if (!underway?.current) return begin(stream);
      underway.next ??= underway.current.catch(() => {}).then(() => begin(stream));
      return underway.next;
    },
    unknown: folding.unknown,
    recall: folding.recall,
    remember,
    forget: (stream) => void cache.delete(stream),
    forgotten,
  };
}

/** Whether the closing was made of what the state has, and after the one that it rests on. */
const isBehind = ({ revision, closed: before }: Folded<unknown>, closed: Closed): boolean =>
  closed.revision > (before?.revision ?? -1) && closed.revision <= revision;
