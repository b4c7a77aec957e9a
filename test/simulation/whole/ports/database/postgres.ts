/**
 * One Postgres for many lives; each has a database of its own, copied from one in which the service has started before. It
 * is reached by a socket in its folder, without a password: thousands of statements are sent in a life, on dozens of
 * connections.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createLog } from '../../../../../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../../../../../src/infrastructure/postgres/embedded.ts';

/** Who has waited so long for a lock looks once whether there is a deadlock, and is the one that is refused then. */
const deadlockMs = 5;

/** What is in it is thrown away: nothing waits for a disk. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  deadlock_timeout: `${deadlockMs}ms`,
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '200',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
};

export type Server = {
  /** Makes a database, from another one where it is named. Returns the address for the service's role. */
  readonly create: (name: string, template?: string) => Promise<string>;
  readonly drop: (name: string) => Promise<void>;
  readonly control: (name: string, now: () => number) => Promise<Control>;
  readonly stop: () => Promise<void>;
};

export type Control = {
  /** Whether the statement of this server process waits for another transaction, and will go on waiting. */
  readonly isBlocked: (pid: number) => Promise<boolean>;
  /** Ends these server processes, and returns when they are gone. */
  readonly endAll: (pids: readonly number[]) => Promise<void>;
  /** How far the log goes. */
  readonly logEnd: () => Promise<bigint>;
  /** How many events of a type are in the log. */
  readonly countOf: (type: string) => Promise<number>;
  /** Something was appended. */
  readonly logGrew: () => void;
  /** Has the server's clock show the time of the life. */
  readonly showTime: () => Promise<void>;
  readonly rows: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;
  readonly end: () => Promise<void>;
};

export async function startServer(): Promise<Server> {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-simulation-'));
  const hba = join(directory, 'everybody');
  await writeFile(hba, 'local all all trust\nhost all all 127.0.0.1/32 trust\n');
  const postgres = await startEmbeddedPostgres(join(directory, 'postgres'), createLog('silent'), {
    ...settings,
    hba_file: hba,
    unix_socket_directories: directory,
  });
  const administrator = new pg.Client({ connectionString: postgres.administratorUrl });
  await administrator.connect();
  const addressOf = (of: string, name: string) =>
    Object.assign(new URL(of), { pathname: `/${name}`, search: `?host=${directory}` }).href;
  return {
    async create(name, template) {
      const { username } = new URL(postgres.url);
      const from = template ? ` template ${template} strategy file_copy` : '';
      await administrator.query(`create database ${name} owner ${username}${from}`);
      return addressOf(postgres.url, name);
    },
    drop: async (name) => void (await administrator.query(`drop database ${name} with (force)`)),
    control: (name, now) => openControl(addressOf(postgres.administratorUrl, name), now),
    async stop() {
      await administrator.end();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function openControl(url: string, now: () => number): Promise<Control> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    create schema if not exists simulation;
    grant usage on schema simulation to public;
    create table if not exists simulation.time (at timestamptz not null);
    grant select on simulation.time to public;
    create or replace function simulation.clock() returns timestamptz language sql volatile as
      'select at from simulation.time';
    truncate simulation.time; insert into simulation.time values ('epoch')`);
  let shown = 0;
  let end: bigint | undefined;
  const rows = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
    (await client.query<Row>(text, values)).rows;
  return {
    rows,
    async isBlocked(pid) {
      // Who lets go of a lock notes there who has it next, before that one wakes up. Of two that wait for each other the second
      // is to be refused, however late the first came to wait: so that one has looked before anything else goes on.
      const waits = `select from pg_locks where pid = $1 and not granted
        and waitstart < clock_timestamp() - ${3 * deadlockMs} * interval '1 millisecond'`;
      return (await rows(waits, [pid])).length > 0;
    },
    async endAll(pids) {
      const values = [[...pids]];
      await rows('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', values);
      while ((await rows('select from pg_stat_activity where pid = any($1::int[])', values)).length > 0);
    },
    async logEnd() {
      if (end === undefined) {
        const [found] = await rows<{ last: string }>(
          'select coalesce(max(position), 0)::text as last from daybook_log.events',
        );
        end = BigInt(found?.last ?? 0);
      }
      return end;
    },
    async countOf(type) {
      const [found] = await rows<{ n: number }>(
        'select count(*)::int as n from daybook_log.events where type = $1',
        [type],
      );
      return found?.n ?? 0;
    },
    logGrew() {
      end = undefined;
    },
    async showTime() {
      if (shown === now()) return;
      shown = now();
      await rows('update simulation.time set at = $1', [new Date(shown).toISOString()]);
    },
    end: () => client.end(),
  };
}
