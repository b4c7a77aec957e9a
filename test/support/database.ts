import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Makes an empty database in the test server, as the embedded one has it: its owner is no superuser. Returns its URL. */
export async function createDatabase(): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  await query(inject('administratorUrl'), `create database ${name} owner ${url.username}`);
  return url.href;
}

/** The same database, for the superuser of the test server. */
export const administratorOf = (databaseUrl: string): string =>
  Object.assign(new URL(inject('administratorUrl')), { pathname: new URL(databaseUrl).pathname }).href;

/** Runs one statement on a connection of its own; `bigint` columns come back as text. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
