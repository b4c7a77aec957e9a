/**
 * Reads multipart/form-data: text fields, and one file that goes to a store piece by piece while it arrives. The next
 * piece is read when the store has taken the one before. Whatever is refused leaves nothing in the store.
 */

import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { isStorable, malformed } from '../../../kernel/json.ts';
import { badFields, type Rejected } from '../../../kernel/rejected.ts';
import { tooManyPieces } from '../doors/pieces.ts';
import { declaredLength } from '../doors/rest.ts';
import type { FieldError } from '../validation.ts';
import {
  ignore,
  type Kept,
  keep,
  nothing,
  problemOf,
  type UploadLimits,
  type UploadStore,
} from './keep-file.ts';

export type UploadedFile = {
  readonly uploadId: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
};

export type Received = {
  readonly fields: Readonly<Record<string, string>>;
  /** There unless `errors` says why not. */
  readonly file: UploadedFile | undefined;
  readonly errors: readonly FieldError[];
};

const fileField = 'file';
export const limits = {
  fields: 20,
  fieldSize: 2_000,
  files: 1,
  parts: 21,
  headerPairs: 20,
  headerSize: 4_096,
};

/** Nobody needs to send more around a file than this; the rest of a larger body is not read. */
export const wastedMax = 16 * 1024 * 1024;

/** Throws `Rejected` for what is no multipart body; wrong fields and files are told in the result. */
export async function receiveUpload(
  req: IncomingMessage,
  { bytesMax, typeOf, types }: UploadLimits,
  store: UploadStore,
): Promise<Received> {
  const parser = parserOf(req, bytesMax);
  const bodyMax = bytesMax + wastedMax;
  if ((declaredLength(req) ?? 0) > bodyMax) throw tooLarge();
  const fields = new Map<string, string>();
  const errors: FieldError[] = [];
  const wrong = (field: string, message: string) => void errors.push({ field, message });
  const incoming = {
    stream: undefined as BusboyFileStream | undefined,
    kept: Promise.resolve<Kept>(nothing),
  };
  parser.on('field', (name = '', value, _nameCut, cut) => {
    if (cut) wrong(name, `must be at most ${limits.fieldSize} bytes`);
    else if (!isStorable(value) || !isStorable(name)) wrong(name, 'must not contain NUL');
    else if (fields.has(name)) wrong(name, 'must be given once');
    else if (name === fileField) wrong(name, 'must be a file with a file name');
    fields.set(name, value);
  });
  parser.on('file', (name, stream, fileName = '', _encoding, declared) => {
    if (name !== fileField) {
      wrong(name ?? '', `is a file; the file goes into the field ${fileField}`);
      return void stream.on('error', ignore).resume();
    }
    incoming.stream = stream;
    incoming.kept = keep(stream, { fileName, declared, bytesMax, typeOf }, store);
  });
  parser.on('filesLimit', () => wrong(fileField, 'must be given once, and be the only file'));
  parser.on('fieldsLimit', () => wrong('', `must have at most ${limits.fields} fields`));
  parser.on('partsLimit', () => wrong('', `must have at most ${limits.parts} parts`));
  try {
    await readAll(req, parser, bodyMax);
    const { error } = await incoming.kept;
    if (error !== undefined) throw error;
  } catch (error) {
    incoming.stream?.destroy();
    const { uploadId } = await incoming.kept;
    if (uploadId !== undefined) await store.discard(uploadId).catch(ignore);
    throw error;
  }
  const kept = await incoming.kept;
  const problem = problemOf(kept, types, bytesMax);
  if (problem && !errors.some(({ field }) => field === fileField)) wrong(fileField, problem);
  const { uploadId, contentType } = kept;
  const whole = errors.length === 0 && uploadId !== undefined && contentType !== undefined;
  if (!whole && uploadId !== undefined) await store.discard(uploadId);
  const { fileName, size, sha256 } = kept;
  const file = whole ? { uploadId, fileName, contentType, size, sha256 } : undefined;
  return { fields: Object.fromEntries(fields), file, errors };
}

function parserOf(req: IncomingMessage, bytesMax: number): BusboyInstance {
  const type = req.headers['content-type'];
  if (!type || !/^multipart\/form-data\s*;/i.test(type)) {
    throw malformed('Send the body with Content-Type: multipart/form-data and its boundary.');
  }
  try {
    const headers = { ...req.headers, 'content-type': type };
    // A file of one byte too much shows that it is too large; what follows is not kept.
    return new Busboy({ headers, limits: { ...limits, fileSize: bytesMax + 1 } });
  } catch {
    throw malformed('The boundary of the multipart body is missing or malformed.');
  }
}

/** Resolves at the last boundary. Rejects when the body ends before it, grows without end, or the sender goes away. */
function readAll(req: IncomingMessage, parser: BusboyInstance, bytesMax: number): Promise<void> {
  let [bytes, pieces] = [0, 0];
  let isRefused = false;
  return new Promise<void>((resolve, reject) => {
    const broken = () =>
      reject(malformed('The multipart body is malformed, or ends before its last boundary.'));
    // A sender who has left already is not heard of again.
    if (req.destroyed) return broken();
    parser.on('finish', resolve).on('error', broken);
    req.on('close', () => (req.complete ? undefined : broken()));
    const refuse = (refusal: Rejected) => {
      isRefused = true;
      req.unpipe(parser).pause();
      reject(refusal);
    };
    req.on('data', (piece: Uint8Array) => {
      bytes += piece.length;
      pieces += 1;
      if (isRefused) return;
      const refusal = bytes > bytesMax ? tooLarge() : tooManyPieces(pieces, bytes);
      if (refusal) refuse(refusal);
    });
    req.pipe(parser);
  }).finally(() => {
    req.unpipe(parser);
    if (!isRefused) req.resume();
  });
}

const tooLarge = () => badFields([{ field: fileField, message: 'is far too large' }]);
