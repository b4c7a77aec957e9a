import type { Log } from '../observe/log.ts';
import { createClient } from '../postgres/pool.ts';

const retryMs = 1_000;

/**
 * Runs `work` while this process, and no other on the same database, holds the lease `name`. The lease is an advisory
 * lock: it ends with the connection, however the process ends. `work` gets a signal that fires when the lease is lost
 * or given up, and must end soon after.
 */
export function holdLease(
  url: string,
  name: string,
  log: Log,
  work: (signal: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  const stopping = new AbortController();

  const term = async () => {
    const client = createClient(url, `lease-${name}`);
    const lost = new AbortController();
    client.once('end', () => lost.abort());
    try {
      await client.connect();
      const { rows } = await client.query<{ held: boolean }>(
        'select pg_try_advisory_lock(hashtext($1)) as held',
        [`daybook-lease-${name}`],
      );
      if (rows[0]?.held) await work(AbortSignal.any([stopping.signal, lost.signal]));
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      await term().catch((error) => log.error({ err: error, lease: name }, 'interrupted; trying again'));
      await pause(retryMs, stopping.signal);
    }
  };
  const done = run();

  return {
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

/** Resolves after `ms`, or at once when the signal fires. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
