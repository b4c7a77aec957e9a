import { totalmem } from 'node:os';

const mib = 1024 * 1024;
/** What Postgres takes by itself. */
const buffersMinMiB = 128;
const buffersMaxMiB = 512;
const buffersShare = 1 / 16;

/** What a container lets this process have, or the machine has, in bytes. */
const memoryBytes = (): number => {
  const bound = process.constrainedMemory();
  return bound > 0 ? Math.min(bound, totalmem()) : totalmem();
};

/**
 * What the server keeps pages of tables and indexes in, a share of the memory: with as little as Postgres takes by itself,
 * each payment has pages read and written that the next ones need again once there are some ten thousand.
 */
export function sharedBuffers(bytes = memoryBytes()): string {
  const share = Math.round((bytes * buffersShare) / mib);
  return `${Math.min(Math.max(share, buffersMinMiB), buffersMaxMiB)}MB`;
}

/**
 * So much of its log is written anew in place of being made again: a payment waits for the 16 MiB that are made.
 * It is kept on the disk once it was needed.
 */
export const keptLog = '512MB';
