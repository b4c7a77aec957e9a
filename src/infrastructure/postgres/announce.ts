import { newestEvery } from '../scheduling/newest.ts';
import type { Listening } from './listen.ts';
import type { Pool } from './pool.ts';

/** Notifications of one channel are at least this far apart. */
const apartMs = 10;

export type Announcements = {
  /** Tells other processes, at once or with what comes in the next moment: only the last text counts. */
  announce(text: string): void;
  /** Sends what is waiting to be told. */
  stop(): Promise<void>;
};

/** Tells a channel ($1) the text that is given ($2). */
const asGiven = 'select pg_notify($1, $2)';

/**
 * NOTIFY outside of any transaction that somebody waits for, since a commit with a notification takes a lock that all
 * such commits share; and not at all where nobody else listens. A notification that is lost costs its receivers one
 * polling interval. `statement` is for what holds of a server, which may be another one by the time that it is told.
 */
export function announcements(
  pool: Pool,
  channel: string,
  listening: Pick<Listening, 'isAlone' | 'onNewcomer'>,
  statement = asGiven,
): Announcements {
  let newest: string | undefined;
  const notify = (text: string) =>
    pool
      .query({ name: `notify-${channel}`, text: statement, values: [channel, text] })
      .catch(() => undefined);
  const { give, close } = newestEvery(apartMs, notify);
  // Whoever comes may have begun to listen before it was known to: what was not told meanwhile is told now.
  const forget = listening.onNewcomer(() => {
    if (newest !== undefined) give(newest);
  });
  return {
    announce(text) {
      newest = text;
      if (!listening.isAlone(channel)) give(text);
    },
    stop() {
      forget();
      return close();
    },
  };
}
