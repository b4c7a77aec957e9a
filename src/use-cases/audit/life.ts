/** A payment's life: its own events, and the entries that it made on accounts. */

import { streamOf } from '../../domain/streams.ts';
import type { EventStore, StoredEvent } from '../../infrastructure/event-store/event-store.ts';
import { restsOnRows } from '../../infrastructure/rests-on.ts';
import type { InternalAccountId, PlatformId } from '../../kernel/ids.ts';
import { stringify } from '../../kernel/json.ts';
import type { Rejected } from '../../kernel/rejected.ts';
import { type HistoryEntry, historyEntry } from './history.ts';
import { firstWhereNot } from './search-stream.ts';

/** Events of a payment's own stream that are told; a payment has about ten. */
const ownMax = 200;

type Reader = Pick<EventStore, 'read'>;

/** An entry on an account, by its place in the log. With an execution at once a debit may stand before the payment's first event. */
type Place = { readonly position: bigint; readonly account: InternalAccountId };

type Entries = (accounts: readonly InternalAccountId[], near: readonly bigint[]) => Promise<readonly Place[]>;

export type LifeEvent = HistoryEntry & {
  readonly stream: string;
  /** As the log has it, its personal texts readable. */
  readonly data: StoredEvent['data'];
  /** The event of this life that led to it. */
  readonly causedBy: string | undefined;
};

/**
 * In the order of the log. `entries` finds those of the accounts that the payment's events name. Throws what `notFound`
 * makes where there is no such stream, or it is another platform's.
 */
export async function lifeOf(
  { store, entries }: { readonly store: Reader; readonly entries: Entries },
  { stream, platformId }: { readonly stream: string; readonly platformId: PlatformId },
  notFound: () => Rejected,
): Promise<readonly LifeEvent[]> {
  const own = await store.read(stream, 0, ownMax);
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last || first.metadata.platformId !== platformId) throw notFound();
  // The entries of what the log has told of the payment, not fewer.
  await restsOnRows(last.position);
  const places = await entries(accountsIn(own), [first.position, last.position]);
  const booked = await Promise.all(
    places.map(({ account, position }) => eventAt(store, streamOf('account', account), position)),
  );
  const all = [...own, ...booked.filter((event) => event !== undefined)].toSorted(byTheirOrder);
  const idOfCause = new Map(all.map(({ id, metadata }) => [metadata.copyOf ?? id, id]));
  return all.map((event) => {
    const { causationId } = event.metadata;
    const told = { stream: event.stream, data: event.data };
    return Object.assign(historyEntry(event), told, { causedBy: idOfCause.get(causationId) });
  });
}

/** Streams are copied side by side where a platform is put back: the copies stand in the order of what they are copies of. */
function byTheirOrder(a: StoredEvent, b: StoredEvent): number {
  const areCopies = a.metadata.copyOf !== undefined && b.metadata.copyOf !== undefined;
  const inTime = areCopies ? Date.parse(a.metadata.at) - Date.parse(b.metadata.at) : 0;
  return inTime || Number(a.position - b.position);
}

const accountIds = /InternalAccount:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function accountsIn(events: readonly StoredEvent[]): readonly InternalAccountId[] {
  const text = stringify(events.map(({ data }) => data));
  return [...new Set(text.match(accountIds) as InternalAccountId[] | null)];
}

/** Positions grow along a stream: it is asked for single events, few however long it is. */
async function eventAt(store: Reader, stream: string, position: bigint): Promise<StoredEvent | undefined> {
  const at = async (revision: number) => (await store.read(stream, revision, 1))[0];
  const revision = await firstWhereNot(1, async (n) => {
    const event = await at(n);
    return event !== undefined && event.position < position;
  });
  const event = await at(revision);
  return event?.position === position ? event : undefined;
}
