/** What is wrong with a data directory, in words for who has to change it. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf, pathOf } from '../../infrastructure/error-code.ts';
import { DirectoryInUse } from '../../infrastructure/postgres/data-directory.ts';
import { EmbeddedNotStarted } from '../../infrastructure/postgres/server/not-started.ts';
import { cannotStart } from './cannot-start.ts';

const variable = 'DAYBOOK_DATA_DIR';
const another = 'set DAYBOOK_DATA_DIR to another directory';
const isNone = { tried: 'is not a directory', next: 'Set DAYBOOK_DATA_DIR to a directory' };
const isForbidden = {
  tried: 'cannot be written by this user',
  next: `Give the user rights to it, or ${another}`,
};
const isClosed = {
  tried: 'cannot be read by this user',
  next: 'Give the user rights to it, or start Daybook as the user whose it is',
};
const isFull = { tried: 'is on a disk that is full', next: `Make room, or ${another}` };

/** By code of the system. */
const troubles: Readonly<Record<string, { readonly tried: string; readonly next: string }>> = {
  EEXIST: isNone,
  ENOTDIR: isNone,
  EACCES: isForbidden,
  EPERM: isForbidden,
  EROFS: { tried: 'is on a file system that is only read', next: `Use a volume there, or ${another}` },
  ENOENT: { tried: 'cannot be made there', next: `Set DAYBOOK_DATA_DIR to where directories can be made` },
  ENAMETOOLONG: { tried: 'is too long a path', next: 'Set DAYBOOK_DATA_DIR to a shorter one' },
  ENOSPC: isFull,
  EDQUOT: isFull,
};

/** What `work` in the directory comes to. Throws `CannotStart` where the directory is what keeps it from that. */
export async function inDirectory<Result>(directory: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    const path = resolve(directory);
    if (cause instanceof DirectoryInUse)
      throw cannotStart({ variable, cause, tried: cause.message, next: `Stop it, or ${another}` });
    if (cause instanceof EmbeddedNotStarted) throw toldOfEmbedded(cause);
    const trouble = troubles[codeOf(cause)];
    if (!trouble) throw cause;
    const file = closedFileOf(cause);
    const { tried, next } = file === undefined ? trouble : isClosed;
    throw cannotStart({ variable, cause, next, tried: `${file ?? path} ${tried} (${codeOf(cause)})` });
  }
}

/** `CannotStart` in place of what the embedded Postgres has said; any other error as it is. */
export const toldOfEmbedded = (cause: unknown): unknown =>
  cause instanceof EmbeddedNotStarted
    ? cannotStart({ variable, cause, tried: cause.message, next: cause.next })
    : cause;

/** The file in the directory that this user has no right to; nothing where it is the directory itself. */
function closedFileOf(error: unknown): string | undefined {
  const path = codeOf(error) === 'EACCES' ? pathOf(error) : undefined;
  return path !== undefined && isFile(path) ? path : undefined;
}

/** Not of what lies in a directory that this user may not enter. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
