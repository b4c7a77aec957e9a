/**
 * Takes what the bank has brought, one file after the other: does what it says, and moves it to `done`. A file that
 * cannot be read is moved to `rejected`, with the reason beside it. A file stays where it is until all of it is done.
 */

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { RailLog } from '../../../domain/ports/rail-module.ts';
import { eachOf } from '../../../kernel/each-of.ts';
import { move, statIfAny, writeAnew } from '../files/atomic.ts';
import { type Folders, nameInText, namesIn } from '../files/folders.ts';
import type { BankMessage } from '../messages/model.ts';
import { Unreadable } from '../xml/element.ts';
import type { Apply } from './apply.ts';

type Deps = {
  readonly folders: Pick<Folders, 'in' | 'done' | 'rejected'>;
  readonly read: (bytes: Uint8Array) => BankMessage;
  readonly apply: Apply;
  readonly fileBytesMax: number;
  readonly log: RailLog;
};

const nameBytesMax = 150;

export const createInbox = ({ folders, read, apply, fileBytesMax, log }: Deps) => {
  /** Files as they were at the last turn. */
  let seen = new Map<string, string>();

  /** Those that nobody has written to since the last turn. */
  const atRest = async (): Promise<readonly string[]> => {
    const now = new Map<string, string>();
    await nameInText(folders.in);
    for (const name of await namesIn(folders.in)) {
      const found = await statIfAny(join(folders.in, name));
      if (found) now.set(name, `${found.size} ${found.mtimeMs} ${found.ino}`);
    }
    const resting = [...now].filter(([name, state]) => seen.get(name) === state).map(([name]) => name);
    seen = now;
    return resting;
  };

  const take = async (name: string): Promise<void> => {
    try {
      const message = read(await bytesOf(join(folders.in, name), fileBytesMax));
      const { listed } = await apply(message);
      await moveInto(folders.in, name, folders.done);
      log.info({ message: message.kind }, 'a file of the bank was read');
      if (listed.length > 0) log.warn({ listed }, 'entries of the bank need an operator: see unmatched');
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const moved = await moveInto(folders.in, name, folders.rejected, `${error.message}\n`);
      log.error({ file: moved }, 'a file of the bank was put aside: see rejected');
    }
  };

  return async (signal: AbortSignal): Promise<void> => {
    // What could not be done now stays, and holds up no other file.
    await eachOf(await atRest(), async (name) => {
      if (!signal.aborted) await take(name);
    });
  };
};

/** The whole file, not through a link. Throws `Unreadable` where it is longer than allowed. */
async function bytesOf(path: string, bytesMax: number): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    if (size > bytesMax) throw new Unreadable(`larger than ${bytesMax} bytes`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Under its own name, or a similar one where that is taken or too long. Returns a name that tells no account. */
async function moveInto(from: string, name: string, to: string, reason?: string): Promise<string> {
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 12);
  const short = Buffer.byteLength(name) > nameBytesMax ? `${digest}.xml` : name;
  let target = short;
  for (let copy = 2; await isThere(join(to, target)); copy += 1) target = `${copy}-${short}`;
  if (reason !== undefined) await writeAnew(join(to, `${target}.reason.txt`), reason);
  await move(join(from, name), join(to, target));
  return digest;
}

const isThere = async (path: string): Promise<boolean> => (await statIfAny(path)) !== undefined;
