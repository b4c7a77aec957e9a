import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import { query } from '../postgres/database.ts';
import { patienceMs } from '../time/patience.ts';

/** A connection of the test's own, closed when the test ends. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
}

/** Appends one event to a new stream on the given connection, in whatever transaction it is in. Returns its id. */
export async function appendOn(client: pg.Client): Promise<string> {
  const id = randomUUID();
  const values = [[`raw-${id}`], [-1], false, [0], [0], [id], ['Noted'], '[{}]', '[{}]'];
  await client.query('select * from daybook_log.append_events($1, $2, $3, $4, $5, $6, $7, $8, $9)', values);
  await client.query("select pg_notify('daybook_log', '')");
  return id;
}

/** With the last moment of what is appended. */
export const appendFunction =
  'daybook_log.append_events(text[],bigint[],boolean,int[],bigint[],uuid[],text[],jsonb,jsonb,timestamptz)';
const lockLine = /perform pg_advisory_xact_lock\([^;]*;/;
const headLine = /select coalesce\(max\(e\.position\), 0\) into head from [^;]*;/;

/** Replaces `append_events` by a copy without its lock; positions come from `head`, SQL for the position before the next. */
export async function unlockAppend(url: string, head?: string): Promise<void> {
  const [row] = await query<{ source: string }>(
    url,
    'select pg_get_functiondef($1::regprocedure) as source',
    [appendFunction],
  );
  const source = row?.source ?? '';
  if (!lockLine.test(source) || !headLine.test(source))
    throw new Error('append is not as this test knows it');
  const unlocked = source.replace(lockLine, '');
  await query(url, head ? unlocked.replace(headLine, `select ${head} into head;`) : unlocked);
}

/** The backends of this database that have the application name, and wait for a lock where that is asked for. */
export async function backends(
  url: string,
  application: string,
  isWaiting = false,
): Promise<readonly number[]> {
  const rows = await query<{ pid: number }>(
    url,
    `select pid from pg_stat_activity where datname = current_database() and application_name = $1
       and (not $2 or wait_event_type = 'Lock')`,
    [application, isWaiting],
  );
  return rows.map(({ pid }) => pid);
}

export const terminate = async (url: string, pids: readonly number[]): Promise<void> =>
  void (await query(url, 'select pg_terminate_backend(pid) from unnest($1::int[]) as t (pid)', [pids]));

export const untilSome = (find: () => Promise<readonly number[]>): Promise<readonly number[]> =>
  vi.waitFor(
    async () => {
      const found = await find();
      if (found.length === 0) throw new Error('no such backend yet');
      return found;
    },
    { timeout: patienceMs, interval: 20 },
  );
