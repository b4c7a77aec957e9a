import { createHash } from 'node:crypto';
import type { BusboyFileStream } from '@fastify/busboy';
import { isStorable } from '../../../kernel/json.ts';
export type Incoming = Pick<UploadLimits, 'bytesMax' | 'typeOf'> & {
  readonly fileName: string;
  readonly declared: string;
};

export type Kept = {
  readonly present: boolean;
  /** Set as soon as anything was stored. */
  readonly uploadId?: string;
  readonly contentType?: string;
  readonly declared: string;
  readonly fileName: string;
  readonly size: number;
  readonly sha256: string;
  /** The store failed. */
  readonly error?: unknown;
};

export const nothing: Kept = { present: false, declared: '', fileName: '', size: 0, sha256: '' };

/** Never rejects: what was read is always read to its end, so that the parser reaches the fields after the file. */
export async function keep(
  stream: BusboyFileStream,
  { fileName, declared, bytesMax, typeOf }: Incoming,
  store: UploadStore,
): Promise<Kept> {
  const hash = createHash('sha256');
  let [size, n] = [0, 0];
  const waiting = gathering();
  let uploadId: string | undefined;
  let contentType: string | undefined;
  let error: unknown;
  let judged = false;
  const flush = async () => {
    const piece = waiting.take();
    if (!judged) contentType = typeOf(piece.subarray(0, headBytes));
    judged = true;
    if (contentType === undefined || size > bytesMax || error !== undefined || piece.length === 0) return;
    try {
      uploadId ??= await store.begin();
      await store.append(uploadId, n++, piece);
    } catch (failure) {
      error = failure;
    }
  };
  try {
    for await (const piece of stream) {
      size += piece.length;
      hash.update(piece);
      for (let rest = waiting.add(piece); rest !== undefined; rest = waiting.add(rest)) await flush();
    }
    await flush();
  } catch (failure) {
    error ??= failure;
  }
  const about = { declared, fileName, size, sha256: hash.digest('hex') };
  return {
    present: true,
    ...about,
    ...(uploadId !== undefined && { uploadId }),
    ...(contentType !== undefined && { contentType }),
    ...(error !== undefined && { error }),
  };
}

/**
 * A piece for the store, of what comes. A sender decides how long that is: each byte that comes is copied once, and not
 * with all that came before it.
 */
function gathering() {
  let bytes = Buffer.alloc(0);
  let size = 0;
  return {
    /** Returns what had no room, once the piece is full. */
    add(come: Buffer): Buffer | undefined {
      if (size === 0) bytes = Buffer.allocUnsafe(pieceBytes);
      const taken = come.copy(bytes, size);
      size += taken;
      return size === pieceBytes ? come.subarray(taken) : undefined;
    },
    take(): Buffer {
      const piece = bytes.subarray(0, size);
      size = 0;
      return piece;
    },
  };
}

/** What is wrong with the file, if anything. */
export function problemOf(kept: Kept, types: string, bytesMax: number): string | undefined {
  const { present, fileName, size, contentType, declared } = kept;
  if (!present) return 'is required, as a file with a file name';
  if (fileName === '' || fileName.length > fileNameMax || !isStorable(fileName))
    return `must have a file name of 1 to ${fileNameMax} characters`;
  if (size === 0) return 'must not be empty';
  if (size > bytesMax) return `must be at most ${bytesMax} bytes`;
  if (contentType === undefined) return `must be ${types}`;
  // curl and browsers go by the name of the file, and send application/octet-stream where it says nothing.
  const undeclared = ['application/octet-stream', 'text/plain', ''].includes(declared);
  const matches = declared.replace('image/jpg', 'image/jpeg') === contentType;
  return undeclared || matches ? undefined : `is called ${declared}, and is ${contentType}`;
}

export type UploadLimits = {
  readonly bytesMax: number;
  /** The media type that the first bytes of a file show, of those that are taken. */
  readonly typeOf: (head: Uint8Array) => string | undefined;
  /** For the message when there is none. */
  readonly types: string;
};

/** Where the bytes go. */
export type UploadStore = {
  begin(): Promise<string>;
  append(uploadId: string, n: number, bytes: Uint8Array): Promise<void>;
  /** Removes what came, unless something refers to it by now. */
  discard(uploadId: string): Promise<void>;
};

export const fileNameMax = 255;

export const pieceBytes = 256 * 1024;

/** Enough to tell every type that is taken. */
export const headBytes = 16;

export const ignore = () => undefined;

/** Takes the file of a request that will be refused for want of a permission, once everything else is known to be right. */
export const nowhere: UploadStore = {
  begin: async () => 'nowhere',
  append: async () => undefined,
  discard: async () => undefined,
};
