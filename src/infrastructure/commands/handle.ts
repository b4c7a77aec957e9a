import { setTimeout as sleep } from 'node:timers/promises';
import type { Aggregate, AnyEvent, EventMetadata, RecordedEvent } from '../../kernel/aggregate.ts';
import { pauseMs } from '../../kernel/backoff.ts';
import type { Closings } from '../closings/closings.ts';
import { eventsAbout } from '../closings/periods.ts';
import { encodeEvent } from '../event-store/encoding.ts';
import {
  AppendTooLarge,
  type EventStore,
  type NewEvent,
  type StoredEvent,
  WrongRevision,
} from '../event-store/event-store.ts';
import { sealed } from '../event-store/seal.ts';
import { createMemory } from '../memory.ts';
import { type Snapshot, type Snapshots, type States, statesOf } from './states.ts';

/** Lost races before the conflict surfaces: more than processes that change one thing all at once can make. */
const attemptsMax = 20;
/** Pauses between attempts double up to this, so that they outlast a burst of changes by another process. */
const pauseBounds = { minMs: 4, maxMs: 64 };
/** Streams that are read before the next append to them, for what became of one that failed. */
const doubtfulMax = 10_000;
/** Commands for one stream that are decided together and appended at once. */
const togetherMax = 100;

export type CommandMetadata = Omit<EventMetadata, 'at' | 'platformAt'> & {
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

export type CommandHandler<State, Command, Event> = {
  /** Decides and records. Throws `Rejected` for a refusal, `WrongRevision` when the race was lost too often. */
  handle(uuid: string, command: Command, metadata: CommandMetadata): Promise<Handled<State, Event>>;
  /** Remembers what a stream had come to, where that is sure to be what its next append rests on. */
  readonly learn: States<State, Command>['remember'];
  /** The state as it is remembered, where it is and has the stream's events up to a position: it may be old. */
  recall(uuid: string, upTo?: bigint): State | undefined;
  /**
   * The state that follows from all events of the stream; the decider's initial state when there are none. `about` names
   * what it is to have of what lies before its last closing of the books.
   */
  load(uuid: string, about?: readonly string[]): Promise<State>;
  /** The recorded events of the stream that concern the keys, and newer ones; all of them where none is named. */
  recorded(uuid: string, about: readonly string[]): AsyncIterable<StoredEvent>;
};

type Waiting<State, Command, Event> = {
  readonly command: Command;
  readonly metadata: CommandMetadata;
  readonly resolve: (handled: Handled<State, Event>) => void;
  readonly reject: (error: unknown) => void;
};
type Outgoing<Event> = { readonly event: Event; readonly stored: NewEvent };

/** An event as it is to be stored, given what its stream has come to by it: without what not everybody may read. */
export type Hide = (stored: NewEvent, event: AnyEvent, state: unknown) => NewEvent | Promise<NewEvent>;
type Decided<State, Command, Event> = {
  readonly waiting: Waiting<State, Command, Event>;
  readonly events: readonly Outgoing<Event>[];
  readonly state: State;
  readonly error?: unknown;
};

/** Where an event is to stand, and what it is. */
export type EventToName = Pick<NewEvent, 'type' | 'data' | 'metadata'> & {
  readonly stream: string;
  readonly revision: number;
};
export type NewEventId = (event: EventToName) => string;

export type HandlerDeps = {
  readonly store: EventStore;
  readonly newEventId: NewEventId;
  /** What is remembered of streams, of all kinds. */
  readonly snapshots: Snapshots;
  /** The name under which the log has a stream, where that is another. */
  readonly placeOf?: (stream: string) => string;
  /** Without it no books are closed: streams are read whole. */
  readonly closings?: Closings | undefined;
  /** Without it all of an event is stored as it is. */
  readonly hide?: Hide;
  /** Chains events to those before them; for measurements without it alone is there another. */
  readonly seal?: typeof sealed;
  /** Lets time pass after a lost race; a simulation has time of its own. */
  readonly pause?: (ms: number) => Promise<unknown>;
};

/**
 * Load, decide, append: the only one in the code base. Commands for one stream queue up and are decided one after
 * the other on the state kept in memory, then appended together, so a hot account costs one append for many
 * commands. Losing a race against another process re-reads what is new and decides again.
 */
export function commandHandler<State, Command, Event extends AnyEvent>(
  { store, newEventId, snapshots, closings, placeOf = same, hide, seal = sealed, pause = sleep }: HandlerDeps,
  aggregate: Aggregate<State, Command, Event>,
): CommandHandler<State, Command, Event> {
  const { category, schemas, decider, check, closing } = aggregate;
  const states = statesOf({ store, snapshots, closings, placeOf }, aggregate);
  const unread: Snapshot<State> = {
    state: decider.initial,
    revision: -1,
    eventId: undefined,
    position: undefined,
    hash: undefined,
    closed: undefined,
    fresh: false,
  };
  const mailboxes = new Map<string, Waiting<State, Command, Event>[]>();
  const doubtful = createMemory(doubtfulMax);

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

  /** With what the commands ask about of what lies before the last closing of the books. */
  const recalled = async (stream: string, snapshot: Snapshot<State>, keys: readonly string[]) => {
    const state = await states.recall(stream, snapshot.state, keys);
    if (state !== undefined) return { ...snapshot, state };
    states.forget(stream);
    return undefined;
  };

  /** Appends what was decided and answers everyone; `false` when the snapshot is too old to decide on. */
  const record = async (
    stream: string,
    snapshot: Snapshot<State>,
    batch: readonly Waiting<State, Command, Event>[],
  ) => {
    const commands = batch.map(({ command }) => command);
    const keys = states.unknown(snapshot.state, commands);
    // Next to nothing ever asks about what is that old.
    const able = keys.length === 0 ? snapshot : await recalled(stream, snapshot, keys);
    if (!able) return false;
    const decided = decideAll(stream, able, batch);
    // A refusal, or finding nothing to do, must rest on what the log says now, not on what memory remembers.
    if (!snapshot.fresh && decided.some(({ events }) => events.length === 0)) return false;
    const outgoing = decided.flatMap(({ events }) => events);
    const shown = hidden(outgoing);
    const stored = seal(placeOf(stream), snapshot, shown instanceof Promise ? await shown : shown);
    let { position } = snapshot;
    if (stored.length > 0) {
      const expected = snapshot.revision < 0 ? 'none' : snapshot.revision;
      const appended = await store.append(stream, expected, stored);
      position = appended.position;
      const state = decided.at(-1)?.state ?? snapshot.state;
      const { id: eventId, metadata: { hash } = {} } = stored.at(-1) ?? {};
      states.remember(stream, { ...snapshot, state, revision: appended.revision, eventId, position, hash });
    }
    for (const { waiting, events, state, error } of decided) {
      if (error !== undefined) waiting.reject(error);
      else waiting.resolve(handled(stream, state, events, position));
    }
    return true;
  };

  const process = async (stream: string, batch: readonly Waiting<State, Command, Event>[]) => {
    // What is not known is taken to be new: where it is not, the append says so, and nothing else is read for it.
    const known = states.known(stream);
    let snapshot = known ?? (doubtful.has(stream) ? await states.refresh(stream) : unread);
    for (let attempt = 1; ; attempt++) {
      try {
        if (await record(stream, snapshot, batch)) return;
        attempt--;
      } catch (error) {
        if (!(error instanceof WrongRevision) || attempt >= attemptsMax) throw error;
        if (attempt > 1) await pause(pauseMs(attempt - 1, pauseBounds));
      }
      snapshot = await states.refresh(stream);
    }
  };

  /** Halves a batch that the log does not take in one piece. */
  const settle = async (stream: string, batch: readonly Waiting<State, Command, Event>[]): Promise<void> => {
    try {
      await process(stream, batch);
    } catch (error) {
      const half = Math.ceil(batch.length / 2);
      if (error instanceof AppendTooLarge && half < batch.length) {
        await settle(stream, batch.slice(0, half));
        return settle(stream, batch.slice(half));
      }
      // What the store did with the append is not known: forget the state and read it again next time. To append the
      // same under the same ids would be taken for a repeat, whatever else it says.
      states.forget(stream);
      doubtful.add(stream);
      for (const { reject } of batch) reject(error);
    }
  };

  const drain = async (stream: string, mailbox: Waiting<State, Command, Event>[]) => {
    while (mailbox.length > 0) await settle(stream, mailbox.splice(0, togetherMax));
    mailboxes.delete(stream);
  };

  return {
    handle(uuid, command, metadata) {
      const stream = `${category}-${uuid}`;
      return new Promise((resolve, reject) => {
        const waiting = { command, metadata, resolve, reject };
        const mailbox = mailboxes.get(stream);
        if (mailbox) return void mailbox.push(waiting);
        const opened = [waiting];
        mailboxes.set(stream, opened);
        return void drain(stream, opened);
      });
    },
    learn(stream, folded) {
      if (placeOf(stream) === stream && !doubtful.has(stream)) states.remember(stream, folded);
    },
    recall(uuid, upTo = 0n) {
      const known = states.known(`${category}-${uuid}`);
      return known && (known.position ?? 0n) >= upTo ? known.state : undefined;
    },
    async load(uuid, about = []) {
      const stream = `${category}-${uuid}`;
      for (;;) {
        const { state } = await states.refresh(stream);
        const able = about.length === 0 ? state : await states.recall(stream, state, about);
        if (able !== undefined) return able;
        states.forget(stream);
      }
    },
    async *recorded(uuid, about) {
      const book = { stream: `${category}-${uuid}`, version: closing?.version ?? 0 };
      const { closed } = await states.refresh(book.stream);
      yield* eventsAbout({ store, closings }, book, closed?.revision ?? -1, about);
    },
  };
}

const same = (stream: string): string => stream;

const textOf = ({ at, platformAt, ...rest }: CommandMetadata): EventMetadata => ({
  ...rest,
  at: at.toISOString(),
  ...(platformAt && { platformAt: platformAt.toISOString() }),
});

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
