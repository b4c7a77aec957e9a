import type pg from 'pg';
import type { Log } from '../observe/log.ts';
import { booksSchema, createClient } from '../postgres/pool.ts';

const retryMs = 1_000;
const renewMs = 1_500;
/** Connecting and each statement on the lease's own connection. */
const answerMaxMs = 2_500;
/** A lease that was not renewed for so long is anybody's: its holder is stopped, or on the far side of a cut. */
export const leaseMs = 5_000;

/** The time of one holder. */
export type Term = {
  /** Fires when the lease is lost or given up; the work must end soon after. */
  readonly signal: AbortSignal;
  /**
   * Larger than that of every term before. Whoever writes in the name of the lease writes where no larger one was seen,
   * so a holder that was stopped and comes back changes nothing.
   */
  readonly token: bigint;
  /** By this process' own clock: false for one that was stopped for too long, before the signal has fired. */
  readonly isHeld: () => boolean;
};

/**
 * Runs `work` while this process, and no other on the same database, holds the lease `name`. A lease is a row: it is
 * free when the connection of its holder is gone, or when it was not renewed for `leaseMs`. So it passes on at once from
 * a process that ended, and within seconds from one that is stopped or cannot be reached. Times are those of the server.
 */
export function holdLease(
  url: string,
  name: string,
  log: Log,
  work: (term: Term) => Promise<void>,
): { stop(): Promise<void> } {
  const stopping = new AbortController();

  const term = async () => {
    const client = createClient(url, applicationOf(name), answerMaxMs);
    const lost = new AbortController();
    client.once('end', () => lost.abort());
    try {
      await client.connect();
      let renewedAt = performance.now();
      const token = await take(client, name);
      if (token === undefined) return;
      const isHeld = () => !lost.signal.aborted && performance.now() - renewedAt < leaseMs;
      const renewing = keepRenewing(client, name, token, lost, (at) => {
        renewedAt = at;
      });
      await work({ token, isHeld, signal: AbortSignal.any([stopping.signal, lost.signal]) }).finally(() =>
        lost.abort(),
      );
      await renewing;
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

const applicationOf = (name: string) => `lease-${name}`;

/** The token of the term that begins, or `undefined` while somebody else holds the lease. */
async function take(client: pg.Client, name: string): Promise<bigint | undefined> {
  const table = `${booksSchema}.leases`;
  await client.query(`insert into ${table} (name) values ($1) on conflict do nothing`, [name]);
  const { rows } = await client.query<{ token: bigint }>(
    `update ${table} as l set token = l.token + 1, pid = pg_backend_pid(), renewed_at = clock_timestamp()
     where l.name = $1 and (
       l.renewed_at not between clock_timestamp() - $2 * interval '1 millisecond' and clock_timestamp() + $2 * interval '1 millisecond'
       or not exists (
         select from pg_stat_activity a
         where a.pid = l.pid and a.pid <> pg_backend_pid() and a.datname = current_database() and a.application_name = $3))
     returning token`,
    [name, leaseMs, `daybook-${applicationOf(name)}`],
  );
  // A token must never be given out twice; that a renewal is lost in a crash of Postgres does no harm.
  if (rows[0]) await client.query('set synchronous_commit = off');
  return rows[0]?.token;
}

/** Until the lease is lost, which this says, or the term is over. */
async function keepRenewing(
  client: pg.Client,
  name: string,
  token: bigint,
  lost: AbortController,
  renewed: (at: number) => void,
): Promise<void> {
  for (;;) {
    await pause(renewMs, lost.signal);
    if (lost.signal.aborted) return;
    const asked = performance.now();
    const isMine = await client
      .query(
        `update ${booksSchema}.leases set renewed_at = clock_timestamp() where name = $1 and token = $2`,
        [name, token],
      )
      .then(
        ({ rowCount }) => rowCount === 1,
        () => false,
      );
    if (!isMine) return lost.abort();
    renewed(asked);
  }
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
