/** Where a comparison runs: one Postgres that counts its statements, and processes on databases of their own in it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { createLog } from '../src/infrastructure/observe/log.ts';
import { freePort, startEmbeddedPostgres } from '../src/infrastructure/postgres/embedded.ts';
import { type Started, start } from './processes.ts';
import { clientId, clientSecret } from './town.ts';

const service = 'src/main.js';

export type Counted = { readonly statements: number; readonly commits: number; readonly bytes: number };

export type Launched = { readonly process: Started; readonly origin: string };

export type Stand = {
  /** Makes a database and returns its URL. */
  database(name: string): Promise<string>;
  /** Statements, commits and bytes of log of a database so far. */
  counted(name: string): Promise<Counted>;
  /** How often each statement was called so far on a database. */
  statements(name: string): Promise<readonly { readonly text: string; readonly calls: number }[]>;
  /** Starts a script of this repository that listens on the port it is given, and waits until it is ready. */
  launch(script: string, env: Readonly<Record<string, string>>, flags?: readonly string[]): Promise<Launched>;
  /** Starts the service on a database, or a script that does. */
  launchService(
    url: string,
    env?: Readonly<Record<string, string>>,
    flags?: readonly string[],
    script?: string,
  ): Promise<Launched>;
  /** Stops what was launched, and leaves nothing behind. */
  close(): Promise<void>;
};

export async function openStand(): Promise<Stand> {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-bench-'));
  const postgres = await startEmbeddedPostgres(join(directory, 'postgres'), createLog('silent'), {
    shared_preload_libraries: 'pg_stat_statements',
  });
  const admin = new pg.Client({ connectionString: postgres.administratorUrl });
  await admin.connect();
  await admin.query('create extension pg_stat_statements');
  const launched: Started[] = [];

  const launch: Stand['launch'] = async (script, env, flags = []) => {
    const port = String(await freePort());
    const log = join(directory, `${basename(script)}.log`);
    const process = await start(script, [], { PORT: port, ...env }, /^ready|is ready/, log, flags);
    launched.push(process);
    return { process, origin: `http://127.0.0.1:${port}` };
  };

  return {
    launch,
    launchService: (url, env = {}, flags = [], script = service) =>
      launch(
        script,
        {
          DATABASE_URL: url,
          DAYBOOK_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
          DAYBOOK_BOOTSTRAP_CLIENT_ID: clientId,
          DAYBOOK_BOOTSTRAP_CLIENT_SECRET: clientSecret,
          DAYBOOK_DATA_DIR: directory,
          DAYBOOK_RATE_LIMIT_LISTS: '0',
          DAYBOOK_CONNECTIONS_PER_ADDRESS: '0',
          ...env,
        },
        flags,
      ),
    async database(name) {
      const url = Object.assign(new URL(postgres.nearUrl), { pathname: `/${name}` });
      await admin.query(`create database ${name} owner ${url.username}`);
      return url.href;
    },
    async counted(name) {
      const { rows } = await admin.query<Record<keyof Counted, string>>(
        `select (select coalesce(sum(s.calls), 0) from pg_stat_statements s where s.dbid = d.oid and s.toplevel) as statements,
           (select coalesce(sum(s.wal_bytes), 0) from pg_stat_statements s where s.dbid = d.oid and s.toplevel) as bytes,
           pg_stat_get_db_xact_commit(d.oid) as commits
         from pg_database d where d.datname = $1`,
        [name],
      );
      const [row] = rows;
      return {
        statements: Number(row?.statements),
        commits: Number(row?.commits),
        bytes: Number(row?.bytes),
      };
    },
    async statements(name) {
      const { rows } = await admin.query<{ text: string; calls: string }>(
        `select s.query as text, s.calls from pg_stat_statements s join pg_database d on d.oid = s.dbid
         where d.datname = $1 and s.toplevel`,
        [name],
      );
      return rows.map(({ text, calls }) => ({ text, calls: Number(calls) }));
    },
    async close() {
      for (const one of launched) await one.stop();
      await admin.end();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
