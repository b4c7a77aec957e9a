import type pg from 'pg';
import type { Log } from '../observe/log.ts';
import { createClient } from './pool.ts';

const retryMs = 500;

/** Told what a notification says; nothing when the connection is a new one. */
export type Wake = (payload: string | undefined) => void;

export type Listening = {
  /**
   * Calls `wake` for every NOTIFY on `channel`, and once after each (re)connection, since notifications sent while the
   * connection was down are lost. Returns what ends it.
   */
  on(channel: string, wake: Wake): () => void;
  stop(): Promise<void>;
};

/** One connection for all channels that a process listens on. Reconnects until stopped. */
export function openListening(url: string, log: Log): Listening {
  const channels = new Map<string, Set<Wake>>();
  let stopped = false;
  let client: pg.Client | undefined;
  let isConnected = false;
  let timer: NodeJS.Timeout | undefined;

  const wakeAll = (channel: string, payload?: string) => {
    for (const wake of channels.get(channel) ?? []) wake(payload);
  };
  const hear = async (by: pg.Client, channel: string) => {
    await by.query(`listen ${by.escapeIdentifier(channel)}`);
    wakeAll(channel);
  };
  const connect = async () => {
    if (stopped) return;
    const next = createClient(url, 'listen');
    client = next;
    next.once('end', retry);
    next.on('notification', ({ channel, payload }) => wakeAll(channel, payload));
    try {
      await next.connect();
      isConnected = true;
      for (const channel of channels.keys()) await hear(next, channel);
    } catch (error) {
      if (!stopped) log.warn({ err: error }, 'cannot listen; trying again');
      await next.end().catch(() => undefined);
      retry();
    }
  };
  const retry = () => {
    isConnected = false;
    if (stopped || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      void connect();
    }, retryMs);
  };
  const started = connect();

  return {
    on(channel, wake) {
      const others = channels.get(channel);
      channels.set(channel, new Set([...(others ?? []), wake]));
      // Where the connection breaks over this, the next one listens to all.
      if (isConnected && client) hear(client, channel).catch(() => undefined);
      return () => void channels.get(channel)?.delete(wake);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await started;
      client?.removeListener('end', retry);
      await client?.end().catch(() => undefined);
    },
  };
}
