/** The one connection on which a process holds its leases: it renews them together, and they end with it. */
import { type Ask, oneByOne } from '../postgres/one-by-one.ts';
import { applicationName, booksSchema, createClient } from '../postgres/pool.ts';
import { ofEachProcess } from '../postgres/processes.ts';
import { pause } from './pause.ts';

const renewMs = 1_500;
/** Connecting, and each statement. */
const answerMaxMs = 2_500;
/** A lease that was not renewed for so long is anybody's: its holder is stopped, or on the far side of a cut. */
export const leaseMs = 5_000;
const application = ofEachProcess.leases;
const table = `${booksSchema}.leases`;

export type Held = {
  readonly token: bigint;
  /** Fires when somebody else has the lease, or the connection is gone. */
  readonly lost: AbortSignal;
  /** By this process' own clock. */
  readonly isHeld: () => boolean;
  /** Lets the next one have it. */
  readonly release: () => Promise<void>;
};

export type Line = {
  /** `undefined` while somebody else holds the lease. */
  readonly take: (name: string) => Promise<Held | undefined>;
  readonly close: () => Promise<void>;
};

export type LineTimes = { readonly leaseMs: number; readonly answerMaxMs: number };
const usualTimes: LineTimes = { leaseMs, answerMaxMs };

type Entry = { readonly token: bigint; readonly lost: AbortController; renewedAt: number };

/** Throws where the server cannot be reached. `ended` is called when the connection is gone, however that came. */
export async function openLine(url: string, ended: () => void, times = usualTimes): Promise<Line> {
  const client = createClient(url, application, times.answerMaxMs);
  const over = new AbortController();
  const entries = new Map<string, Entry>();
  const known = new Set<string>();
  const end = () => {
    over.abort();
    ended();
    for (const { lost } of entries.values()) lost.abort();
    entries.clear();
  };
  const close = async () => {
    end();
    await client.end().catch(() => undefined);
  };
  client.once('end', end);
  await client.connect().catch(async (error) => {
    await close();
    throw error;
  });
  const ask = oneByOne(client);
  void keepRenewing(ask, entries, over.signal).catch(close);

  return {
    async take(name) {
      const renewedAt = performance.now();
      const token = await takeLease(ask, known, name, times);
      if (token === undefined) return undefined;
      const lost = new AbortController();
      const entry: Entry = { token, lost, renewedAt };
      if (over.signal.aborted) lost.abort();
      else entries.set(name, entry);
      return {
        token,
        lost: lost.signal,
        isHeld: () => !lost.signal.aborted && performance.now() - entry.renewedAt < times.leaseMs,
        async release() {
          if (lost.signal.aborted) return;
          entries.delete(name);
          lost.abort();
          await ask(releaseQuery, [name, token]);
        },
      };
    },
    close,
  };
}

/** Until the connection ends. Throws when it does not answer in time. */
async function keepRenewing(ask: Ask, entries: Map<string, Entry>, over: AbortSignal): Promise<void> {
  for (;;) {
    await pause(renewMs, over);
    if (over.aborted) return;
    const asked = performance.now();
    const held = [...entries];
    if (held.length === 0) continue;
    const values = [held.map(([name]) => name), held.map(([, { token }]) => token)];
    const { rows } = await ask<{ name: string }>(renewQuery, values);
    const renewed = new Set(rows.map(({ name }) => name));
    for (const [name, entry] of held) {
      if (renewed.has(name)) entry.renewedAt = asked;
      else {
        entry.lost.abort();
        if (entries.get(name) === entry) entries.delete(name);
      }
    }
  }
}

/** That one of these is lost in a crash of Postgres does no harm: so they do not wait for the disk. */
const renewQuery = `
  update ${table} as l set renewed_at = clock_timestamp()
  from (select set_config('synchronous_commit', 'off', true) as mode) as quick,
    unnest($1::text[], $2::bigint[]) as held (name, token)
  where l.name = held.name and l.token = held.token and quick.mode = 'off'
  returning l.name`;

const releaseQuery = `update ${table} set pid = null where name = $1 and token = $2`;

/** Free where it was not renewed, or where the connection of its holder is gone; former versions had one for each lease. */
const takeQuery = `
  update ${table} as l set token = l.token + 1, pid = pg_backend_pid(), renewed_at = clock_timestamp()
  where l.name = $1 and (
    l.renewed_at not between clock_timestamp() - $2 * interval '1 millisecond' and clock_timestamp() + $2 * interval '1 millisecond'
    or not exists (
      select from pg_stat_activity a
      where a.pid = l.pid and a.pid <> pg_backend_pid() and a.datname = current_database()
        and a.application_name in ($3, 'daybook-lease-' || $1)))
  returning token`;

/** A token must never be given out twice: its commit waits for the disk. `known` has the names whose rows are there. */
async function takeLease(
  ask: Ask,
  known: Set<string>,
  name: string,
  times: LineTimes,
): Promise<bigint | undefined> {
  if (!known.has(name)) await ask(`insert into ${table} (name) values ($1) on conflict do nothing`, [name]);
  known.add(name);
  const values = [name, times.leaseMs, applicationName(application)];
  return (await ask<{ token: bigint }>(takeQuery, values)).rows[0]?.token;
}
