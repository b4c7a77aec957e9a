/** The events of a stream that concern some of its keys, of a stream of any length. */
import type { EventStore, StoredEvent } from '../event-store/event-store.ts';
import type { Book, Closings, Period } from './closings.ts';

const pageMax = 1_000;

type Deps = { readonly store: Pick<EventStore, 'read'>; readonly closings: Closings | undefined };

/**
 * All events since the last closing, at `closedAt`, and those of the periods before it in which one of the keys was
 * written; all of the stream where no key is named.
 */
export async function* eventsAbout(
  { store, closings }: Deps,
  book: Book,
  closedAt: number,
  keys: readonly string[],
): AsyncGenerator<StoredEvent> {
  const isLong = closings !== undefined && closedAt >= 0 && keys.length > 0;
  const earlier = isLong ? await closings.periodsOf(book, keys) : [];
  const rest = { after: isLong ? closedAt : -1, to: Number.POSITIVE_INFINITY };
  const periods = [...earlier.filter(({ to }) => to <= closedAt), rest];
  for (const period of periods) yield* eventsOf(store, book.stream, period);
}

async function* eventsOf(
  store: Pick<EventStore, 'read'>,
  stream: string,
  { after, to }: Period,
): AsyncGenerator<StoredEvent> {
  for (let from = after + 1; from <= to; ) {
    const most = Math.min(pageMax, to - from + 1);
    const page = await store.read(stream, from, most);
    yield* page;
    if (page.length < most) return;
    from += page.length;
  }
}
