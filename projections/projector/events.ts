import { type DomainEvent, eventSchemas } from '../../src/domain/aggregates.ts';
import { decodeRecorded } from '../../src/infrastructure/event-store/encoding.ts';
import type { StoredEvent } from '../../src/infrastructure/event-store/event-store.ts';

/** An event of the log as the code knows it. Throws when it does not fit its schema. */
export const toDomainEvent = (stored: StoredEvent): DomainEvent =>
  decodeRecorded<DomainEvent>(eventSchemas, stored);
