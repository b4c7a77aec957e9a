/**
 * With the log elsewhere, Postgres may come back without what it had last: it was restored from a backup, or another server
 * took over without the last commits. The log has what was done then, and whoever follows it makes the rows again.
 */
import type { ClientBase } from 'pg';
import type { EventStore } from './event-store.ts';

/** Whatever rested on the server that is gone has ended by then: a request has ten seconds. */
const endedAfterMs = 60_000;

export type LostRows = {
  /** Up to this position of the log, rows that follow from it may be lost that nobody reads again; 0 where none can be. */
  until(): bigint;
  /** Whether rows of what the log has at this position may be lost. */
  mayBeOf(position: bigint): boolean;
  /** Asks whether a connection leads to another server than the ones before it. */
  askNew(client: Pick<ClientBase, 'query'>): Promise<void>;
};

const serverQuery = 'select pg_postmaster_start_time()::text as server';

/** What was lost before a process began is as lost as what a server takes with it later. */
export function createLostRows(
  { last }: Pick<EventStore, 'last'>,
  nowMs: () => number = () => performance.now(),
): LostRows {
  let [until, noticedMs] = [0n, Number.NEGATIVE_INFINITY];
  let known: string | undefined;
  return {
    until: () => until,
    mayBeOf: (position) => position <= until || nowMs() - noticedMs < endedAfterMs,
    async askNew(client) {
      const { rows } = await client.query<{ server: string }>(serverQuery);
      const server = rows[0]?.server;
      if (server === known) return;
      const end = await last();
      if (end > until) until = end;
      noticedMs = nowMs();
      known = server;
    },
  };
}
