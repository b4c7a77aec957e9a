/**
 * The chain of a stream: each event has the hash of the one before it and its own, so that none can be changed, taken
 * out or moved without all after it. Hashed is what is stored, as canonical JSON (RFC 8785), with the name of the stream
 * and the revision; not the position, which nobody knows before the append.
 */
import { hash as digest } from 'node:crypto';
import type { EventMetadata } from '../../kernel/aggregate.ts';
import { invariant } from '../../kernel/invariant.ts';
import { canonical, storableJson } from '../../kernel/json.ts';
import type { NewEvent, StoredEvent } from './event-store.ts';

/** The last event of a stream: revision -1 and no hash where there is none. */
export type Head = { readonly revision: number; readonly hash: string | undefined };

type Hashed = Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'type' | 'data' | 'metadata'>;

/** What the first event of a stream has in place of the hash of the one before it. */
export const genesisOf = (stream: string): string => digest('sha256', `daybook stream ${stream}`);

/** SHA-256 in hexadecimal of an event's content: all of it but its own hash. */
export function contentHashOf({ stream, revision, id, type, data, metadata }: Hashed): string {
  const { hash: _, ...rest } = metadata;
  return digest('sha256', canonical({ data, id, metadata: rest, revision, stream, type }));
}

/** The hash by which the next event names this one; an event from before there was a chain has none written. */
export const hashOf = (event: StoredEvent): string => event.metadata.hash ?? contentHashOf(event);

/** The events that follow one, in order, with their hashes. Has to be done again where the head was another. */
export function sealed(stream: string, head: Head, events: readonly NewEvent[]): readonly NewEvent[] {
  let { revision, hash: previousHash = genesisOf(stream) } = head;
  const name = JSON.stringify(stream);
  return events.map(({ id, type, data, metadata: before, known }) => {
    revision += 1;
    const metadata: { -readonly [K in keyof EventMetadata]: EventMetadata[K] } = { ...before, previousHash };
    if (before.hash !== undefined) delete metadata.hash;
    const dataText = canonical(data);
    // Postgres would not take it; EventStoreDB would, and no read model after it.
    invariant(storableJson(dataText) === dataText, `a text of ${type} cannot be stored`);
    const metadataText = canonical(metadata);
    // As `contentHashOf` has it, whose members are in this order.
    const content = `{"data":${dataText},"id":${JSON.stringify(id)},"metadata":${metadataText},"revision":${revision},"stream":${name},"type":${JSON.stringify(type)}}`;
    const hash = digest('sha256', content);
    previousHash = hash;
    metadata.hash = hash;
    const text = { data: dataText, metadata: `${metadataText.slice(0, -1)},"hash":"${hash}"}` };
    return { id, type, data, metadata, text, ...(known && { known }) };
  });
}

type Sealed = Pick<NewEvent, 'id' | 'metadata'>;

/** Whether these are the same events in the same order: by their ids, and by the hashes that they were sealed with. */
export const areSame = (some: readonly Sealed[], others: readonly Sealed[]): boolean =>
  some.length === others.length &&
  some.every(({ id, metadata }, n) => id === others[n]?.id && metadata.hash === others[n]?.metadata.hash);
