/** Whether a database is whole: what puts one back makes the tables first, then the rows, then their keys, and may end in between. */
import { codeOf } from '../error-code.ts';

/** A table lacks what every version has made in it. */
export class NotWhole extends Error {
  override name = 'NotWhole';
}

/** A table or a key is not there, or a table is where there should be none yet. */
const states: ReadonlySet<string> = new Set(['42P01', '42P10', '42P07']);

export const isNotWhole = (error: unknown): boolean => error instanceof NotWhole || states.has(codeOf(error));
