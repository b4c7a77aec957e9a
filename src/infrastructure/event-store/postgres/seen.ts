/**
 * What this process has seen of the log, which never changes and never shrinks. Where a server has lost the last events,
 * having been restored from a backup or having taken over without them, what is remembered here is of a log that is no
 * more: nothing may be decided by it, and none of it be written.
 */
import type { ClientBase } from 'pg';
import { StoreAway } from '../../away.ts';
import type { StoredEvent } from '../event-store.ts';
import { logSchema } from './schema.ts';

type Newest = Pick<StoredEvent, 'id' | 'position'>;

/** The log lacks an event that this process has seen. Nothing but a new process helps. */
export class LogSetBack extends StoreAway {
  override name = 'LogSetBack';

  constructor(position: bigint) {
    super(
      `the log lacks the event at position ${position} that this process has seen: Postgres was restored from a backup, or another server took over without the last events`,
    );
  }
}

export type Seen = {
  /** The log has these, in order. */
  note(events: readonly Newest[]): void;
  /** Throws `LogSetBack` where the log that a connection leads to lacks the newest of them. */
  requireIn(client: Pick<ClientBase, 'query'>): Promise<void>;
};

/** `lacks` is told each time that the log lacks something. */
export function createSeen(lacks: (error: LogSetBack) => void = () => {}): Seen {
  let newest: Newest | undefined;
  return {
    note(events) {
      const last = events.at(-1);
      if (last && last.position > (newest?.position ?? 0n)) newest = { id: last.id, position: last.position };
    },
    async requireIn(client) {
      if (!newest) return;
      const { id, position } = newest;
      const { rows } = await client.query<{ id: string }>(
        `select id from ${logSchema}.events where position = $1`,
        [position],
      );
      if (rows[0]?.id === id) return;
      const error = new LogSetBack(position);
      lacks(error);
      throw error;
    },
  };
}
