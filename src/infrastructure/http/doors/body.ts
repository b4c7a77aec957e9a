/** Reads a body into memory: no further than its bound, no longer than its deadline, and not before there is room. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { malformed } from '../../../kernel/json.ts';
import { tooManyPieces } from './pieces.ts';
import { closeUnlessRead, declaredLength } from './rest.ts';
import { incomplete, type Room } from './room.ts';

export type BodyLimits = { readonly bytesMax: number; readonly withinMs: number };

export const bodyLimits: BodyLimits = { bytesMax: 1024 * 1024, withinMs: 30_000 };
/** Of an operation that anybody may call: reading what was sent costs the process more than sending it costs a stranger. */
export const openBodyLimits: BodyLimits = { ...bodyLimits, bytesMax: 16 * 1024 };

/** Its message says the bound. */
export class TooLarge extends Error {
  override name = 'TooLarge';
  readonly status = 413;
  constructor(bytesMax: number) {
    const kibibytes = bytesMax / 1024;
    super(`The body is larger than ${kibibytes < 1024 ? `${kibibytes} KiB` : `${kibibytes / 1024} MiB`}.`);
  }
}

const encodings = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** Throws `TooLarge` for one that is; `Rejected` for one that does not come whole and in time, is encoded wrongly, or has no room. */
export async function receiveBody(
  req: IncomingMessage,
  res: ServerResponse,
  room: Room,
  limits: BodyLimits = bodyLimits,
): Promise<Uint8Array> {
  const length = declaredLength(req);
  if (length === 0) return nothing;
  if (length !== undefined && length > limits.bytesMax) throw new TooLarge(limits.bytesMax);
  const encoding = req.headers['content-encoding']?.toLowerCase() ?? 'identity';
  room.take((length ?? limits.bytesMax) + (encoding === 'identity' ? 0 : unpackedHeld(limits)), req, res);
  proceed(req, res);
  return decode(await read(req, res, limits), encoding, limits.bytesMax);
}

/** How long a packed body will be shows when it is unpacked: in parts, and beside them the whole of it. */
export const unpackedHeld = ({ bytesMax }: BodyLimits): number => 2 * bytesMax;

const nothing = new Uint8Array();

/** Tells a caller who waits for it that the body is wanted. */
export function proceed(req: IncomingMessage, res: ServerResponse): void {
  if (req.headers.expect !== undefined) res.writeContinue();
}

const read = (req: IncomingMessage, res: ServerResponse, { bytesMax, withinMs }: BodyLimits) =>
  new Promise<Uint8Array>((resolve, reject) => {
    const come = gathering(bytesMax);
    let timer: NodeJS.Timeout | undefined;
    const refuse = (error: Error) => {
      clearTimeout(timer);
      req.pause();
      reject(error);
    };
    const late = () => {
      closeUnlessRead(req, res);
      refuse(malformed(`The body did not come within ${withinMs / 1000} seconds.`));
    };
    req.on('data', (piece: Uint8Array) => {
      const refusal = come.add(piece);
      if (refusal) return refuse(refusal);
      // What comes in one piece, as most bodies do, needs no clock.
      if (!req.complete) timer ??= setTimeout(late, withinMs);
    });
    const broken = () => refuse(incomplete());
    req.once('error', broken).once('close', broken);
    req.once('end', () => {
      clearTimeout(timer);
      req.off('close', broken);
      resolve(come.all());
    });
  });

const leastGrown = 4 * 1024;

/**
 * Bytes as they come. A caller decides how long the pieces are, and a piece of one byte takes hundreds for itself: of all
 * but the first, only the bytes are kept.
 */
function gathering(bytesMax: number) {
  let bytes: Uint8Array = nothing;
  let [size, pieces] = [0, 0];
  const grow = (least: number) => {
    const grown = new Uint8Array(Math.min(bytesMax, Math.max(least, 2 * size, leastGrown)));
    grown.set(bytes.subarray(0, size));
    bytes = grown;
  };
  return {
    /** Returns why a piece is one too many, and is not kept. */
    add(piece: Uint8Array): Error | undefined {
      const next = size + piece.length;
      pieces += 1;
      const refusal = next > bytesMax ? new TooLarge(bytesMax) : tooManyPieces(pieces, next);
      if (refusal) return refusal;
      if (size === 0) bytes = piece;
      else {
        if (next > bytes.length) grow(next);
        bytes.set(piece, size);
      }
      size = next;
      return undefined;
    },
    all: () => bytes.subarray(0, size),
  };
}

async function decode(body: Uint8Array, encoding: string, maxOutputLength: number): Promise<Uint8Array> {
  if (encoding === 'identity') return body;
  const decompress = encodings.get(encoding);
  if (!decompress) throw malformed('The encoding of the body is not one that is read.');
  try {
    return await decompress(body, { maxOutputLength });
  } catch (error) {
    if (error instanceof RangeError) throw new TooLarge(maxOutputLength);
    throw malformed('The body is not encoded as its Content-Encoding says.');
  }
}
