/**
 * The log: streams of immutable events, in one order for all subscribers. Two adapters keep this promise in
 * production (`postgres.ts`, `eventstoredb.ts`); `test/infrastructure/event-store/contract.ts` is the promise as tests.
 */

import type { EventMetadata } from '../../kernel/aggregate.ts';

export type JsonObject = { readonly [key: string]: unknown };

export type NewEvent = {
  /** A uuid, chosen by the writer. Appending the same ids again at the same revision is a repeat, not a conflict. */
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
  readonly known?: Known;
  readonly text?: StoredText;
};

/** `data` and `metadata` as JSON, where that was made for their hash. Not stored beside them. */
export type StoredText = { readonly data: string; readonly metadata: string };

/** What the process that wrote an event knows of it, so that its followers need not find out again. Not stored. */
export type Known = {
  /** `data` as the code has it. */
  readonly data: unknown;
  /** Of the stream, after the event. */
  readonly state: unknown;
};

export type StoredEvent = NewEvent & {
  readonly stream: string;
  /** 0 for the first event of its stream, then one more each time. */
  readonly revision: number;
  /** Grows along the log; not without gaps in every adapter. */
  readonly position: bigint;
};

/** The revision of the stream's last event as the writer knows it; `none` when the stream must not exist yet. */
export type ExpectedRevision = number | 'none';

export type Appended = { readonly revision: number; readonly position: bigint };

/** Another writer came first. `actual` is the stream's last revision, or `none`. */
export class WrongRevision extends Error {
  override name = 'WrongRevision';
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly actual: ExpectedRevision;

  constructor(stream: string, expected: ExpectedRevision, actual: ExpectedRevision) {
    super(`stream ${stream} is at ${actual}, not at ${expected}`);
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

/** Without what events are not appended, beside their stream being where their writer knows it. */
export type Proviso = {
  /**
   * Asked before they are sent: where it throws they are not. A call that is repeated has perhaps been carried out, and is
   * not asked about again.
   */
  readonly requireStill: () => void;
  /**
   * The log takes nothing after this moment, in milliseconds by the clock of Postgres: `RequestLate` then. A log elsewhere has
   * another clock, and does not look at it.
   */
  readonly latest: number | undefined;
};

/** That of what is appended at once; nothing where none of it has any. */
export function together(provisos: readonly (Proviso | undefined)[]): Proviso | undefined {
  const all = provisos.filter((one) => one !== undefined);
  if (all.length <= 1) return all[0];
  return {
    requireStill() {
      for (const { requireStill } of all) requireStill();
    },
    latest: earliest(all),
  };
}

/** The first of their last moments; nothing where none of them has any. */
export function earliest(provisos: readonly (Proviso | undefined)[]): number | undefined {
  const moments = provisos.map((one) => one?.latest).filter((latest) => latest !== undefined);
  return moments.length > 0 ? Math.min(...moments) : undefined;
}

/** More bytes than the log takes in one append. Nothing was written; fewer events at once may fit. */
export class AppendTooLarge extends Error {
  override name = 'AppendTooLarge';

  constructor(stream: string, events: number, options?: ErrorOptions) {
    super(`the log does not take these ${events} events of stream ${stream} in one append`, options);
  }
}

export type Subscription = {
  /** Settles when the subscription has ended: resolved after `stop`, rejected with what `consume` threw. */
  readonly done: Promise<void>;
  /** Ends the subscription after the batch being consumed. */
  stop(): Promise<void>;
};

export type SubscribeOptions = {
  /** The position after which to start; `undefined` for the beginning of the log. */
  readonly after: bigint | undefined;
  /** Only streams whose name starts with one of these; all streams when absent. */
  readonly streamPrefixes?: readonly string[];
  /** At most this many events are handed over at once (default 500). */
  readonly batchMax?: number;
  /** Called with events in log order, never two at a time. The next batch waits for the promise. */
  readonly consume: (events: readonly StoredEvent[]) => Promise<void>;
  /** Told how far the log was read, where something of it may not have been handed over: nothing up to there follows. */
  readonly passed?: (position: bigint) => Promise<void>;
};

export type EventStore = {
  /**
   * Appends all of `events` (at least one) or none. Throws `WrongRevision` when the stream has moved on, `AppendTooLarge`
   * where there are too many at once, and what the proviso throws.
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    proviso?: Proviso,
  ): Promise<Appended>;
  /**
   * The events of a stream in order from revision `from` (default 0), at most so many of them (default all); empty when
   * there is no such stream.
   */
  read(stream: string, from?: number, most?: number): Promise<readonly StoredEvent[]>;
  /** The position of the last event of the log; 0 where there is none. */
  last(): Promise<bigint>;
  /** Pushes every event after a position, in order, for ever: first what is there, then what comes. */
  subscribeToAll(options: SubscribeOptions): Subscription;
  /** Ends all subscriptions and frees what the adapter holds. */
  close(): Promise<void>;
};

/** Told of each call to a server of the log, retries included, and of the bytes of JSON that it sends. */
export type LogCalled = (call: 'append' | 'read', bytes: number) => void;
