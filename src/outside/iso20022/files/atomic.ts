/** Files that are there with their whole content or not at all, and stay so when the power fails. */
import type { Stats } from 'node:fs';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../../infrastructure/error-code.ts';
import { systemIds } from '../../../kernel/ids.ts';

/** What is being written has a name that nobody reads. */
const draftOf = (path: string) => join(dirname(path), `.${systemIds.uuid()}.draft`);

async function writeDraft(path: string, text: string, mode: number): Promise<string> {
  const draft = draftOf(path);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(draft, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return draft;
}

async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Whether it was this call that made the file: of several at once one makes it, and what is there stays. */
export async function writeOnce(path: string, text: string): Promise<boolean> {
  const draft = await writeDraft(path, text, 0o600);
  try {
    await link(draft, path);
    await flushDirectory(dirname(path));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Puts the text in place of the file's, if there is one. */
export async function writeAnew(path: string, text: string, mode = 0o600): Promise<void> {
  const draft = await writeDraft(path, text, mode);
  await rename(draft, path);
  await flushDirectory(dirname(path));
}

/** Moves a file within one file system. Whether it was this call that moved it: of several at once one does. */
export async function move(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await rename(from, to);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
  await flushDirectory(dirname(to));
  await flushDirectory(dirname(from));
  return true;
}

/** What kind of file it is, or nothing where there is none: whoever shares the folder may have taken it away. */
export async function statIfAny(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The content, or nothing where there is no such file. */
export async function readIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
