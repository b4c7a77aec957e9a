/** How a service of @daybook/testing begins and ends, and who uses its Postgres. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDaybook } from '@daybook/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDatabase, type Database } from '../../packages/testing/src/postgres.ts';
import { usersOf } from '../../packages/testing/src/use.ts';
import { createClient } from '../../src/infrastructure/postgres/pool.ts';
import { query } from '../support/postgres/database.ts';
import { removeDirectory } from '../support/processes/process.ts';

let directory: string;
/** Keeps the server, and counts what is in it. */
let own: Database;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daybook-starting-'));
  own = await createDatabase(directory);
});
afterAll(async () => {
  await own.drop();
  await removeDirectory(directory);
});

const namesOfRuns = async () => {
  const rows = await query<{ datname: string }>(
    own.url,
    "select datname from pg_database where datname ~ '^run_' order by 1",
  );
  return rows.map(({ datname }) => datname);
};

it('whoever is connected uses the Postgres, and who asks about it does not', async () => {
  const databases = async () => (await usersOf(own.url)).map(({ datname }) => datname);
  await expect.poll(databases).toEqual([]);
  const client = createClient(own.url, 'test', 60_000);
  await client.connect();
  await expect.poll(databases).toEqual([new URL(own.url).pathname.slice(1)]);
  await client.end();
  await expect.poll(databases).toEqual([]);
});

it('one that serves no interface is stopped, and refused with the reason', async () => {
  const before = await namesOfRuns();
  const variables = { DAYBOOK_ROLES: 'projector,worker', LOG_LEVEL: 'silent' };
  await expect(startDaybook({ directory, variables })).rejects.toThrow('DAYBOOK_ROLES must have api');
  expect(await namesOfRuns()).toEqual(before);
});

it('one that is stopped makes the platforms to the end that it has begun', async () => {
  const before = await namesOfRuns();
  const daybook = await startDaybook({ directory, variables: { LOG_LEVEL: 'silent' } });
  const asked = [daybook.newPlatform(), daybook.newPlatform(), daybook.newPlatform()];
  const made = Promise.allSettled(asked);
  await daybook.stop();
  expect((await made).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  expect(await namesOfRuns()).toEqual(before);
});
