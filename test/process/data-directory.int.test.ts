import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { claimDataDirectory, keepSecret } from '../../src/infrastructure/postgres/data-directory.ts';
import { nodePath, temporaryDirectory } from '../support/processes/process.ts';

const inUse = /^another Daybook is running on the data directory/;

/** Leaves the socket of a process that was killed. */
async function leaveSocket(directory: string, name: string): Promise<void> {
  const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
  await once(spawn(nodePath, ['-e', script, join(directory, name)]), 'exit');
}

/** The same without a process: what is closed under another name stays behind. */
async function leaveSocketAtOnce(directory: string, name: string): Promise<void> {
  const server = createServer().listen(join(directory, 'closing'));
  await once(server, 'listening');
  await rename(join(directory, 'closing'), join(directory, name));
  await new Promise((done) => server.close(done));
}

/** Many claims at the same moment: how many won, and why the others lost. */
async function claimTogether(directory: string) {
  const claims = await Promise.allSettled(Array.from({ length: 8 }, () => claimDataDirectory(directory)));
  const won = claims.flatMap((claim) => (claim.status === 'fulfilled' ? [claim.value] : []));
  const lost = claims.flatMap((claim) => (claim.status === 'rejected' ? [String(claim.reason.message)] : []));
  await Promise.all(won.map((directoryWon) => directoryWon.release()));
  return { won: won.length, unclear: lost.filter((reason) => !inUse.test(reason)) };
}

describe('claims of one data directory at the same moment', () => {
  it('let one through and tell the others why not', async () => {
    const directory = await temporaryDirectory();
    expect(await claimTogether(directory)).toEqual({ won: 1, unclear: [] });
    expect(await claimTogether(directory)).toEqual({ won: 1, unclear: [] });
  });

  it('do so where it has to be made, with what is above it', async () => {
    const directory = await temporaryDirectory();
    for (let round = 0; round < 20; round++) {
      const path = join(directory, `${round}`, 'below', 'it');
      expect(await claimTogether(path)).toEqual({ won: 1, unclear: [] });
    }
  });

  it('do so after a process that was killed', async () => {
    const directory = await temporaryDirectory();
    await leaveSocket(directory, 'in-use.00000000.sock');
    await leaveSocket(directory, 'in-use.ffffffff.sock');
    expect(await claimTogether(directory)).toEqual({ won: 1, unclear: [] });
    expect(await readdir(directory)).toEqual([]);
  });

  it('do so each of many times', async () => {
    const directory = await temporaryDirectory();
    for (let round = 0; round < 50; round++) {
      await leaveSocketAtOnce(directory, 'in-use.80000000.sock');
      expect(await claimTogether(directory)).toEqual({ won: 1, unclear: [] });
    }
  });
});

describe('a claim of a data directory with a long path', () => {
  it.skipIf(process.platform !== 'linux')(
    'holds by each of its names, and with other temporary files',
    async () => {
      const cwd = await temporaryDirectory();
      const [directory, name] = [join(cwd, 'x'.repeat(100)), join(cwd, 'y'.repeat(100))];
      await mkdir(directory);
      await symlink(directory, name);
      const claimed = await claimDataDirectory(directory);
      await expect(claimDataDirectory(name)).rejects.toThrow(inUse);
      vi.stubEnv('TMPDIR', await temporaryDirectory());
      onTestFinished(() => void vi.unstubAllEnvs());
      await expect(claimDataDirectory(directory)).rejects.toThrow(inUse);
      await claimed.release();
      expect(await readdir(directory)).toEqual([]);
    },
  );
});

describe('a secret of a data directory', () => {
  const source = join(import.meta.dirname, '../../src/infrastructure/postgres/data-directory.ts');

  /** Keeps one in a process whose files have room for nothing, as on a disk that is full. */
  function keepWithoutRoom(call: string) {
    const script = `import { keepSecret, replaceSecret } from '${pathToFileURL(source)}'; await ${call};`;
    const run = `ulimit -f 0; exec "$0" --input-type=module -e "$1"`;
    return spawnSync('sh', ['-c', run, nodePath, script], { encoding: 'utf8' });
  }

  it('leaves nothing where there is no room for it', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'master-key');
    const failed = keepWithoutRoom(`keepSecret('${path}', () => 'key')`);
    expect(failed.stderr).toContain('EFBIG');
    expect(await readdir(directory)).toEqual([]);
  });

  it('stays where there is no room for the next one', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'master-key');
    await keepSecret(path, () => 'key');
    const failed = keepWithoutRoom(`replaceSecret('${path}', 'next')`);
    expect(failed.stderr).toContain('EFBIG');
    expect(await readdir(directory)).toEqual(['master-key']);
    expect(await readFile(path, 'utf8')).toBe('key\n');
  });
});
