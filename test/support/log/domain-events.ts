import { type DomainEvent, eventSchemas } from '../../../src/domain/aggregates.ts';
import { decodeEvent } from '../../../src/infrastructure/event-store/encoding.ts';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';

/** The event as reactions see it. */
export function domainEvent(stored: StoredEvent): DomainEvent {
  const { id, stream, position, metadata } = stored;
  return { ...decodeEvent<DomainEvent>(eventSchemas, stored), id, stream, position, metadata };
}

/** A decided event as it would look in the log of the test's platform. */
export function recorded<E extends { readonly type: string; readonly data: unknown }>(
  event: E,
  platformId = 'Platform:none',
) {
  const metadata = {
    platformId,
    correlationId: 'request-1',
    causationId: 'request-1',
    actor: 'test',
    at: '',
  };
  return { ...event, id: 'event-1', stream: 'stream-1', position: 1n, metadata };
}
