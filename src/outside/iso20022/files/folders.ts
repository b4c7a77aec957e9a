/** The folder that Daybook and the bank's software share, and Daybook's own part of it. */
import { isUtf8 } from 'node:buffer';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf } from '../values/digest.ts';

export type Folders = {
  /** Orders for the bank to take. */
  readonly out: string;
  /** What the bank brings. */
  readonly in: string;
  /** What was read. */
  readonly done: string;
  /** What could not be read, each with a `.reason.txt` beside it. */
  readonly rejected: string;
  /** What matches nothing: one file each, for an operator, who may say whose money it is. */
  readonly unmatched: string;
  /** Copies of the orders that went out. */
  readonly sent: string;
  /** What Daybook has to know, one small file for each fact. Nobody else writes here. */
  readonly state: string;
};

/** All on one file system: files are moved between them. */
export async function openFolders(folder: string): Promise<Folders> {
  const of = (name: string) => join(folder, name);
  const folders: Folders = {
    out: of('out'),
    in: of('in'),
    done: of('done'),
    rejected: of('rejected'),
    unmatched: of('unmatched'),
    sent: of('sent'),
    state: of('state'),
  };
  for (const path of Object.values(folders)) await mkdir(path, { recursive: true, mode: 0o700 });
  return folders;
}

/** Names of files in a folder, in order; without those that somebody is still writing. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !isDraft(entry.name))
    .map(({ name }) => name)
    .toSorted();
}

/**
 * Gives another name to each file whose name is no UTF-8: under its own nothing here could open it. The new one tells of
 * which it was, and of two that are there at once neither takes the other's place.
 */
export async function nameInText(folder: string): Promise<void> {
  const names = await readdir(folder, { encoding: 'buffer' });
  for (const name of names.filter((one) => !isUtf8(one) && !isDraft(one.toString('latin1')))) {
    let text = `${digestOf(name.toString('hex'))}.xml`;
    while (names.some((one) => one.toString() === text)) text = `2-${text}`;
    await rename(Buffer.concat([Buffer.from(join(folder, '/')), name]), join(folder, text));
  }
}

/** How programs name what they have not finished. */
const isDraft = (name: string): boolean => /^\.|\.(draft|tmp|part|partial|filepart)$|~$/i.test(name);
