/** The embedded Postgres that another process has started. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from './pool.ts';

/** In the file that Postgres keeps while it runs. */
const lineOfPort = 3;
const answerMaxMs = 5_000;

/** Its address; nothing where no server answers for the directory. */
export async function runningPostgres(directory: string): Promise<string | undefined> {
  const url = await addressIn(directory);
  if (url === undefined) return undefined;
  const client = createClient(url, 'join', answerMaxMs);
  try {
    await client.connect();
    return url;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function addressIn(directory: string): Promise<string | undefined> {
  try {
    const file = await readFile(join(directory, 'cluster', 'postmaster.pid'), 'utf8');
    const port = file.split('\n')[lineOfPort]?.trim();
    const password = (await readFile(join(directory, 'password'), 'utf8')).trim();
    return port ? `postgres://daybook:${password}@127.0.0.1:${port}/postgres` : undefined;
  } catch {
    return undefined;
  }
}
