/** The pieces in which a body comes: a caller decides how long they are, and each costs as much as a thousand bytes of one. */
import { malformed } from '../../../kernel/json.ts';
import type { Rejected } from '../../../kernel/rejected.ts';

/** So many may be as short as they like; those beyond have to be so long, in the mean of all. */
export const fewPieces = 10_000;
export const smallPiece = 64;

/** Returns the refusal of a body that has come so far in so many pieces, where they are too many. */
export const tooManyPieces = (pieces: number, bytes: number): Rejected | undefined =>
  pieces > fewPieces + bytes / smallPiece
    ? malformed(`The body comes in pieces of fewer than ${smallPiece} bytes.`)
    : undefined;
