/** What is wrong with a data directory, in words for who has to change it. */
import { resolve } from 'node:path';
import { DirectoryInUse } from '../../infrastructure/postgres/data-directory.ts';
import { cannotStart, codeOf } from './cannot-start.ts';

const variable = 'DAYBOOK_DATA_DIR';
const another = 'set DAYBOOK_DATA_DIR to another directory';
const isNone = { tried: 'is not a directory', next: 'Set DAYBOOK_DATA_DIR to a directory' };
const isForbidden = {
  tried: 'cannot be written by this user',
  next: `Give the user rights to it, or ${another}`,
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
    const trouble = troubles[codeOf(cause)];
    if (!trouble) throw cause;
    const { tried, next } = trouble;
    throw cannotStart({ variable, cause, next, tried: `${path} ${tried} (${codeOf(cause)})` });
  }
}
