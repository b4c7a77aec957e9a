/**
 * What streams have come to, read in pages from their last closing of the books. A long stretch without one is
 * closed as it is read, so that no more is held than a closing leaves.
 */
import type { Aggregate, AnyEvent } from '../../kernel/aggregate.ts';
import type { Closed } from '../../kernel/keyed-history.ts';
import { decodeEvent } from '../event-store/encoding.ts';
import type { EventStore, StoredEvent } from '../event-store/event-store.ts';
import { hashOf } from '../event-store/seal.ts';
import { type Books, booksOf } from './books.ts';
import type { Closings } from './closings.ts';
import { historiesOf } from './histories.ts';

/** Events after which the books of a stream are closed. */
export const closedEvery = 500;
/** Of a stream of which nothing is known so many events are read first: nearly all have fewer. */
const firstMax = 100;
/** Of a stream whose books cannot be closed so many events are taken together at most. */
const openMax = 10_000;
/** Events that are read at once of what has not been closed, and make one closing then. */
export const pageMax = 5_000;

/** A state, and where in its stream and in the log it stands. */
export type Folded<State> = {
  readonly state: State;
  /** -1 for a stream without events. */
  readonly revision: number;
  /** The last event's. */
  readonly eventId: string | undefined;
  readonly position: bigint | undefined;
  /** Its hash, by which the next event names it. */
  readonly hash: string | undefined;
  /** The closing that it rests on. */
  readonly closed: Closed | undefined;
};

export type Folding<State, Message> = {
  /** From what is known on, to a revision or to the end. Reads nothing that is known. */
  read(stream: string, known?: Folded<State>, upTo?: number): Promise<Folded<State>>;
  /** The same after the events that follow it; `undefined` where the closing that it rests on is gone. */
  fold(stream: string, at: Folded<State>, events: readonly StoredEvent[]): Promise<Folded<State> | undefined>;
  /** The keys that have to be looked up before the messages are decided on, or folded. */
  unknown(state: State, messages: readonly Message[]): readonly string[];
  /** With what the keys had at the closing; `undefined` where that closing is gone, so that the state is worth nothing. */
  recall(stream: string, state: State, keys: readonly string[]): Promise<State | undefined>;
  /** Without what was recalled. */
  settle(state: State): State;
  /** Whether the books are to be closed. */
  isDue(folded: Folded<State>): boolean;
  /**
   * The same after a closing, which is made where there is none; itself where another is made at this moment, and
   * `undefined` where the closing that it rests on is gone.
   */
  close(stream: string, folded: Folded<State>): Promise<Folded<State> | undefined>;
  /** That, where it is due. A failure is told to `failed`, and thrown where too much has come together already. */
  closeIfDue(stream: string, folded: Folded<State>): Promise<Folded<State> | undefined>;
  /** The same after a closing that another version of it rests on. */
  after(folded: Folded<State>, closed: Closed): Folded<State>;
};

export function foldingOf<State, Command, Event extends AnyEvent>(
  store: Pick<EventStore, 'read'>,
  { schemas, decider, closing: rules }: Aggregate<State, Command, Event>,
  closings?: Closings,
): Folding<State, Command | Event> {
  const books = rules && closings && booksOf(store, rules, closings);
  const histories = historiesOf(rules?.history, books);
  const { unknown, recall, settle } = histories;
  const start: Folded<State> = {
    state: decider.initial,
    revision: -1,
    eventId: undefined,
    position: undefined,
    hash: undefined,
    closed: undefined,
  };

  const fold = async (
    stream: string,
    at: Folded<State>,
    page: readonly StoredEvent[],
  ): Promise<Folded<State> | undefined> => {
    const last = page.at(-1);
    if (!last) return at;
    const events = page.map((stored) => decodeEvent<Event>(schemas, stored));
    const keys = unknown(at.state, events);
    const able = keys.length > 0 ? await recall(stream, at.state, keys) : at.state;
    if (able === undefined) return undefined;
    const state = settle(events.reduce(decider.evolve, able));
    const { revision, id: eventId, position } = last;
    return { ...at, state, revision, eventId, position, hash: hashOf(last) };
  };

  const after = (folded: Folded<State>, closed: Closed): Folded<State> => ({
    ...folded,
    state: histories.after(folded.state, closed),
    closed,
  });
  const { isDue, close, closeIfDue } = closingBooks(books, after);

  /** As far as the first statements come: from the newest closing where there is one, else from the beginning. */
  const open = async (stream: string, upTo: number): Promise<Opened<State>> => {
    const first = await store.read(stream, 0, firstMax);
    const isShort = first.length < firstMax || upTo < firstMax;
    const found = isShort ? undefined : await books?.newest(stream, upTo, closedEvery);
    const { stood, events } = found ?? { stood: start, events: first };
    const at = await fold(stream, stood, until(upTo, events));
    if (!at) return open(stream, upTo);
    return { at, isWhole: isShort || (found !== undefined && events.length < closedEvery - 1) };
  };

  const read = async (
    stream: string,
    known?: Folded<State>,
    upTo = Number.POSITIVE_INFINITY,
  ): Promise<Folded<State>> => {
    if (upTo < 0) return start;
    let { at, isWhole } = known || !books ? { at: known ?? start, isWhole: false } : await open(stream, upTo);
    while (!isWhole && at.revision < upTo) {
      const page = await store.read(stream, at.revision + 1, pageMax);
      if (page.length === 0) return at;
      const folded = await fold(stream, at, until(upTo, page));
      const next = folded && (await closeIfDue(stream, folded));
      // What it rested on is gone.
      if (!next) ({ at, isWhole } = await open(stream, upTo));
      else {
        at = next;
        isWhole = page.length < pageMax;
      }
    }
    return at;
  };

  return { read, fold, unknown, recall, settle, isDue, close, closeIfDue, after };
}

/** Closes the books of streams, each from its last closing on. Where no books are kept nothing is ever due. */
function closingBooks<State>(
  books: Books<State> | undefined,
  after: (folded: Folded<State>, closed: Closed) => Folded<State>,
) {
  const isDue = ({ revision, closed }: Folded<State>): boolean =>
    books !== undefined && revision - (closed?.revision ?? -1) >= closedEvery;

  const close = async (stream: string, folded: Folded<State>): Promise<Folded<State> | undefined> => {
    const { revision, eventId, position, closed: before } = folded;
    if (!books || eventId === undefined || position === undefined) return folded;
    const last = await books.standing(stream, revision);
    if (last?.eventId !== before?.eventId) {
      const found = (await books.newest(stream, revision, 1))?.stood.closed;
      if ((found?.revision ?? -1) < (before?.revision ?? -1)) return undefined;
      if (found && found.revision > (before?.revision ?? -1)) return after(folded, found);
    }
    const { closing, closed } = books.closingOf({ ...folded, eventId, position });
    if (!(await books.add(stream, closing))) return folded;
    closed.filter.saved();
    return after(folded, closed);
  };

  const closeIfDue = async (stream: string, at: Folded<State>): Promise<Folded<State> | undefined> => {
    if (!isDue(at)) return at;
    try {
      return await close(stream, at);
    } catch (error) {
      if (at.revision - (at.closed?.revision ?? -1) > openMax) throw error;
      books?.failed(stream, error);
      return at;
    }
  };

  return { isDue, close, closeIfDue };
}

type Opened<State> = { readonly at: Folded<State>; readonly isWhole: boolean };

const until = (upTo: number, events: readonly StoredEvent[]): readonly StoredEvent[] =>
  upTo === Number.POSITIVE_INFINITY ? events : events.filter(({ revision }) => revision <= upTo);
