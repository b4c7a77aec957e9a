import type { Log } from '../../observe/log.ts';
import { announcements } from '../../postgres/announce.ts';
import { type Listening, openListening } from '../../postgres/listen.ts';
import { byKey, createPool, type Waits } from '../../postgres/pool.ts';
import { ofEachProcess } from '../../postgres/processes.ts';
import { once } from '../../scheduling/once.ts';
import type { EventStore } from '../event-store.ts';
import { appendInGroups } from './append.ts';
import { readingOf } from './reader.ts';
import { keepRecent } from './recent.ts';
import { logChannel, logSchema, migrateLog } from './schema.ts';
import { createSeen, type Seen } from './seen.ts';
import { createWakers } from './wakers.ts';

/** One connection writes; the others read streams and pages. */
const readersMax = 2;

type Shared = {
  /** The caller's, where there is one: it is left open. */
  readonly listening?: Listening | undefined;
  readonly waits?: Waits | undefined;
  /** Told of all events that this process has seen. */
  readonly seen?: Seen | undefined;
};

/** The log in one append-only Postgres table. */
export async function postgresEventStore(
  url: string,
  log: Log,
  { listening, waits = {}, seen = createSeen() }: Shared = {},
): Promise<EventStore> {
  await migrateLog(url);
  const writer = createPool({
    url,
    max: 1,
    name: ofEachProcess.writer,
    schema: logSchema,
    settings: byKey,
    ...waits,
  });
  const readers = createPool({
    url,
    max: readersMax,
    name: 'log-reader',
    schema: logSchema,
    settings: byKey,
    ...waits,
  });
  const recent = keepRecent();
  const heardBy = listening ?? openListening(url, log);
  const heard = (position: string | undefined) => {
    if (!position) wakers.wakeAll(false);
    // What this process has written itself its followers know already.
    else if (recent.hear(BigInt(position))) wakers.wakeAll(true);
  };
  // Where nobody follows the log, nobody needs to hear of it.
  const wakers = createWakers(() => heardBy.on(logChannel, heard));
  const others = announcements(readers, logChannel, heardBy);
  const append = appendInGroups(writer, (events, bytes) => {
    seen.note(events);
    recent.add(events, bytes);
    wakers.wakeAll(true);
    others.announce(`${events.at(-1)?.position}`);
  });
  const { stop, ...reading } = readingOf(readers, recent, wakers, seen);

  return {
    append: (stream, expected, events, proviso) =>
      new Promise((resolve, reject) => append({ stream, expected, events, proviso, resolve, reject })),
    ...reading,
    close: once(async () => {
      await stop();
      if (!listening) await heardBy.stop();
      await others.stop();
      await Promise.all([writer.end(), readers.end()]);
    }),
  };
}
