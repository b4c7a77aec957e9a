import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../../src/app/parts/clock.ts';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../../../src/infrastructure/postgres/embedded.ts';

/** Many services share the server, some of them several processes with a hundred open requests. */
const connectionsMax = 1_000;

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the role that services have: no superuser. */
    postgresUrl: string;
    /** Of a superuser, who makes databases and roles. */
    administratorUrl: string;
    /** The name of a database that has the tables of the service, and nothing in them. */
    tablesTemplate: string;
  }
}

/** One Postgres server for all test files of a project; each test service makes a database of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-test-'));
  const postgres = await startEmbeddedPostgres(join(directory, 'postgres'), createLog('silent'), {
    max_connections: String(connectionsMax),
    max_wal_size: '256MB',
    min_wal_size: '80MB',
  });
  project.provide('postgresUrl', postgres.url);
  project.provide('administratorUrl', postgres.administratorUrl);
  project.provide('tablesTemplate', await createTemplate(postgres));
  return async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
}

async function createTemplate({ url, administratorUrl }: { url: string; administratorUrl: string }) {
  const name = 'tables';
  const client = new pg.Client({ connectionString: administratorUrl });
  await client.connect();
  await client.query(`create database ${name} owner ${new URL(url).username}`);
  await migrate(Object.assign(new URL(url), { pathname: `/${name}` }).href);
  await client.end();
  return name;
}
