/**
 * Takes what the bank has brought, one file after the other: does what it says, and moves it to `done`. A file that
 * cannot be read is moved to `rejected`, with the reason beside it. A file stays where it is until all of it is done. Of
 * those of one turn status reports come first.
 */

import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
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
/** The namespace stands in the first element. */
const headBytes = 2_048;
const inReports = ':pain.002.';

type AtRest = readonly [name: string, state: string];

export const createInbox = ({ folders, read, apply, fileBytesMax, log }: Deps) => {
  /** Files as they were at the last turn. */
  let seen = new Map<string, string>();

  /** Those that nobody has written to since the last turn, each as it is. */
  const atRest = async (): Promise<readonly AtRest[]> => {
    const now = new Map<string, string>();
    await nameInText(folders.in);
    for (const name of await namesIn(folders.in)) {
      const found = await statIfAny(join(folders.in, name));
      if (found) now.set(name, stateOf(found));
    }
    const resting = [...now].filter(([name, state]) => seen.get(name) === state);
    seen = now;
    return resting;
  };

  /** What has come in its place while it was read is for the next turns. */
  const putAway = async (
    name: string,
    state: string,
    to: string,
    reason?: string,
  ): Promise<string | undefined> => {
    const found = await statIfAny(join(folders.in, name));
    return found && stateOf(found) === state ? moveInto(folders.in, name, to, reason) : undefined;
  };

  const take = async (name: string, state: string, signal: AbortSignal): Promise<void> => {
    // Open until it is put away: no other file has its number meanwhile.
    const file = await openPlain(join(folders.in, name));
    try {
      const stats = await file.stat();
      if (stateOf(stats) !== state) return;
      const message = read(await bytesOf(file, stats.size, fileBytesMax));
      const { listed, isWhole } = await apply(message, signal);
      if (isWhole) {
        await putAway(name, state, folders.done);
        log.info({ message: message.kind }, 'a file of the bank was read');
      }
      if (listed.length > 0) log.warn({ listed }, 'entries of the bank need an operator: see unmatched');
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      const moved = await putAway(name, state, folders.rejected, `${error.message}\n`);
      if (moved) log.error({ file: moved }, 'a file of the bank was put aside: see rejected');
    } finally {
      await file.close();
    }
  };

  /** What is debited of an order is known once it is known what of it was refused. */
  const reportsFirst = async (files: readonly AtRest[]): Promise<readonly AtRest[]> => {
    const [reports, others]: [AtRest[], AtRest[]] = [[], []];
    for (const file of files) {
      const isReport = (await headOf(join(folders.in, file[0]))).includes(inReports);
      (isReport ? reports : others).push(file);
    }
    return [...reports, ...others];
  };

  return async (signal: AbortSignal): Promise<void> => {
    // What could not be done now stays, and holds up no other file.
    await eachOf(await reportsFirst(await atRest()), async ([name, state]) => {
      if (!signal.aborted) await take(name, state, signal);
    });
  };
};

/** How the file begins; nothing of one that cannot be read, which fails when its turn comes. */
async function headOf(path: string): Promise<string> {
  const file = await openPlain(path).catch(() => undefined);
  try {
    const head = await file?.read(Buffer.alloc(headBytes), 0, headBytes, 0).catch(() => undefined);
    return head ? head.buffer.toString('latin1', 0, head.bytesRead) : '';
  } finally {
    await file?.close();
  }
}

/** No link is followed. */
const openPlain = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW);

/** Tells a file from itself after somebody has written to it, and from another under its name. */
const stateOf = ({ size, mtimeMs, ino, dev }: Stats): string => `${size} ${mtimeMs} ${ino} ${dev}`;

/** The whole file. Throws `Unreadable` where it is longer than allowed. */
async function bytesOf(file: FileHandle, size: number, bytesMax: number): Promise<Uint8Array> {
  if (size > bytesMax) throw new Unreadable(`larger than ${bytesMax} bytes`);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
  return buffer.subarray(0, bytesRead);
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
