/** Events of a snapshot, copied to the streams with which a platform goes on. */
import { isStreamOf, streamOf, uuidOfStream } from '../../domain/streams.ts';
import {
  AppendTooLarge,
  type EventStore,
  type NewEvent,
  type StoredEvent,
} from '../../infrastructure/event-store/event-store.ts';
import { movedName } from '../../infrastructure/event-store/moved-owners.ts';
import { type Head, sealed } from '../../infrastructure/event-store/seal.ts';
import { derivedUuid } from '../../kernel/ids.ts';

/** A stream as it was: under which name the log has it, up to which revision. */
export type KeptStream = { readonly stream: string; readonly place: string; readonly revision: number };

const atOnce = 32;
const pageMax = 100;

type Log = Pick<EventStore, 'read' | 'append'>;

/** What a stream is copied with: rows of one kind say what streams of others have come to. */
const stepOf = ({ stream }: KeptStream) => {
  if (isStreamOf('account', stream)) return 'accounts';
  const isOfCustomer = (['customer', 'wallet', 'externalAccount'] as const).some((kind) =>
    isStreamOf(kind, stream),
  );
  return isOfCustomer ? 'customers' : 'others';
};

/**
 * Safe to repeat: the copies have the same ids each time. Returns how many they are. What is read of others' rows is there
 * before: accounts come first, and payments, whose sides belong to customers, last. Of one customer everything comes in the
 * order in which it happened: a later event of one stream changes what an earlier one of another has written.
 */
export async function copyStreams(
  log: Log,
  streams: readonly KeptStream[],
  generation: number,
): Promise<number> {
  const { accounts = [], customers = [], others = [] } = Object.groupBy(streams, stepOf);
  const placeOf = new Map(accounts.map(({ stream, place }) => [stream, place]));
  const copyOne = (kept: KeptStream) => copyStream(log, kept, generation);
  const copied = [await sideBySide(accounts, copyOne)];
  const byCustomer = new Map<string, KeptStream[]>();
  const gather = async (kept: KeptStream) => {
    const customer = await customerOf(log, kept, placeOf);
    byCustomer.set(customer, [...(byCustomer.get(customer) ?? []), kept]);
    return 0;
  };
  await sideBySide(customers, gather);
  copied.push(await sideBySide([...byCustomer.values()], (own) => copyInOrder(log, own, generation)));
  copied.push(await sideBySide(others, copyOne));
  return copied.reduce((sum, one) => sum + one);
}

/** Returns the sum of what the work returns. */
async function sideBySide<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<number>,
): Promise<number> {
  const waiting = items.values();
  let sum = 0;
  const some = async () => {
    for (const item of waiting) {
      const done = await work(item);
      sum += done;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, some));
  return sum;
}

/** The stream of the customer whom a stream is of; itself where it is of none. `placeOf` has those of accounts. */
async function customerOf(
  log: Log,
  { stream, place }: KeptStream,
  placeOf: ReadonlyMap<string, string>,
): Promise<string> {
  if (isStreamOf('customer', stream)) return stream;
  const isOfWallet = isStreamOf('wallet', stream);
  const says = isOfWallet ? placeOf.get(streamOf('account', uuidOfStream(stream))) : place;
  const [first] = says === undefined ? [] : await log.read(says, 0, 1);
  const { customerId } = (first?.data ?? {}) as { readonly customerId?: string | null };
  return customerId ? streamOf('customer', customerId) : stream;
}

async function copyStream(log: Log, kept: KeptStream, generation: number): Promise<number> {
  const copy = copying(log, generation);
  let copied = 0;
  for await (const page of pagesOf(log, kept)) copied += await copy(kept.stream, page);
  return copied;
}

async function copyInOrder(log: Log, kept: readonly KeptStream[], generation: number): Promise<number> {
  const copy = copying(log, generation);
  const all: { readonly stream: string; readonly event: StoredEvent }[] = [];
  for (const one of kept)
    for await (const page of pagesOf(log, one))
      all.push(...page.map((event) => ({ stream: one.stream, event })));
  all.sort((a, b) => (a.event.position < b.event.position ? -1 : 1));
  for (let from = 0, end = 0; from < all.length; from = end) {
    const stream = all[from]?.stream as string;
    while (end < all.length && all[end]?.stream === stream && end - from < pageMax) end += 1;
    const run = all.slice(from, end).map(({ event }) => event);
    await copy(stream, run);
  }
  return all.length;
}

async function* pagesOf(log: Log, { place, revision }: KeptStream): AsyncGenerator<readonly StoredEvent[]> {
  for (let from = 0; from <= revision; ) {
    const page = await log.read(place, from, Math.min(pageMax, revision - from + 1));
    if (page.length === 0) throw new Error(`revision ${from} of ${place} is not in the log`);
    yield page;
    from += page.length;
  }
}

/** Appends copies of the next events of a stream, of whichever it is told. Returns how many they are. */
function copying(log: Log, generation: number) {
  const heads = new Map<string, Head>();
  return async (stream: string, events: readonly StoredEvent[]): Promise<number> => {
    const to = movedName(stream, generation);
    const head = heads.get(to) ?? { revision: -1, hash: undefined };
    const copies = sealed(
      to,
      head,
      events.map((event) => copyOf(event, to)),
    );
    await put(log, to, head.revision, copies);
    heads.set(to, { revision: head.revision + events.length, hash: copies.at(-1)?.metadata.hash });
    return events.length;
  };
}

/** After the revision, -1 for none, in as many appends as the log makes of it. */
async function put(log: Log, to: string, revision: number, copies: readonly NewEvent[]): Promise<void> {
  try {
    await log.append(to, revision < 0 ? 'none' : revision, copies);
  } catch (error) {
    if (!(error instanceof AppendTooLarge) || copies.length === 1) throw error;
    const half = Math.ceil(copies.length / 2);
    await put(log, to, revision, copies.slice(0, half));
    await put(log, to, revision + half, copies.slice(half));
  }
}

function copyOf({ id, type, data, revision, metadata }: StoredEvent, to: string): NewEvent {
  const { hash: _own, previousHash: _before, ...rest } = metadata;
  return { id: derivedUuid('copy', to, String(revision)), type, data, metadata: { ...rest, copyOf: id } };
}
