import type pg from 'pg';
import type { Log } from '../observe/log.ts';
import { createClient } from './pool.ts';

const retryMs = 500;

export type Listener = { stop(): Promise<void> };

/**
 * Calls `wake` for every NOTIFY on `channel`, and once after each (re)connection, since notifications sent while
 * the connection was down are lost. Reconnects until stopped.
 */
export function listen(
  url: string,
  channel: string,
  wake: (payload: string | undefined) => void,
  log: Log,
): Listener {
  let stopped = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const connect = async () => {
    if (stopped) return;
    const next = createClient(url, `listen-${channel}`);
    client = next;
    next.once('end', retry);
    next.on('notification', (message) => wake(message.payload));
    try {
      await next.connect();
      await next.query(`listen ${next.escapeIdentifier(channel)}`);
      wake(undefined);
    } catch (error) {
      if (!stopped) log.warn({ err: error, channel }, 'cannot listen; trying again');
      await next.end().catch(() => undefined);
      retry();
    }
  };
  const retry = () => {
    if (stopped || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      void connect();
    }, retryMs);
  };
  const started = connect();

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await started;
      client?.removeListener('end', retry);
      await client?.end().catch(() => undefined);
    },
  };
}
