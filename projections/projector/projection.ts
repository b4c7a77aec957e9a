import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { PlatformId } from '../../src/kernel/ids.ts';
import type { Database, WriteDb } from '../database.ts';

/** One read model: its tables and how events change them. It writes to no other table, so it can be rebuilt alone. */
export type Projection = {
  readonly name: string;
  readonly tables: readonly (keyof Database)[];
  /** Runs in the transaction that advances the checkpoint, so each event lands once. */
  readonly project: (event: DomainEvent, db: WriteDb) => Promise<void>;
};

type Handlers<Event extends DomainEvent> = {
  readonly [T in Event['type']]: (event: Extract<Event, { type: T }>, db: WriteDb) => Promise<unknown>;
};

/** A `project` that demands a handler for every type of `Event` and passes over all other events. */
export const handlersOf =
  <Event extends DomainEvent>(handlers: Handlers<Event>): Projection['project'] =>
  async (event, db) => {
    const known: Partial<Record<string, (event: never, db: WriteDb) => Promise<unknown>>> = handlers;
    await known[event.type]?.(event as never, db);
  };

/** The tenant of an event. */
export const platformOf = (event: DomainEvent): PlatformId => event.metadata.platformId as PlatformId;
