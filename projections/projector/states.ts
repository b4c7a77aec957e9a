/** What each stream has come to by each of its events: the states that rows are made of. */
import { aggregates, type FollowedEvent } from '../../src/domain/aggregates.ts';
import type { Closings } from '../../src/infrastructure/closings/closings.ts';
import { type Folded, type Folding, foldingOf } from '../../src/infrastructure/closings/fold.ts';
import { decodeEvent } from '../../src/infrastructure/event-store/encoding.ts';
import type { EventStore, StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { hashOf } from '../../src/infrastructure/event-store/seal.ts';
import { rememberStates, sized } from '../../src/infrastructure/remembered/states.ts';
import type { AnyAggregate, AnyEvent } from '../../src/kernel/aggregate.ts';
import { invariant } from '../../src/kernel/invariant.ts';
import { isWayBack } from './restored.ts';

/** Streams whose state is kept in memory. */
export const rememberedMax = 5_000;

type Kind = { readonly of: string; readonly aggregate: AnyAggregate };

const kinds: ReadonlyMap<string, Kind> = new Map(
  Object.entries(aggregates).map(([of, aggregate]) => [aggregate.category, { of, aggregate }]),
);

function kindOf(stream: string): Kind {
  const kind = kinds.get(stream.slice(0, stream.indexOf('-')));
  invariant(kind, `no kind of stream for ${stream}`);
  return kind;
}

export type States = {
  /** The events with the state of their stream after each. Reads what came before them where it is not remembered. */
  readonly follow: (events: readonly StoredEvent[]) => Promise<readonly FollowedEvent[]>;
  /** Streams are read again: their events say less than they did. */
  readonly forget: () => void;
};

/** Told what a short stream that others write has come to, so that whoever decides in this process need not read it. */
export type Learned = (of: string, stream: string, folded: Folded<unknown>) => void;

/** Streams are read from their last closing before the events; where there is none, their books are closed on the way. */
export function createStates(
  store: Pick<EventStore, 'read'>,
  closings?: Closings,
  learned?: Learned,
): States {
  const remembered = rememberStates<Folded<unknown>>(rememberedMax);
  /** How often all was forgotten: what was folded of events from before is not remembered. */
  let forgotten = 0;
  const foldings = new Map(
    [...kinds.values()].map(({ of, aggregate }) => [of, foldingOf(store, aggregate, closings)]),
  );
  const foldingFor = ({ of }: Kind): Folding<unknown, unknown> => {
    const folding = foldings.get(of);
    invariant(folding, `no folding of ${of}`);
    return folding;
  };

  /** What a stream had come to just before some of its events, with what they ask about of before its last closing. */
  const before = async (stream: string, own: readonly StoredEvent[]): Promise<Folded<unknown>> => {
    const kind = kindOf(stream);
    const folding = foldingFor(kind);
    const last = (own[0]?.revision ?? 0) - 1;
    for (;;) {
      const known = remembered.get(stream);
      const folded = known?.revision === last ? known : await folding.read(stream, undefined, last);
      const { schemas, closing } = kind.aggregate;
      if (!closing?.history || !folded.closed) return folded;
      const events = own.map((stored) => decodeEvent<AnyEvent>(schemas, stored));
      const keys = folding.unknown(folded.state, events);
      const state = await folding.recall(stream, folded.state, keys);
      if (state !== undefined) return { ...folded, state };
      remembered.delete(stream);
    }
  };

  const remember = async (stream: string, folded: Folded<unknown>, epoch: number): Promise<void> => {
    const kind = kindOf(stream);
    const folding = foldingFor(kind);
    const settled = { ...folded, state: folding.settle(folded.state) };
    const current = await folding.closeIfDue(stream, settled);
    if (epoch !== forgotten) return;
    const { closing, isOver, extraBytes } = kind.aggregate;
    if (!current || isOver?.(current.state)) return void remembered.delete(stream);
    remembered.set(stream, current, sized(extraBytes, current.state));
    if (!closing) learned?.(kind.of, stream, current);
  };

  const forget = () => {
    forgotten++;
    remembered.clear();
  };

  return {
    forget,
    async follow(events) {
      const epoch = forgotten;
      const current = new Map<string, Folded<unknown>>();
      const begin = async ([stream, own]: readonly [string, readonly StoredEvent[]]) => {
        current.set(stream, await before(stream, own));
      };
      await Promise.all([...followedHere(events, remembered)].map(begin));
      const followed = events.map((stored) => {
        const { id, stream, revision, position, metadata } = stored;
        const kind = kindOf(stream);
        const folded = current.get(stream);
        const { event, state } = evolve(kind, folded, stored);
        if (folded)
          current.set(stream, { ...folded, state, revision, eventId: id, position, hash: hashOf(stored) });
        return { ...event, of: kind.of, id, stream, revision, position, metadata, state } as FollowedEvent;
      });
      await Promise.all([...current].map(([stream, folded]) => remember(stream, folded, epoch)));
      // Streams begin anew under their names.
      if (events.some(isWayBack)) forget();
      return followed;
    },
  };
}

/** A state that is followed here is folded here, also by what this process knows: two that decide on one share nothing. */
function evolve({ aggregate }: Kind, folded: Folded<unknown> | undefined, stored: StoredEvent) {
  const { decider, schemas } = aggregate;
  const event = decodeEvent<AnyEvent>(schemas, stored);
  const state: unknown = folded ? decider.evolve(folded.state, event) : stored.known?.state;
  return { event, state };
}

/**
 * The events of each stream whose states are not known from who has decided on them. What this process has decided, it will
 * be told again with the next event. A stream that others write as well is kept up with both: it would have to be read again.
 */
function followedHere(
  events: readonly StoredEvent[],
  remembered: { readonly has: (stream: string) => boolean },
) {
  const isFollowed = ({ known, stream }: StoredEvent) => known === undefined || remembered.has(stream);
  const streams = new Set(events.filter(isFollowed).map(({ stream }) => stream));
  return Map.groupBy(
    events.filter(({ stream }) => streams.has(stream)),
    ({ stream }) => stream,
  );
}
