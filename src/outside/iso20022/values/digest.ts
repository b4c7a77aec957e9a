/** A short name for a content: the same for ever, since files are named by it. */
import { createHash } from 'node:crypto';

export const digestOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
