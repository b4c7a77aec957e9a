import { byKey, createPool, type Pool } from '../../postgres/pool.ts';
import type { EventStore, Subscription } from '../event-store.ts';
import { follow } from './follow.ts';
import { pagesOf } from './pages.ts';
import { readInBundles } from './read.ts';
import { keepRecent, type Recent } from './recent.ts';
import { logSchema } from './schema.ts';
import { createSeen, type Seen } from './seen.ts';
import { createWakers, type Wakers } from './wakers.ts';

/** What can be asked of a log by whoever may not write to it. */
export type LogReader = Pick<EventStore, 'read' | 'last' | 'subscribeToAll' | 'close'>;

const readersMax = 2;

/**
 * The log in Postgres for a role that may read its table and nothing else: it makes nothing, in transactions that cannot
 * write, and does not hear of what is added. Reads take as long as the role's own bound lets them.
 */
export function postgresLogReader(url: string): LogReader {
  const settings = { ...byKey, default_transaction_read_only: 'on' };
  const readers = createPool({
    url,
    max: readersMax,
    name: 'audit',
    schema: logSchema,
    settings,
    statementMaxMs: 0,
  });
  const { stop, ...reader } = readingOf(readers, keepRecent(), createWakers(), createSeen());
  return {
    ...reader,
    async close() {
      await stop();
      await readers.end();
    },
  };
}

/** What reads by these connections; followers are woken by `wakers`, and take from memory what `recent` has. */
export function readingOf(readers: Pool, recent: Recent, wakers: Wakers, seen: Seen) {
  const subscriptions = new Set<Subscription>();
  const read = readInBundles(readers);
  const next = pagesOf(readers, recent, wakers, seen);
  const reading: Omit<LogReader, 'close'> = {
    async read(stream, from = 0, most = Number.POSITIVE_INFINITY) {
      const events = await read(stream, from, most);
      seen.note(events);
      return events;
    },
    async last() {
      const { rows } = await readers.query<{ last: bigint | null }>(
        `select max(position) as last from ${logSchema}.events`,
      );
      return rows[0]?.last ?? 0n;
    },
    subscribeToAll(options) {
      const subscription = follow(next, recent, wakers, options);
      subscriptions.add(subscription);
      const forget = () => subscriptions.delete(subscription);
      subscription.done.then(forget, forget);
      return subscription;
    },
  };
  /** Ends all subscriptions. */
  const stop = () => Promise.all([...subscriptions].map((subscription) => subscription.stop()));
  return { ...reading, stop };
}

/** How the table of the log looks to the role of an address. */
export async function logAt(url: string): Promise<'readable' | 'closed' | 'none'> {
  const pool = createPool({ url, max: 1, name: 'audit' });
  try {
    const { rows } = await pool.query<{ usable: boolean; there: boolean; readable: boolean }>(
      `select coalesce(has_schema_privilege(n.oid, 'usage'), false) as usable,
         c.oid is not null as there, coalesce(has_table_privilege(c.oid, 'select'), false) as readable
       from (values (1)) as one
       left join pg_namespace n on n.nspname = $1
       left join pg_class c on c.relnamespace = n.oid and c.relname = 'events'`,
      [logSchema],
    );
    const [seen] = rows;
    if (!seen?.there) return 'none';
    return seen.usable && seen.readable ? 'readable' : 'closed';
  } finally {
    await pool.end();
  }
}
