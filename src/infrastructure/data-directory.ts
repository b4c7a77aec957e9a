import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { derivedUuid, systemIds } from './ids.ts';

/** Longer paths cannot name a Unix socket. */
const socketPathMax = 65;
const claimAttemptsMax = 10;

export type DataDirectory = {
  readonly path: string;
  /** Gives the directory back, so that another process may use it. */
  release(): Promise<void>;
};

/**
 * Takes a data directory for this process alone. The claim is a listening Unix socket: it ends with the process,
 * however that ends. Throws when a running process holds it.
 */
export async function claimDataDirectory(directory: string): Promise<DataDirectory> {
  const path = resolve(directory);
  await mkdir(path, { recursive: true, mode: 0o700 });
  const inside = join(path, 'in-use.sock');
  const socket =
    inside.length <= socketPathMax ? inside : join(tmpdir(), `daybook-${derivedUuid(path)}.sock`);
  const server = await claim(socket, () => {
    throw new Error(`another Daybook is running on the data directory ${path}; stop it first`);
  });
  return {
    path,
    release: () => new Promise((done) => server.close(() => done())),
  };
}

/** Listening is atomic. A socket that a dead process left is moved aside, which only one of several can do. */
async function claim(socket: string, refuse: () => never): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await listenOn(socket);
    } catch (error) {
      if (!isCode(error, 'EADDRINUSE') || attempt === claimAttemptsMax) throw error;
    }
    if (await answers(socket)) refuse();
    const aside = `${socket}.${systemIds.uuid()}`;
    const moved = await rename(socket, aside).then(
      () => true,
      (error) => {
        if (isCode(error, 'ENOENT')) return false;
        throw error;
      },
    );
    if (!moved) continue;
    if (await answers(aside)) {
      await rename(aside, socket);
      refuse();
    }
    await rm(aside, { force: true });
  }
}

const isCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', () => resolve(false));
  });
}

function listenOn(socket: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', reject);
    server.listen(socket, () => {
      server.unref();
      resolve(server);
    });
  });
}

/**
 * The text of a file that only its owner may read; made with `create` when it is not there yet. The file appears with
 * its whole text or not at all, and of several processes that make it at once all get the same text.
 */
export async function keepSecret(
  path: string,
  create: () => string,
): Promise<{ text: string; created: boolean }> {
  const known = await readSecret(path);
  if (known !== undefined) return { text: known, created: false };
  const text = create();
  const draft = `${path}.${systemIds.uuid()}`;
  await writeFile(draft, `${text}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, path);
    return { text, created: true };
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
    return { text: (await readSecret(path)) ?? text, created: false };
  } finally {
    await rm(draft, { force: true });
  }
}

const readSecret = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    (error) => {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    },
  );
