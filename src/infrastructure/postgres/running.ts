/** The embedded Postgres that another process has started. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from './pool.ts';
import { type Addresses, addressesOf } from './server/roles.ts';

/** In the file that Postgres keeps while it runs. */
const lineOfPort = 3;
const answerMaxMs = 5_000;

/** Its addresses; nothing where no server answers for the directory. */
export async function runningPostgres(directory: string): Promise<Addresses | undefined> {
  const port = await portIn(directory);
  const addresses = port && (await addressesOf(directory, port));
  if (!addresses) return undefined;
  const client = createClient(addresses.url, 'join', answerMaxMs);
  try {
    await client.connect();
    return addresses;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const portIn = (directory: string): Promise<string | undefined> =>
  readFile(join(directory, 'cluster', 'postmaster.pid'), 'utf8').then(
    (file) => file.split('\n')[lineOfPort]?.trim(),
    () => undefined,
  );
