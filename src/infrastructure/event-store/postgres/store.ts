import type { Log } from '../../observe/log.ts';
import { announcements } from '../../postgres/announce.ts';
import { type Listening, openListening } from '../../postgres/listen.ts';
import { byKey, createPool } from '../../postgres/pool.ts';
import type { EventStore, Subscription } from '../event-store.ts';
import { appendInGroups } from './append.ts';
import { follow } from './follow.ts';
import { readInBundles } from './read.ts';
import { keepRecent } from './recent.ts';
import { logChannel, logSchema, migrateLog } from './schema.ts';

/** One connection writes; the others read streams and pages. */
const readersMax = 2;

/** The log in one append-only Postgres table. `listening` is the caller's, where there is one, and left open. */
export async function postgresEventStore(url: string, log: Log, listening?: Listening): Promise<EventStore> {
  await migrateLog(url);
  const writer = createPool({ url, max: 1, name: 'log', schema: logSchema, settings: byKey });
  const readers = createPool({
    url,
    max: readersMax,
    name: 'log-reader',
    schema: logSchema,
    settings: byKey,
  });
  const wakers = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of wakers) wake();
  };
  const recent = keepRecent();
  const heard = (position: string | undefined) => {
    // What this process has written itself its followers know already.
    if (!position || !recent.has(BigInt(position))) wakeAll();
  };
  const heardBy = listening ?? openListening(url, log);
  const others = announcements(readers, logChannel, heardBy);
  const deafen = heardBy.on(logChannel, heard);
  const subscriptions = new Set<Subscription>();
  const append = appendInGroups(writer, (events, bytes) => {
    recent.add(events, bytes);
    wakeAll();
    others.announce(`${events.at(-1)?.position}`);
  });
  const read = readInBundles(readers);
  let closed: Promise<void> | undefined;

  return {
    append: (stream, expected, events) =>
      new Promise((resolve, reject) => append({ stream, expected, events, resolve, reject })),
    read: (stream, from = 0, most = Number.POSITIVE_INFINITY) => read(stream, from, most),
    async last() {
      const { rows } = await readers.query<{ last: bigint | null }>(
        `select max(position) as last from ${logSchema}.events`,
      );
      return rows[0]?.last ?? 0n;
    },
    subscribeToAll(options) {
      const subscription = follow(readers, recent, wakers, options);
      subscriptions.add(subscription);
      const forget = () => subscriptions.delete(subscription);
      subscription.done.then(forget, forget);
      return subscription;
    },
    close() {
      closed ??= (async () => {
        await Promise.all([...subscriptions].map((subscription) => subscription.stop()));
        deafen();
        if (!listening) await heardBy.stop();
        await others.stop();
        await Promise.all([writer.end(), readers.end()]);
      })();
      return closed;
    },
  };
}
