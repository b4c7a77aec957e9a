/** @daybook/testing works in directories of its own, and touches no other. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDaybook } from '@daybook/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isOurs, makeOurs, NotOurs } from '../../packages/testing/src/ours.ts';
import { usualDirectory } from '../../packages/testing/src/postgres.ts';
import { removeDirectory } from '../support/processes/process.ts';

const keeper = join(import.meta.dirname, '../../packages/testing/src/keeper.ts');

async function emptyDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-ours-'));
  onTestFinished(() => removeDirectory(directory));
  return directory;
}

/** With a Postgres that does not start, which is what a keeper would make anew. */
async function installation() {
  const directory = await emptyDirectory();
  await mkdir(join(directory, 'postgres', 'cluster'), { recursive: true });
  await writeFile(join(directory, 'postgres', 'cluster', 'PG_VERSION'), '9');
  await writeFile(join(directory, 'credentials'), 'id:secret');
  return directory;
}

describe('the directory of clusters where none is named', () => {
  const atHome = join(homedir(), '.cache', 'daybook-testing', 'clusters-18');

  it('is below XDG_CACHE_HOME', () => {
    expect(usualDirectory({ XDG_CACHE_HOME: '/caches' })).toBe('/caches/daybook-testing/clusters-18');
  });

  it.each([
    ['not set', {}],
    ['empty', { XDG_CACHE_HOME: '' }],
    ['no absolute path', { XDG_CACHE_HOME: 'caches' }],
  ])('is below the home directory where that is %s', (_how, variables) => {
    expect(usualDirectory(variables)).toBe(atHome);
  });
});

describe('a directory', () => {
  it.each([
    ['is not there', (directory: string) => join(directory, 'below', 'it')],
    ['is empty', (directory: string) => directory],
  ])('that %s is taken, and known again', async (_what, of) => {
    const directory = of(await emptyDirectory());
    await Promise.all([makeOurs(directory), makeOurs(directory)]);
    expect(await isOurs(directory)).toBe(true);
    await writeFile(join(directory, 'postgres'), '');
    await makeOurs(directory);
  });

  it('says which option there is not', async () => {
    const options = { variable: { LOG_LEVEL: 'silent' } };
    await expect(startDaybook(options as object)).rejects.toThrow(
      'there is no option variable; there are variables, seed, directory',
    );
  });

  it('below one in which nothing can be made is refused at once', async () => {
    await expect(startDaybook({ directory: '/proc/nope' })).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('of an installation is refused at once, and stays as it is', async () => {
    const directory = await installation();
    const before = (await readdir(directory, { recursive: true })).toSorted();
    await expect(startDaybook({ directory })).rejects.toThrow(NotOurs);
    expect((await readdir(directory, { recursive: true })).toSorted()).toEqual(before);
  });

  it('of an installation is refused by the keeper too', async () => {
    const directory = await installation();
    await promisify(execFile)(process.execPath, [keeper, directory]);
    expect(await readFile(join(directory, 'postgres', 'cluster', 'PG_VERSION'), 'utf8')).toBe('9');
    expect(await readFile(join(directory, 'keeper.log'), 'utf8')).toContain(
      'was not made by @daybook/testing',
    );
  });
});
