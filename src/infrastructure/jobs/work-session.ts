/**
 * Whose claims hold. A process claims rows of a table for a while, under the number of its session, on the one
 * connection that the session is. Where the connection ends, however the process ends, so does the session, and what
 * it had claimed is free at once; without that the time of the claim has to run out.
 */
import { byKey, createPool, type Pool, type PoolClient, type Waits } from '../postgres/pool.ts';
import { ofEachProcess } from '../postgres/processes.ts';
import { inTransaction } from '../postgres/transaction.ts';

/** What a crash of Postgres takes back of claims, and of what came of them, is done again. */
export const workSettings = { ...byKey, synchronous_commit: 'off', jit: 'off' } as const;

/** Of the advisory locks that sessions hold; the second number is that of the session. */
const lockSpace = 7412;

export type SessionId = number;
export type Statement = {
  readonly name: string;
  readonly text: string;
  /** Those of the statement, given the session that it claims for. */
  readonly values: (session: SessionId) => readonly unknown[];
};

export type WorkSession = {
  /** Runs a statement that claims rows, one at a time. Begins a session where there is none; throws where there can be none. */
  readonly claim: <Row extends object>(statement: Statement) => Promise<readonly Row[]>;
  /** What is claimed then is free. */
  readonly end: () => Promise<void>;
};

type Open = { readonly id: SessionId; readonly client: PoolClient };

/** Connects when something is claimed for the first time. */
export function openWorkSession(url: string, waits: Waits = {}): WorkSession {
  const pool = createPool({ url, max: 1, name: ofEachProcess.work, settings: workSettings, ...waits });
  let current: Promise<Open> | undefined;
  let isEnded = false;
  const opened = (): Promise<Open> => {
    if (current) return current;
    const opening = begin(pool);
    current = opening;
    const forget = () => {
      if (current === opening) current = undefined;
    };
    opening.then(({ client }) => {
      client.once('end', () => {
        forget();
        if (!isEnded) client.release(true);
      });
    }, forget);
    return opening;
  };
  const run = async <Row extends object>({ name, text, values }: Statement) => {
    const { id, client } = await opened();
    return (await client.query<Row>({ name, text, values: [...values(id)] })).rows;
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    claim<Row extends object>(statement: Statement) {
      const claimed = last.then(() => run<Row>(statement));
      last = claimed.catch(() => undefined);
      return claimed;
    },
    async end() {
      await last;
      const open = await current?.catch(() => undefined);
      isEnded = true;
      open?.client.release(true);
      await pool.end();
    },
  };
}

/** The session shows once its lock is held. */
async function begin(pool: Pool): Promise<Open> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ id: SessionId }>(
      'insert into work_sessions (started_at) values (clock_timestamp()) returning id',
    );
    const id = rows[0]?.id ?? 0;
    await client.query('select pg_advisory_lock($1, $2)', [lockSpace, id]);
    await client.query('commit');
    return { id, client };
  } catch (error) {
    client.release(true);
    throw error;
  }
}

const endedQuery = `
  delete from work_sessions s where not exists (
    select from pg_locks l
    where l.locktype = 'advisory' and l.classid = ${lockSpace} and l.objid = s.id::oid and l.objsubid = 2 and l.granted
      and l.database = (select oid from pg_database where datname = current_database()))
  returning id`;

/**
 * Finds the sessions that have ended and lets `free` free what they had claimed, in one transaction: what fails is
 * found again. Returns how many they were.
 */
export async function freeEndedSessions(
  pool: Pool,
  free: (client: PoolClient, ended: readonly SessionId[]) => Promise<void>,
): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: SessionId }>(endedQuery);
    const ended = rows.map(({ id }) => id);
    if (ended.length > 0) await free(client, ended);
    return ended.length;
  });
}
