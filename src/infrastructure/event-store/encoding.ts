import type { EventMetadata, RecordedEvent } from '../../kernel/aggregate.ts';
import type { EventSchemas } from '../../kernel/codecs.ts';
import { invariant } from '../../kernel/invariant.ts';
import type { JsonObject, NewEvent, StoredEvent } from './event-store.ts';

/** The event as it is stored, but for its id. Throws when `event` does not fit its schema: nothing unreadable enters the log. */
export function encodeEvent(
  schemas: EventSchemas,
  event: { readonly type: string; readonly data: unknown },
  metadata: EventMetadata,
): Omit<NewEvent, 'id'> {
  const schema = schemas[event.type];
  invariant(schema, `no schema for event ${event.type}`);
  return { type: event.type, data: schema.encode(event.data) as JsonObject, metadata };
}

/** The event as the code knows it. Throws when the stored form does not fit its schema. */
export function decodeEvent<Event>(schemas: EventSchemas, stored: StoredEvent): Event {
  if (stored.known) return { type: stored.type, data: stored.known.data } as Event;
  const schema = schemas[stored.type];
  invariant(schema, `no schema for event ${stored.type} at ${stored.position}`);
  return { type: stored.type, data: schema.decode(stored.data) } as Event;
}

/** The same with where and by whom it was recorded. */
export function decodeRecorded<Event>(schemas: EventSchemas, stored: StoredEvent): RecordedEvent<Event> {
  const { id, stream, position, metadata } = stored;
  return { ...decodeEvent<Event>(schemas, stored), id, stream, position, metadata };
}
