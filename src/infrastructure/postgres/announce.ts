import type { Pool } from './pool.ts';

/** Notifications of one channel are at least this far apart. */
const apartMs = 10;

export type Announcements = {
  /** Tells other processes, at once or with what comes in the next moment: only the last text counts. */
  announce(text: string): void;
  /** Sends what is waiting to be told. */
  stop(): Promise<void>;
};

/**
 * NOTIFY outside of any transaction that somebody waits for, since a commit with a notification takes a lock that all
 * such commits share. A notification that is lost costs its receivers one polling interval.
 */
export function announcements(pool: Pool, channel: string): Announcements {
  let waiting: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sent: Promise<unknown> = Promise.resolve();
  const send = () => {
    timer = undefined;
    if (waiting === undefined) return;
    const text = waiting;
    waiting = undefined;
    sent = pool
      .query({ name: `notify-${channel}`, text: 'select pg_notify($1, $2)', values: [channel, text] })
      .catch(() => undefined);
    timer = setTimeout(send, apartMs);
  };
  return {
    announce(text) {
      waiting = text;
      if (!timer) send();
    },
    async stop() {
      clearTimeout(timer);
      send();
      clearTimeout(timer);
      await sent;
    },
  };
}
