/** Which database outside the data directory a service had: a start without `DATABASE_URL` would begin an empty one beside it. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDirectory, readSecret, replaceSecret } from '../../infrastructure/postgres/data-directory.ts';
import { createClient } from '../../infrastructure/postgres/pool.ts';

const markOf = (directory: string) => join(resolve(directory), 'database');

/** As a server is told of: without user and password. What is no directory, or cannot be entered, is told of elsewhere. */
export async function formerDatabase(directory: string): Promise<string | undefined> {
  const mark = markOf(directory);
  return existsSync(mark) ? readSecret(mark) : undefined;
}

/** A directory that cannot be written is no reason not to serve: nothing else is kept in it then. */
export async function markDatabase(directory: string, url: string): Promise<void> {
  const { host, port, database } = createClient(url, 'start', 0);
  const text = `the database ${database} of Postgres at ${host}:${port}`;
  try {
    if ((await formerDatabase(directory)) === text) return;
    await makeDirectory(resolve(directory));
    await replaceSecret(markOf(directory), text);
  } catch {}
}

/** The directory has a database of its own. */
export const forgetFormerDatabase = (directory: string): Promise<void> =>
  rm(markOf(directory), { force: true });
