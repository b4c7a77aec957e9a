/**
 * Closings of the books: what a stream had come to at a revision, so that it is not read whole. They are copies of the
 * log: each can be made again, and one that the log does not bear out is not believed.
 */
import type { FilterPart } from '../../kernel/growing-filter.ts';

/** Of which stream, by which version of the fold. */
export type Book = { readonly stream: string; readonly version: number };

/** The revision of the last event before a closing, and that event's id. */
export type Standing = { readonly revision: number; readonly eventId: string };

export type ClosingText = Standing & {
  /** What the stream had come to, as text. */
  readonly state: string;
};

export type FoundClosing = ClosingText & {
  /** Has all keys of this closing and those before it, and may have more. */
  readonly parts: readonly FilterPart[];
};

export type NewClosing = ClosingText & {
  /** The closing that it was made from, which has to be the newest. */
  readonly previous: number | undefined;
  /** What was written since then, by key. */
  readonly values: readonly (readonly [string, string])[];
  /** The parts of the filter that have changed since then. */
  readonly parts: readonly FilterPart[];
};

/** What is known of a key at a closing. */
export type Recalled = {
  /** What was written last; `undefined` for nothing. */
  readonly value: string | undefined;
};

/** Revisions from the one after the first to the second. */
export type Period = { readonly after: number; readonly to: number };

export type Closings = {
  /** Where the newest closing at or before a revision stands. */
  standing(book: Book, upTo: number): Promise<Standing | undefined>;
  /** That closing. Whether the log bears it out is for the caller to see. */
  newest(book: Book, upTo: number): Promise<FoundClosing | undefined>;
  /** `false` where another has been made from the same one, or that one is gone: nothing is changed then. */
  add(book: Book, closing: NewClosing): Promise<boolean>;
  /** What the keys had at a closing; `undefined` where that closing is gone. */
  recall(
    book: Book,
    at: Standing,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, Recalled> | undefined>;
  /** The periods in which something was written for one of the keys. */
  periodsOf(book: Book, keys: readonly string[]): Promise<readonly Period[]>;
  /** Takes out the closings from a revision on: the log is another than the one they were made of. */
  discard(book: Book, from: number): Promise<void>;
  /** Told that a closing could not be made; the next event tries again. */
  failed(book: Book, error: unknown): void;
};
