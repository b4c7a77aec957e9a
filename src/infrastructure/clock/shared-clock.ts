/**
 * One clock for all processes of an installation: that of its Postgres server, read every other second and carried on
 * in between by the monotonic clock of the process, which nobody sets. What the host says that the time is does not
 * count. Where the server's clock jumps, the first process to see it records a correction for all of them.
 */
import { uptime } from 'node:os';
import type { Pool } from 'pg';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import type { Log } from '../observe/log.ts';
import { booksSchema } from '../postgres/pool.ts';
import { NotWhole } from '../postgres/whole.ts';
import { type Correction, correctionTo, longestMs, noCorrection, timeAt } from './correction.ts';
import { type Compared, hostClockWatch } from './host-clock.ts';

export const readEveryMs = 2_000;
/** What the server's clock may be off from one reading to the next, beside the time that the reading took. */
const toleranceMs = 1_000;
/** The server's time is noted for the others when the last note is older. */
const noteAfterMs = 5_000;
/** A note that is younger says that another process finds the server's time in order. */
const freshMs = 15_000;
/** Readings of one turn, when another process records at the same moment. */
const attemptsMax = 5;

type Queries = Pick<Pool, 'query'>;

/** How the time passes in this process. */
export type Elapsing = {
  /** Does not go back. */
  readonly monotonicMs: () => number;
  /** Neither does this, and it goes on while the host is suspended. */
  readonly uptimeMs: () => number;
  /** What the host says that the time is. */
  readonly hostMs: () => number;
};

export type SharedClock = Clock & {
  /** Reads the server's clock; until the first time it is that of the host. Throws where the server is away. */
  readonly read: (pool: Queries) => Promise<void>;
};

type Base = { readonly serverMs: number; readonly atMs: number; readonly uptimeMs: number };
type Reading = Base & Compared & { readonly row: Row };
type Row = Correction & { readonly version: number; readonly notedMs: number | null };

const ofThisProcess: Elapsing = {
  monotonicMs: () => performance.now(),
  uptimeMs: () => uptime() * 1_000,
  hostMs: () => systemClock.now().getTime(),
};

export function createSharedClock(log: Log, elapsing: Elapsing = ofThisProcess): SharedClock {
  const { monotonicMs, uptimeMs, hostMs } = elapsing;
  const compare = hostClockWatch(log);
  let base: Base = { serverMs: hostMs(), atMs: monotonicMs(), uptimeMs: uptimeMs() };
  let correction = noCorrection;
  let isRead = false;
  let lastMs = 0;

  const serverTime = (atMs: number) => base.serverMs + atMs - base.atMs;
  const accept = ({ serverMs, atMs, uptimeMs, row }: Reading) => {
    base = { serverMs, atMs, uptimeMs };
    correction = row;
    isRead = true;
  };
  /** What the server's clock should show by what has passed here since the last reading. */
  const expected = ({ atMs, uptimeMs }: Reading): number => {
    const passed = atMs - base.atMs;
    const suspended = uptimeMs - base.uptimeMs - passed;
    return base.serverMs + passed + (suspended > toleranceMs ? suspended : 0);
  };
  /** What is to be recorded where time would jump with the server's clock; `undefined` where it does not. */
  const corrected = (reading: Reading): Correction | undefined => {
    const { serverMs, doubtMs, row } = reading;
    const { notedMs } = row;
    if (!isRead) {
      // The server's clock was put back while no process ran: time does not go back with it.
      const notedTime = notedMs === null ? 0 : timeAt(row, notedMs);
      return timeAt(row, serverMs) < notedTime ? correctionTo(notedTime, serverMs) : undefined;
    }
    const should = expected(reading);
    if (Math.abs(serverMs - should) <= toleranceMs + doubtMs) return undefined;
    const isInOrder = notedMs !== null && Math.abs(serverMs - notedMs) <= freshMs;
    return isInOrder ? undefined : correctionTo(timeAt(correction, should), serverMs);
  };

  const readOnce = async (pool: Queries): Promise<boolean> => {
    const reading = await readServer(pool, elapsing);
    const { serverMs, doubtMs, row } = reading;
    compare(reading);
    // One that had to wait says too little: time goes on as it did.
    if (isRead && doubtMs > toleranceMs) return true;
    const jump = corrected(reading);
    const isNoted = row.notedMs !== null && Math.abs(serverMs - row.notedMs) <= noteAfterMs;
    if (jump || !isNoted) {
      const { aheadMs, sinceMs } = jump ?? row;
      const next = { aheadMs, sinceMs, version: row.version + 1, notedMs: serverMs };
      if (!(await record(pool, next))) return false;
      accept({ ...reading, row: next });
    } else accept(reading);
    if (jump) log.warn({ aheadMs: Math.round(jump.aheadMs) }, "the database server's clock has jumped");
    // A clock that was never right is followed at once, whichever process has recorded that.
    if (lastMs - timeAt(correction, base.serverMs) > longestMs / 2) lastMs = 0;
    return true;
  };

  return {
    now() {
      const timeMs = timeAt(correction, serverTime(monotonicMs()));
      lastMs = Math.max(lastMs, Math.floor(timeMs));
      return new Date(lastMs);
    },
    async read(pool) {
      if (!isRead) lastMs = 0;
      for (let attempt = 0; attempt < attemptsMax; attempt++) if (await readOnce(pool)) return;
    },
  };
}

type Selected = {
  readonly server: string;
  readonly ahead: string;
  readonly since: string;
  readonly noted: string | null;
  readonly version: number;
};

const milliseconds = (moment: string) => `(extract(epoch from ${moment}) * 1000)::text`;

async function readServer(pool: Queries, { monotonicMs, uptimeMs, hostMs }: Elapsing): Promise<Reading> {
  const askedMs = monotonicMs();
  const { rows } = await pool.query<Selected>({
    name: 'read-clock',
    text: `select ${milliseconds('clock_timestamp()')} as server, ahead_ms::text as ahead, since_ms::text as since,
        noted_ms::text as noted, version
      from ${booksSchema}.clock`,
  });
  const doubtMs = monotonicMs() - askedMs;
  const [row] = rows;
  if (!row) throw new NotWhole(`the table ${booksSchema}.clock is empty`);
  return {
    serverMs: Number(row.server),
    atMs: askedMs + doubtMs / 2,
    uptimeMs: uptimeMs(),
    hostMs: hostMs() - doubtMs / 2,
    doubtMs,
    row: {
      aheadMs: Number(row.ahead),
      sinceMs: Number(row.since),
      notedMs: row.noted === null ? null : Number(row.noted),
      version: row.version,
    },
  };
}

/** False where another process has recorded something since the row was read. */
async function record(pool: Queries, { aheadMs, sinceMs, version, notedMs }: Row): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'record-clock',
    text: `update ${booksSchema}.clock set ahead_ms = $1, since_ms = $2, noted_ms = $3, version = $4
      where version = $4 - 1`,
    values: [aheadMs, sinceMs, notedMs, version],
  });
  return rowCount === 1;
}
