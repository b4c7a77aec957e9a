import { setTimeout as sleep } from 'node:timers/promises';
import type { Aggregate, AnyEvent } from '../../kernel/aggregate.ts';
import type { Closings } from '../closings/closings.ts';
import { eventsAbout } from '../closings/periods.ts';
import type { EventStore, Proviso, StoredEvent } from '../event-store/event-store.ts';
import { sealed } from '../event-store/seal.ts';
import { PassingMap } from '../remembered/passing.ts';
import { restsOn } from '../rests-on.ts';
import {
  type CommandMetadata,
  decidingOf,
  type Handled,
  type Hide,
  type NewEventId,
  type Waiting,
} from './deciding.ts';
import { recordingOf } from './recording.ts';
import { type Snapshots, type States, statesOf } from './states.ts';

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
  /** How often all of that was forgotten: what was read before is not remembered. */
  readonly forgotten?: () => number;
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
  {
    store,
    newEventId,
    snapshots,
    forgotten = never,
    placeOf = same,
    closings,
    hide,
    seal = sealed,
    pause = sleep,
  }: HandlerDeps,
  aggregate: Aggregate<State, Command, Event>,
): CommandHandler<State, Command, Event> {
  const { category, decider, closing } = aggregate;
  const deciding = decidingOf({ placeOf, newEventId, hide, seal }, aggregate);
  const states = statesOf({ store, snapshots, forgotten, closings, placeOf }, aggregate);
  const { record, fail, isDoubtful } = recordingOf({ store, states, deciding, pause }, decider.initial);
  const mailboxes = new PassingMap<string, Waiting<State, Command, Event>[]>();

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
        await record(stream, batch);
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
      if (placeOf(stream) === stream && !isDoubtful(stream)) states.remember(stream, folded);
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
const never = (): number => 0;
