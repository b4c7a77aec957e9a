import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../../../src/infrastructure/postgres/embedded.ts';

const log = createLog('silent');
const lockOf = (directory: string) => join(directory, 'cluster/postmaster.pid');

/** Removed when the test has ended, what is in it too. */
async function temporary() {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-left-lock-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Starts on the directory, and stops again. */
async function comesUp(directory: string) {
  const { stop } = await startEmbeddedPostgres(directory, log);
  await stop();
}

describe('the lock that a killed Postgres leaves', () => {
  let directory: string;
  let lock: string;
  let copy: string;

  beforeAll(async () => {
    const parent = await mkdtemp(join(tmpdir(), 'daybook-left-lock-'));
    [directory, copy] = [join(parent, 'original'), join(parent, 'copy')];
    const { stop } = await startEmbeddedPostgres(directory, log);
    lock = await readFile(lockOf(directory), 'utf8');
    await cp(directory, copy, { recursive: true, filter: (path) => !path.includes('.s.PGSQL') });
    await stop();
    return () => rm(parent, { recursive: true, force: true });
  });

  const naming = (pid: number) => lock.replace(/^\d+/, String(pid));

  it('keeps no next one from starting, when another process has its number by then', async () => {
    await writeFile(lockOf(directory), naming(process.pid));
    await comesUp(directory);
  });

  it('nor when the Postgres of another directory has it', async () => {
    const other = await temporary();
    const { stop } = await startEmbeddedPostgres(other, log);
    onTestFinished(stop);
    const pid = Number.parseInt(await readFile(lockOf(other), 'utf8'), 10);
    await writeFile(lockOf(directory), naming(pid));
    await comesUp(directory);
  });

  it('nor when a power cut has left it empty', async () => {
    await writeFile(lockOf(directory), '');
    await comesUp(directory);
  });

  it('keeps a copy from starting while the Postgres of the original runs', async () => {
    const { stop } = await startEmbeddedPostgres(directory, log);
    onTestFinished(stop);
    await cp(lockOf(directory), lockOf(copy));
    await expect(comesUp(copy)).rejects.toThrow('lock file "postmaster.pid" already exists');
  });
});
