/** What a platform has in the log. */
import { pagesOf } from '../../../projections/projector/rebuild/pages.ts';
import { isStreamOf, streamOf } from '../../domain/streams.ts';
import type { EventStore, StoredEvent } from '../../infrastructure/event-store/event-store.ts';
import type { MovedStreams } from '../../infrastructure/event-store/moved-streams.ts';
import type { PlatformId } from '../../kernel/ids.ts';

/** Their owner is the installation. */
const ofInstallation = ['installation', 'restorations'] as const;
export const isOfInstallation = (stream: string): boolean =>
  ofInstallation.some((kind) => isStreamOf(kind, stream));
const pageMax = 1_000;

export type Present = {
  /** By name: the revision of its last event. A name that is another platform's by now is none of them. */
  readonly streams: ReadonlyMap<string, number>;
  readonly events: number;
  /** Of the platform's last event. */
  readonly position: bigint;
  /** Of the log's last event when it was looked at. */
  readonly until: bigint;
  /** Other platforms that it has shared a payment with, or a name, since a position. */
  readonly sharedWith: ReadonlySet<string>;
};

/** What an event of a payment says of another platform: who pays it, or whom it pays. */
type Sharing = {
  readonly origin?: { readonly platformId: string };
  readonly route?: { readonly platformId?: string };
};

type Asked = { readonly platformId: PlatformId; readonly since: bigint };

/** Up to `until`, which is the position of the log's last event. */
export async function presentStreams(
  { store, standingOf }: Pick<MovedStreams, 'store' | 'standingOf'>,
  { platformId, since }: Asked,
  until: bigint,
): Promise<Present> {
  const streams = new Map<string, number>();
  const [causes, others, partners] = [
    new Set<string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ];
  const sharedWith = new Set<string>();
  let [events, position] = [0, 0n];
  const take = (event: StoredEvent) => {
    const { stream, revision, metadata, data } = event;
    if (isOfInstallation(stream)) return;
    const isOwn = metadata.platformId === platformId;
    const isPayment = isStreamOf('transaction', stream);
    if (isPayment && isOwn) {
      const { origin, route } = data as Sharing;
      const other = (origin ?? route)?.platformId ?? platformId;
      if (other !== platformId) partners.set(stream, other);
    }
    if (event.position > since && metadata.copyOf === undefined) {
      // What one payment leads to for another has one cause.
      if (isPayment && isOwn) causes.add(metadata.correlationId);
      // What it leads to for the other one may not be there yet, or lies before what is read: nobody waits for that.
      const partner = isOwn ? partners.get(stream) : undefined;
      if (partner) sharedWith.add(partner);
      if (isPayment && !isOwn) others.set(metadata.correlationId, metadata.platformId);
      if (!isOwn && streams.has(stream)) sharedWith.add(metadata.platformId);
    }
    if (!isOwn) return void streams.delete(stream);
    streams.set(stream, revision);
    events += 1;
    position = event.position;
  };
  const first = standingOf(platformId) ? undefined : await firstEventOf(store, platformId);
  if (first) take(first);
  const after = standingOf(platformId)?.since ?? first?.position;
  for await (const page of pagesOf(store, { after, until, pageMax })) for (const event of page) take(event);
  for (const [cause, other] of others) if (causes.has(cause)) sharedWith.add(other);
  return { streams, events, position, until, sharedWith };
}

/** Everything of a platform comes after it. */
const firstEventOf = async (store: Pick<EventStore, 'read'>, platformId: PlatformId) =>
  (await store.read(streamOf('platform', platformId), 0, 1))[0];
