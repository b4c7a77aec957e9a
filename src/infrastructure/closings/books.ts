/**
 * The books of the streams of one kind: their closings, by the version of its fold. A closing is believed where the log has
 * its last event.
 */
import type { ClosingRules } from '../../kernel/aggregate.ts';
import type { Closed } from '../../kernel/keyed-history.ts';
import type { EventStore, StoredEvent } from '../event-store/event-store.ts';
import { hashOf } from '../event-store/seal.ts';
import type { Book, Closings, FoundClosing, NewClosing } from './closings.ts';
import { closingOf, contentOf, type Stood } from './text.ts';

export type Books<State> = {
  /**
   * The newest closing at or before a revision that the log bears out, with the events after it as far as they have been
   * read. Those that it does not bear out are taken out.
   */
  newest(stream: string, upTo: number, most: number): Promise<Newest<State> | undefined>;
  /** The closing of a state as it stands, and what is to be remembered of it once it is made. */
  closingOf(stood: Stood<State>): ReturnType<typeof closingOf>;
  // What follows is as `Closings` has it.
  standing(stream: string, upTo: number): ReturnType<Closings['standing']>;
  recall(stream: string, at: Closed, keys: readonly string[]): ReturnType<Closings['recall']>;
  add(stream: string, closing: NewClosing): ReturnType<Closings['add']>;
  failed(stream: string, error: unknown): void;
};

type Newest<State> = {
  readonly stood: Stood<State> & { readonly hash: string | undefined };
  readonly events: readonly StoredEvent[];
};

export function booksOf<State, Message>(
  store: Pick<EventStore, 'read'>,
  rules: ClosingRules<State, Message>,
  closings: Closings,
): Books<State> {
  const bookOf = (stream: string): Book => ({ stream, version: rules.version });

  const contentIn = (found: FoundClosing) => {
    try {
      return contentOf<State>(rules, found);
    } catch {
      return undefined;
    }
  };

  return {
    async newest(stream, upTo, most) {
      for (;;) {
        const found = await closings.newest(bookOf(stream), upTo);
        if (!found) return undefined;
        const [last, ...events] = await store.read(stream, found.revision, most);
        const stood = last?.id === found.eventId ? contentIn(found) : undefined;
        if (last && stood) return { stood: { ...stood, hash: hashOf(last) }, events };
        await closings.discard(bookOf(stream), found.revision);
      }
    },
    closingOf: (stood) => closingOf(rules, stood),
    standing: (stream, upTo) => closings.standing(bookOf(stream), upTo),
    recall: (stream, at, keys) => closings.recall(bookOf(stream), at, keys),
    add: (stream, closing) => closings.add(bookOf(stream), closing),
    failed: (stream, error) => closings.failed(bookOf(stream), error),
  };
}
