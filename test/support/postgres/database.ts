import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Of this file, so far. */
const made = new Set<string>();

/** Makes an empty database in the test server, as the embedded one has it: its owner is no superuser. Returns its URL. */
export const createDatabase = (): Promise<string> => createFrom('template1');

/** The same with the tables of the service, in which nothing is. Making them takes most of the time of a first start. */
export const createDatabaseWithTables = (): Promise<string> => createFrom(inject('tablesTemplate'));

/** The same database as it is now, in which nobody is: what is done in one of them is not in the other. Returns its URL. */
export const copyDatabase = (url: string): Promise<string> => createFrom(new URL(url).pathname.slice(1));

async function createFrom(template: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  made.add(name);
  await query(
    inject('administratorUrl'),
    `create database ${name} owner ${url.username} template ${template} strategy file_copy`,
  );
  return url.href;
}

/** One that somebody is still in stays until the server goes: whoever was thrown out would fail after its tests. */
export async function dropDatabases(): Promise<void> {
  for (const name of made) {
    made.delete(name);
    const inUse = await query(inject('administratorUrl'), 'select from pg_stat_activity where datname = $1', [
      name,
    ]);
    if (inUse.length > 0) continue;
    await query(inject('administratorUrl'), `drop database if exists ${name}`).catch(() => undefined);
  }
}

/** The same database, for the superuser of the test server. */
export const administratorOf = (databaseUrl: string): string =>
  Object.assign(new URL(inject('administratorUrl')), { pathname: new URL(databaseUrl).pathname }).href;

/** Runs one statement on a connection of its own; `bigint` columns come back as text. Throws also where the server dies. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
) {
  const client = new pg.Client({ connectionString: url });
  // Where the connection breaks, the statement fails; the client says so as well, which would end the test run.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
