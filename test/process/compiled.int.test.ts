/** What Node has compiled is run at the next start, whoever has written it. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { mainPath, nodePath } from '../support/processes/process.ts';

const ours = `daybook-compiled-${process.getuid?.()}`;

async function temporary(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-compiled-test-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** What is in the temporary directory once a command has run. */
async function afterCommand(directory: string): Promise<string[]> {
  const { status } = spawnSync(nodePath, [mainPath, '--help'], {
    env: { PATH: process.env.PATH ?? '', TMPDIR: directory },
  });
  expect(status).toBe(0);
  return readdir(directory);
}

it('is kept in a directory that nobody else can write to', async () => {
  const directory = await temporary();
  expect(await afterCommand(directory)).toEqual([ours]);
  expect((await stat(join(directory, ours))).mode & 0o777).toBe(0o700);
  expect(await readdir(join(directory, ours))).not.toEqual([]);
});

it('is kept nowhere where others can write to it, or it is a link to elsewhere', async () => {
  const open = await temporary();
  await mkdir(join(open, ours));
  await chmod(join(open, ours), 0o777);
  await afterCommand(open);
  expect(await readdir(join(open, ours))).toEqual([]);

  const [linked, elsewhere] = [await temporary(), await temporary()];
  await symlink(elsewhere, join(linked, ours));
  await afterCommand(linked);
  expect(await readdir(elsewhere)).toEqual([]);
});
