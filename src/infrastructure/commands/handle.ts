import { setTimeout as sleep } from 'node:timers/promises';
import type { Aggregate, AnyEvent } from '../../kernel/aggregate.ts';
import { pauseMs } from '../../kernel/backoff.ts';
import { RequestLate } from '../away.ts';
import type { Closings } from '../closings/closings.ts';
import type { Folded } from '../closings/fold.ts';
import { eventsAbout } from '../closings/periods.ts';
import {
  type Appended,
  AppendTooLarge,
  type EventStore,
  type NewEvent,
  type Proviso,
  type StoredEvent,
  together,
  WrongRevision,
} from '../event-store/event-store.ts';
import { sealed } from '../event-store/seal.ts';
import { createMemory } from '../remembered/memory.ts';
import { PassingMap } from '../remembered/passing.ts';
import { restsOn } from '../rests-on.ts';
import {
  answer,
  type CommandMetadata,
  decidingOf,
  type Handled,
  type Hide,
  type NewEventId,
  type Waiting,
} from './deciding.ts';
import { type Snapshot, type Snapshots, type States, statesOf } from './states.ts';

/** Lost races before the conflict surfaces: more than processes that change one thing all at once can make. */
const attemptsMax = 20;
/** Pauses between attempts double up to this, so that they outlast a burst of changes by another process. */
const pauseBounds = { minMs: 4, maxMs: 64 };
/** Streams that are read before the next append to them, for what became of one that failed. */
const doubtfulMax = 10_000;
/** Commands for one stream that are decided together and appended at once. */
const togetherMax = 100;

export type CommandHandler<State, Command, Event> = {
  /**
   * Decides and records, where what it rests on is still there then. Throws `Rejected` for a refusal, `WrongRevision` when the
   * race was lost too often.
   */
  handle(
    uuid: string,
    command: Command,
    metadata: CommandMetadata,
    proviso?: Proviso,
  ): Promise<Handled<State, Event>>;
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
  const { category, decider, closing } = aggregate;
  const { decideAll, toStore } = decidingOf({ placeOf, newEventId, hide, seal }, aggregate);
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
  const mailboxes = new PassingMap<string, Waiting<State, Command, Event>[]>();
  const doubtful = createMemory(doubtfulMax);

  /** With what the commands ask about of what lies before the last closing of the books. */
  const recalled = async (stream: string, snapshot: Snapshot<State>, keys: readonly string[]) => {
    const state = await states.recall(stream, snapshot.state, keys);
    if (state !== undefined) return { ...snapshot, state };
    states.forget(stream);
    return undefined;
  };

  /** Decides, records and answers everyone. What it throws nobody has been told. */
  const process = async (stream: string, batch: readonly Waiting<State, Command, Event>[]): Promise<void> => {
    // What is not known is taken to be new: where it is not, the append says so, and nothing else is read for it.
    const known = states.known(stream);
    let snapshot = known ?? (doubtful.has(stream) ? await states.refresh(stream) : unread);
    for (let lost = 0; ; snapshot = await states.refresh(stream)) {
      const keys = states.unknown(snapshot.state, batch.map(commandOf));
      // Next to nothing ever asks about what is that old.
      const able = keys.length === 0 ? snapshot : await recalled(stream, snapshot, keys);
      const decided = able && decideAll(stream, able, batch);
      // A refusal, or finding nothing to do, must rest on what the log says now, not on what memory remembers.
      if (!decided || !(able.fresh || decided.every(hasEvents))) continue;
      const outgoing = decided.flatMap(({ events }) => events);
      if (outgoing.length === 0) return answer(stream, decided, able.position);
      try {
        const storing = toStore(stream, able, outgoing);
        const stored = storing instanceof Promise ? await storing : storing;
        const expected = able.revision < 0 ? 'none' : able.revision;
        const appended = await store.append(stream, expected, stored, together(batch.map(provisoOf)));
        states.remember(stream, after(able, decided, stored, appended));
        return answer(stream, decided, appended.position);
      } catch (error) {
        lost++;
        if (!(error instanceof WrongRevision) || lost >= attemptsMax) throw error;
        if (lost > 1) await pause(pauseMs(lost - 1, pauseBounds));
      }
    }
  };

  /** Halves a batch that the log does not take in one piece, or of which one is late, and tells everyone else. */
  const fail = async (
    stream: string,
    batch: readonly Waiting<State, Command, Event>[],
    error: unknown,
  ): Promise<void> => {
    const half = Math.ceil(batch.length / 2);
    if ((error instanceof AppendTooLarge || error instanceof RequestLate) && half < batch.length) {
      for (const part of [batch.slice(0, half), batch.slice(half)]) {
        await process(stream, part).catch((again: unknown) => fail(stream, part, again));
      }
      return;
    }
    // What the store did with the append is not known: forget the state and read it again next time. To append the
    // same under the same ids would be taken for a repeat, whatever else it says.
    states.forget(stream);
    doubtful.add(stream);
    for (const { reject } of batch) reject(error);
  };

  /** With what it is asked about of what lies before the last closing of the books. */
  const loadWith = async (stream: string, about: readonly string[]): Promise<State> => {
    for (;;) {
      const { state, position } = await states.refresh(stream);
      const able = await states.recall(stream, state, about);
      restsOn(position);
      if (able !== undefined) return able;
      states.forget(stream);
    }
  };

  const drain = async (stream: string, mailbox: Waiting<State, Command, Event>[]) => {
    while (mailbox.length > 0) {
      const batch = mailbox.splice(0, togetherMax);
      try {
        await process(stream, batch);
      } catch (error) {
        await fail(stream, batch, error);
      }
    }
    mailboxes.delete(stream);
  };

  return {
    handle(uuid, command, metadata, proviso) {
      const stream = `${category}-${uuid}`;
      return new Promise((resolve, reject) => {
        const waiting = { command, metadata, proviso, resolve, reject };
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
      if (about.length > 0) return loadWith(stream, about);
      const { state, position } = await states.refresh(stream);
      restsOn(position);
      return state;
    },
    async *recorded(uuid, about) {
      const book = { stream: `${category}-${uuid}`, version: closing?.version ?? 0 };
      const { closed } = await states.refresh(book.stream);
      yield* eventsAbout({ store, closings }, book, closed?.revision ?? -1, about);
    },
  };
}

const same = (stream: string): string => stream;
const commandOf = <Command>({ command }: { readonly command: Command }): Command => command;
const provisoOf = ({ proviso }: { readonly proviso: Proviso | undefined }) => proviso;
const hasEvents = ({ events }: { readonly events: readonly unknown[] }): boolean => events.length > 0;

/** What a stream has come to by an append. */
function after<State>(
  before: Snapshot<State>,
  decided: readonly { readonly state: State }[],
  stored: readonly NewEvent[],
  { revision, position }: Appended,
): Folded<State> {
  const { id: eventId, metadata } = stored.at(-1) ?? {};
  const { state } = decided.at(-1) ?? before;
  return { state, revision, eventId, position, hash: metadata?.hash, closed: before.closed };
}
