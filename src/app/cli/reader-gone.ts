import { codeOf } from '../../infrastructure/error-code.ts';

/** Whoever reads standard output has read enough of it: the command ends, and nothing is wrong. */
export class ReaderGone extends Error {
  override name = 'ReaderGone';
}

export const isEpipe = (error: unknown): boolean => codeOf(error) === 'EPIPE';
