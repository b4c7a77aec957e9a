/** What each stream has come to by each of its events: the states that rows are made of. */
import { aggregates, type FollowedEvent } from '../../src/domain/aggregates.ts';
import { decodeEvent } from '../../src/infrastructure/event-store/encoding.ts';
import type { EventStore, StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';
import { rememberStates, sized } from '../../src/infrastructure/remembered-states.ts';
import type { AnyAggregate, AnyEvent } from '../../src/kernel/aggregate.ts';
import { invariant } from '../../src/kernel/invariant.ts';

/** Streams whose state is kept in memory. */
export const rememberedMax = 5_000;

type Kind = { readonly of: string; readonly aggregate: AnyAggregate };
type Known = { readonly revision: number; readonly state: unknown };

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
};

export function createStates(store: Pick<EventStore, 'read'>): States {
  const remembered = rememberStates<Known>(rememberedMax);

  const evolve = ({ aggregate: { decider, schemas } }: Kind, state: unknown, stored: StoredEvent) => {
    const event = decodeEvent<AnyEvent>(schemas, stored);
    return { event, state: stored.known ? stored.known.state : (decider.evolve(state, event) as unknown) };
  };

  /** The state just before an event. */
  const stateBefore = async ({ stream, revision }: StoredEvent): Promise<unknown> => {
    const kind = kindOf(stream);
    let state: unknown = kind.aggregate.decider.initial;
    if (revision === 0) return state;
    for (const earlier of await store.read(stream)) {
      if (earlier.revision >= revision) break;
      ({ state } = evolve(kind, state, earlier));
    }
    return state;
  };

  return {
    async follow(events) {
      const firsts = new Map<string, StoredEvent>();
      for (const event of events) if (!firsts.has(event.stream)) firsts.set(event.stream, event);
      const current = new Map<string, unknown>();
      const begin = async (first: StoredEvent) => {
        if (first.known) return;
        const known = remembered.get(first.stream);
        const follows = known?.revision === first.revision - 1;
        current.set(first.stream, follows ? known.state : await stateBefore(first));
      };
      await Promise.all([...firsts.values()].map(begin));
      return events.map((stored) => {
        const { id, stream, revision, position, metadata } = stored;
        const kind = kindOf(stream);
        const { event, state } = evolve(kind, current.get(stream), stored);
        current.set(stream, state);
        // What this process has decided, it will be told again with the next event.
        if (!stored.known)
          remembered.set(stream, { revision, state }, sized(kind.aggregate.extraBytes, state));
        return { ...event, of: kind.of, id, stream, revision, position, metadata, state } as FollowedEvent;
      });
    },
  };
}
