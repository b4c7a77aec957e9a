/** What becomes of a batch of commands for one stream: its events in the log, and an answer to everyone in it. */
import type { AnyEvent } from '../../kernel/aggregate.ts';
import { pauseMs } from '../../kernel/backoff.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { RequestLate } from '../away.ts';
import type { Folded } from '../closings/fold.ts';
import {
  type Appended,
  AppendTooLarge,
  type EventStore,
  type NewEvent,
  type Proviso,
  together,
  WrongRevision,
} from '../event-store/event-store.ts';
import { createMemory } from '../remembered/memory.ts';
import { answer, type decidingOf, type Waiting } from './deciding.ts';
import type { Snapshot, States } from './states.ts';

/** Lost races before the conflict surfaces: more than processes that change one thing all at once can make. */
const attemptsMax = 20;
/** Pauses between attempts double up to this, so that they outlast a burst of changes by another process. */
const pauseBounds = { minMs: 4, maxMs: 64 };
/** Streams that are read before the next append to them, for what became of one that failed. */
const doubtfulMax = 10_000;

type Deps<State, Command, Event extends AnyEvent> = {
  readonly store: EventStore;
  readonly states: States<State, Command | Event>;
  readonly deciding: ReturnType<typeof decidingOf<State, Command, Event>>;
  readonly pause: (ms: number) => Promise<unknown>;
};

type Recording<State, Command, Event> = {
  /** Decides, records and answers everyone. What it throws nobody has been told. */
  record(stream: string, batch: readonly Waiting<State, Command, Event>[]): Promise<void>;
  /** Halves a batch that the log does not take in one piece, or of which one may not go on, and tells everyone else. */
  fail(stream: string, batch: readonly Waiting<State, Command, Event>[], error: unknown): Promise<void>;
  /** Whether the stream is read before the next append to it, since what became of one is not known. */
  isDoubtful(stream: string): boolean;
};

/** For one batch of a stream at a time: only another process may change the stream meanwhile. */
export function recordingOf<State, Command, Event extends AnyEvent>(
  { store, states, deciding, pause }: Deps<State, Command, Event>,
  initial: State,
): Recording<State, Command, Event> {
  const { decideAll, toStore, asKnown } = deciding;
  const unread: Snapshot<State> = {
    state: initial,
    revision: -1,
    eventId: undefined,
    position: undefined,
    hash: undefined,
    closed: undefined,
    fresh: false,
  };
  const doubtful = createMemory(doubtfulMax);

  /** With what the commands ask about of what lies before the last closing of the books. */
  const recalled = async (stream: string, snapshot: Snapshot<State>, keys: readonly string[]) => {
    const state = await states.recall(stream, snapshot.state, keys);
    if (state !== undefined) return { ...snapshot, state };
    states.forget(stream);
    return undefined;
  };

  const record = async (stream: string, batch: readonly Waiting<State, Command, Event>[]): Promise<void> => {
    let since = states.forgotten();
    // What is not known is taken to be new: where it is not, the append says so, and nothing else is read for it.
    const known = states.known(stream);
    let snapshot = known ?? (doubtful.has(stream) ? await states.refresh(stream) : unread);
    for (let lost = 0; ; since = states.forgotten(), snapshot = await states.refresh(stream)) {
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
        const sealed = storing instanceof Promise ? await storing : storing;
        const known = asKnown(able.state, decided, outgoing, sealed);
        const expected = able.revision < 0 ? 'none' : able.revision;
        const appended = await store.append(stream, expected, known.stored, together(batch.map(provisoOf)));
        if (since === states.forgotten())
          states.remember(stream, after(able, known.decided, known.stored, appended));
        return answer(stream, known.decided, appended.position);
      } catch (error) {
        lost++;
        if (!(error instanceof WrongRevision) || lost >= attemptsMax) throw error;
        if (lost > 1) await pause(pauseMs(lost - 1, pauseBounds));
      }
    }
  };

  const fail = async (
    stream: string,
    batch: readonly Waiting<State, Command, Event>[],
    error: unknown,
  ): Promise<void> => {
    const half = Math.ceil(batch.length / 2);
    if (isOfSome(error) && half < batch.length) {
      for (const part of [batch.slice(0, half), batch.slice(half)]) {
        await record(stream, part).catch((again: unknown) => fail(stream, part, again));
      }
      return;
    }
    // What the store did with the append is not known: forget the state and read it again next time. To append the
    // same under the same ids would be taken for a repeat, whatever else it says.
    states.forget(stream);
    doubtful.add(stream);
    for (const { reject } of batch) reject(error);
  };

  return { record, fail, isDoubtful: doubtful.has };
}

/** Others of the same batch need not fail: one is late, or what it rests on is no more. */
const isOfSome = (error: unknown): boolean =>
  error instanceof AppendTooLarge || error instanceof RequestLate || error instanceof Rejected;

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
