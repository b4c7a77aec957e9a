import { existsSync } from 'node:fs';
import { link, mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { derivedUuid, systemIds } from '../../kernel/ids.ts';
import { claimPath } from './claim.ts';

/** Longer paths leave no room for the name of a Unix socket. */
const claimPathMax = 65;

/** Another process has the data directory. */
export class DirectoryInUse extends Error {
  override name = 'DirectoryInUse';
}

export type DataDirectory = {
  readonly path: string;
  /** Tells whoever wants the directory meanwhile where this process serves. */
  servesAt(url: string): Promise<void>;
  /** Gives the directory back, so that another process may use it. */
  release(): Promise<void>;
};

/** Takes a data directory for this process alone, until it ends. Throws `DirectoryInUse` when a running process holds it. */
export async function claimDataDirectory(directory: string): Promise<DataDirectory> {
  const path = resolve(directory);
  await makeDirectory(path);
  const { name, close } = await claimNameIn(path);
  const claim = await claimPath(name).catch(async (error) => {
    await close();
    throw error;
  });
  if (!claim.won) {
    await close();
    throw new DirectoryInUse(`another Daybook is running on the data directory ${path}${holder(claim.note)}`);
  }
  await claim.note(`process ${process.pid}`);
  return {
    path,
    servesAt: (url) => claim.note(`process ${process.pid} at ${url}`),
    async release() {
      await claim.release();
      await close();
    },
  };
}

const ownDescriptors = '/proc/self/fd';

/**
 * What the claim's sockets are named by: in the directory, whichever of its names it was given by, and whatever
 * directory for temporary files a process has. One whose path is too long is named by a descriptor, which is short;
 * where the system has no such names, the sockets are in the directory for temporary files.
 */
async function claimNameIn(path: string) {
  const inside = join(path, 'in-use');
  if (inside.length <= claimPathMax) return { name: inside, close: async () => {} };
  if (!existsSync(ownDescriptors))
    return {
      name: join(tmpdir(), `daybook-${derivedUuid(await realpath(path))}`),
      close: async () => {},
    };
  const opened = await open(path);
  return { name: `${ownDescriptors}/${opened.fd}/in-use`, close: () => opened.close() };
}

const holder = (note: string | undefined) => (note ? ` (${note})` : '');

/**
 * Makes a directory, and those above it that are missing, for its owner alone; others may make them at the same time.
 * Node's own way of making all of them tries for ever below a directory in which nothing can be made, such as /proc.
 */
export async function makeDirectory(path: string): Promise<void> {
  const above = dirname(path);
  if (!existsSync(above)) await makeDirectory(above);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (!isCode(error, 'EEXIST') || !(await stat(path)).isDirectory()) throw error;
  }
}

const isCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;

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
  try {
    await writeFile(draft, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, path);
    await flushDirectory(path);
    return { text, created: true };
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
    return { text: (await readSecret(path)) ?? text, created: false };
  } finally {
    await rm(draft, { force: true });
  }
}

/** Puts a text in place of the file's, whole or not at all. */
export async function replaceSecret(path: string, text: string): Promise<void> {
  const draft = `${path}.${systemIds.uuid()}`;
  try {
    await writeFile(draft, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await flushDirectory(path);
}

/** So that the name is there after a power cut as well. */
async function flushDirectory(path: string): Promise<void> {
  const directory = await open(dirname(path), 'r');
  await directory.sync().finally(() => directory.close());
}

/** `undefined` when there is no such file. */
export const readSecret = (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    (error) => {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    },
  );
