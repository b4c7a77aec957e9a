import { createWriteStream } from 'node:fs';
import { access, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { systemIds } from '../../../../kernel/ids.ts';
import { isEpipe, ReaderGone } from '../../reader-gone.ts';

/** Writes text, and resolves when there is room for more. */
export type Write = (text: string) => Promise<void>;

/** Throws `ReaderGone` where it is standard output that nobody reads any more. */
const writeOn =
  (stream: Writable): Write =>
  (text) =>
    new Promise((resolve, reject) =>
      stream.write(text, (error) => {
        if (!error) return resolve();
        reject(stream === process.stdout && isEpipe(error) ? new ReaderGone() : error);
      }),
    );

/** To a file, which is there when it is whole; to standard output where none is named. */
export async function writingTo(
  file: string | undefined,
  work: (write: Write) => Promise<void>,
): Promise<void> {
  if (file === undefined) return work(writeOn(process.stdout));
  await intoFile(file, async (stream) => {
    await work(writeOn(stream));
    stream.end();
  });
}

/**
 * `work` ends the stream. Until it is whole the file has a name beside its own that nobody can know before, so that what
 * somebody else has put there is neither written to nor followed. Where the work fails nothing is left.
 */
export async function intoFile(file: string, work: (stream: Writable) => Promise<void>): Promise<void> {
  await access(dirname(file));
  const partial = `${file}.${systemIds.uuid()}.partial`;
  const stream = createWriteStream(partial, { flags: 'wx', mode: 0o600 });
  const written = finished(stream);
  written.catch(() => undefined);
  try {
    await work(stream);
    await written;
    await rename(partial, file);
  } catch (error) {
    stream.destroy();
    await written.catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
}
