/** The embedded Postgres that another process has started. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from './pool.ts';
import { lockOf } from './server/lock.ts';
import { type Addresses, addressesOf } from './server/roles.ts';

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

/** Nothing where the file came with a copy of the directory: the server that it names is that of the original. */
async function portIn(directory: string): Promise<string | undefined> {
  const cluster = join(directory, 'cluster');
  const { directory: told, port } = await lockOf(cluster);
  const named = await realOf(told);
  return named !== undefined && named === (await realOf(cluster)) ? port : undefined;
}

const realOf = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);
