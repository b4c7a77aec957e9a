/**
 * Where what tests throw away is kept meanwhile: in memory where there is room. Postgres makes a file for each table and
 * index of each database, some nine hundred, and a file system on a disk may take a millisecond for each.
 */
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
/** Several times what all tests have there at the same moment. */
const roomMinBytes = 6 * 2 ** 30;
const prefix = 'daybook-tests-';

/** Unless it is said already where temporary files go: for this process, and those that it starts. */
export function keepTemporaryInMemory(): void {
  if (process.env.TMPDIR !== undefined || !isRoomy()) return;
  forgetOthers();
  const folder = join(memory, `${prefix}${process.pid}`);
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  process.env.TMPDIR = folder;
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function isRoomy(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= roomMinBytes;
  } catch {
    return false;
  }
}

/** What is left of those that were killed. */
function forgetOthers(): void {
  for (const name of readdirSync(memory))
    if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length))))
      rmSync(join(memory, name), { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
