import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../../src/infrastructure/postgres/embedded.ts';

/** Many services share the server, some of them several processes with a hundred open requests. */
const connectionsMax = 1_000;

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the role that services have: no superuser. */
    postgresUrl: string;
    /** Of a superuser, who makes databases and roles. */
    administratorUrl: string;
  }
}

/** One Postgres server for all test files of a project; each test service makes a database of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-test-'));
  const postgres = await startEmbeddedPostgres(join(directory, 'postgres'), createLog('silent'), {
    max_connections: String(connectionsMax),
  });
  project.provide('postgresUrl', postgres.url);
  project.provide('administratorUrl', postgres.administratorUrl);
  return async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
}
