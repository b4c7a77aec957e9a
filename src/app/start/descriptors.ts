/** Connections are files of the process: as many callers as it may have files leave none for Postgres and receivers. */
import { readFile } from 'node:fs/promises';

/** What webhooks, Postgres, mails and the files of the process need at most. */
const keptForOthers = 2_048;

const limitsFile = '/proc/self/limits';

/** Files that the process may have open at a time; undefined where the system has no bound, or does not say. */
export async function descriptorsMax(): Promise<number | undefined> {
  const limits = await readFile(limitsFile, 'utf8').catch(() => '');
  const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}

/** How many of `wanted` connections of callers may be held; half of few files are for the others. */
export function connectionsWith(descriptors: number | undefined, wanted: number): number {
  if (descriptors === undefined) return wanted;
  return Math.min(wanted, Math.max(descriptors - keptForOthers, Math.floor(descriptors / 2)));
}
