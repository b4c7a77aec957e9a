/** Whose a directory is: what is in one of the kit may be deleted, and what is in any other may not. */
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDirectory } from '../../../src/infrastructure/postgres/data-directory.ts';

const marker = 'made-by-daybook-testing';
const text = 'What is in this directory is of test runs, and may be deleted at any time.\n';
/** What a keeper writes before it knows whose the directory is. */
const ownTraces: ReadonlySet<string> = new Set([marker, 'keeper.log']);

/** The directory has something in it that the kit has not made: an installation, for example. */
export class NotOurs extends Error {
  override readonly name = 'NotOurs';
}

export const isOurs = (directory: string): Promise<boolean> =>
  stat(join(directory, marker)).then(
    (found) => found.isFile(),
    () => false,
  );

/** Marks a directory that is empty, or not there yet. Throws `NotOurs` for one that has been used for something else. */
export async function makeOurs(directory: string): Promise<void> {
  await makeDirectory(resolve(directory));
  if (await isOurs(directory)) return;
  const found = (await readdir(directory)).filter((name) => !ownTraces.has(name));
  // Another run may have marked it meanwhile, and begun.
  if (found.length > 0 && !(await isOurs(directory)))
    throw new NotOurs(
      `${directory} was not made by @daybook/testing, and has ${found.slice(0, 3).join(', ')} in it: give it an empty directory`,
    );
  await writeFile(join(directory, marker), text);
}
