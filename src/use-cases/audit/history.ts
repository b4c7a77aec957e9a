/** The events of one object, for the platform that it belongs to. */
import { type DomainEvent, eventSchemas } from '../../domain/aggregates.ts';
import { type Moments, momentsOf } from '../../domain/books/clocks.ts';
import { decodeRecorded } from '../../infrastructure/event-store/encoding.ts';
import type { EventStore, StoredEvent } from '../../infrastructure/event-store/event-store.ts';
import { restsOn } from '../../infrastructure/rests-on.ts';
import type { PlatformId } from '../../kernel/ids.ts';
import type { Rejected } from '../../kernel/rejected.ts';
import { describeEvent } from './describe-event.ts';
import { firstWhereNot } from './search-stream.ts';

export type HistoryEntry = {
  readonly event: DomainEvent;
  readonly revision: number;
  readonly moments: Moments;
  readonly says: string;
};

type Wanted = {
  readonly stream: string;
  readonly platformId: PlatformId;
  /** The first event is 0. */
  readonly from: number;
  readonly limit: number;
};

type History = {
  readonly entries: readonly HistoryEntry[];
  readonly next: number | undefined;
  readonly total: number;
};

/**
 * A page of the stream, oldest first, the revision at which the next one begins, and how many events there are. Throws what `notFound` makes where
 * there is no such stream, or it is another platform's: a stream belongs to the platform of its first event.
 */
export async function historyOf(
  { store }: { readonly store: Pick<EventStore, 'read'> },
  { stream, platformId, from, limit }: Wanted,
  notFound: () => Rejected,
): Promise<History> {
  const page = await store.read(stream, from, limit + 1);
  const [first] = from === 0 ? page : await store.read(stream, 0, 1);
  if (first?.metadata.platformId !== platformId) throw notFound();
  restsOn(page.at(-1)?.position);
  const entries = page.slice(0, limit).map(historyEntry);
  const more = page.length > limit;
  const isEnd = !more && (page.length > 0 || from === 0);
  // Whoever makes a cursor of their own may ask for what is far beyond the end.
  const total = isEnd ? from + page.length : await lengthOf(store, stream, more ? from + limit + 1 : 1);
  return { entries, next: more ? from + limit : undefined, total };
}

/** What is told of an event, personal data left out. */
export function historyEntry(stored: StoredEvent): HistoryEntry {
  const event = decodeRecorded<DomainEvent>(eventSchemas, stored);
  return { event, revision: stored.revision, moments: momentsOf(event), says: describeEvent(event) };
}

/** How many events a stream has that has `known` of them at least. */
const lengthOf = (store: Pick<EventStore, 'read'>, stream: string, known: number): Promise<number> =>
  firstWhereNot(known, async (revision) => (await store.read(stream, revision, 1)).length > 0);
