/** What waiting commands come to: events, as they go to the log, and answers. */
import type { Aggregate, AnyEvent, EventMetadata, RecordedEvent } from '../../kernel/aggregate.ts';
import { invariant } from '../../kernel/invariant.ts';
import { encodeEvent } from '../event-store/encoding.ts';
import type { NewEvent, Proviso } from '../event-store/event-store.ts';
import type { Head, sealed } from '../event-store/seal.ts';
import type { Snapshot } from './states.ts';

export type CommandMetadata = Pick<
  EventMetadata,
  'platformId' | 'correlationId' | 'causationId' | 'key' | 'actor'
> & {
  readonly at: Date;
  readonly platformAt?: Date | undefined;
};

/**
 * `events` is empty when the command was a repeat. Up to `position` the log has everything that `state` rests on;
 * `undefined` when the stream has no events.
 */
export type Handled<State, Event> = {
  readonly state: State;
  readonly events: readonly RecordedEvent<Event>[];
  readonly position: bigint | undefined;
};

export type Waiting<State, Command, Event> = {
  readonly command: Command;
  readonly metadata: CommandMetadata;
  readonly proviso: Proviso | undefined;
  readonly resolve: (handled: Handled<State, Event>) => void;
  readonly reject: (error: unknown) => void;
};
type Outgoing<Event> = { readonly event: Event; readonly stored: NewEvent };

/** An event as it is to be stored, given what its stream has come to by it: without what not everybody may read. */
export type Hide = (stored: NewEvent, event: AnyEvent, state: unknown) => NewEvent | Promise<NewEvent>;
export type Decided<State, Command, Event> = {
  readonly waiting: Waiting<State, Command, Event>;
  readonly events: readonly Outgoing<Event>[];
  readonly state: State;
  readonly error?: unknown;
};

type Stored<State, Command, Event> = {
  readonly decided: readonly Decided<State, Command, Event>[];
  readonly stored: readonly NewEvent[];
};

/** Where an event is to stand, and what it is. */
export type EventToName = Pick<NewEvent, 'type' | 'data' | 'metadata'> & {
  readonly stream: string;
  readonly revision: number;
};
export type NewEventId = (event: EventToName) => string;

type Deps = {
  readonly newEventId: NewEventId;
  readonly placeOf: (stream: string) => string;
  readonly hide: Hide | undefined;
  readonly seal: typeof sealed;
};

export function decidingOf<State, Command, Event extends AnyEvent>(
  { newEventId, placeOf, hide, seal }: Deps,
  { schemas, decider, check }: Aggregate<State, Command, Event>,
) {
  /** Decides every waiting command in turn, each on the state that the one before it left. */
  const decideAll = (
    stream: string,
    snapshot: Snapshot<State>,
    batch: readonly Waiting<State, Command, Event>[],
  ) => {
    let { state } = snapshot;
    let next = snapshot.revision + 1;
    const place = placeOf(stream);
    return batch.map((waiting): Decided<State, Command, Event> => {
      try {
        const metadata = textOf(waiting.metadata);
        let after = state;
        const events = decider.decide(waiting.command, state).map((event, n) => {
          check?.(event);
          after = decider.evolve(after, event);
          const known = { data: event.data, state: after };
          const encoded = encodeEvent(schemas, event, metadata);
          const id = newEventId({ ...encoded, stream: place, revision: next + n });
          return { event, stored: { ...encoded, id, known } };
        });
        state = after;
        next += events.length;
        return { waiting, events, state };
      } catch (error) {
        return { waiting, events: [], state, error };
      }
    });
  };

  /** Nothing is waited for where nothing is hidden, or what is needed for that is there. */
  const hidden = (
    outgoing: readonly Outgoing<Event>[],
  ): readonly NewEvent[] | Promise<readonly NewEvent[]> => {
    if (!hide) return outgoing.map(({ stored }) => stored);
    const all = outgoing.map(({ event, stored }) => hide(stored, event, stored.known?.state));
    return all.some((one) => one instanceof Promise) ? Promise.all(all) : (all as readonly NewEvent[]);
  };

  /** As it goes to the log, after the head of its stream. */
  const toStore = (
    stream: string,
    head: Head,
    outgoing: readonly Outgoing<Event>[],
  ): readonly NewEvent[] | Promise<readonly NewEvent[]> => {
    const shown = hidden(outgoing);
    const place = placeOf(stream);
    return shown instanceof Promise
      ? shown.then((events) => seal(place, head, events))
      : seal(place, head, shown);
  };

  /**
   * What was decided, as far as it is known once it is stored: where an event has lost what nobody may read any more, its
   * stream has come to what follows without that, and nobody is told of more.
   */
  const asKnown = (
    before: State,
    decided: readonly Decided<State, Command, Event>[],
    outgoing: readonly Outgoing<Event>[],
    stored: readonly NewEvent[],
  ): Stored<State, Command, Event> => {
    if (stored.every(({ known }, n) => !known || known.data === outgoing[n]?.event.data))
      return { decided, stored };
    let state = before;
    let n = 0;
    const told = decided.map((one) => {
      const events = one.events.map(({ event }): Outgoing<Event> => {
        const own = stored[n++];
        invariant(own, 'decided on an event that was not stored');
        const shown = own.known ? { ...event, data: own.known.data } : event;
        state = decider.evolve(state, shown);
        return { event: shown, stored: { ...own, known: { data: shown.data, state } } };
      });
      return { ...one, events, state };
    });
    return { decided: told, stored: told.flatMap(({ events }) => events.map((one) => one.stored)) };
  };

  return { decideAll, toStore, asKnown };
}

/** In the order of canonical JSON, which then need not be made. */
const textOf = (metadata: CommandMetadata): EventMetadata => ({
  actor: metadata.actor,
  at: metadata.at.toISOString(),
  causationId: metadata.causationId,
  correlationId: metadata.correlationId,
  ...(metadata.key && { key: metadata.key }),
  ...(metadata.platformAt && { platformAt: metadata.platformAt.toISOString() }),
  platformId: metadata.platformId,
});

/** Tells everyone what has become of their command. */
export function answer<State, Command, Event>(
  stream: string,
  decided: readonly Decided<State, Command, Event>[],
  position: bigint | undefined,
): void {
  for (const { waiting, events, state, error } of decided) {
    if (error !== undefined) waiting.reject(error);
    else waiting.resolve(handled(stream, state, events, position));
  }
}

function handled<State, Event>(
  stream: string,
  state: State,
  outgoing: readonly Outgoing<Event>[],
  position: bigint | undefined,
): Handled<State, Event> {
  if (position === undefined) return { state, events: [], position };
  const events = outgoing.map(({ event, stored: { id, metadata } }) => ({
    ...event,
    id,
    stream,
    position,
    metadata,
  }));
  return { state, events, position };
}
