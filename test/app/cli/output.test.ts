import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writingTo } from '../../../src/app/cli/commands/audit/output.ts';

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'daybook-output-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe('a file that is written', () => {
  it('is there when it is whole, and follows nothing that was put there before', async () => {
    const path = await folder();
    const [file, victim] = [join(path, 'log.ndjson'), join(path, 'victim')];
    await writeFile(victim, 'mine');
    await symlink(victim, `${file}.partial`);
    await writingTo(file, async (write) => {
      await write('one\n');
      expect(await readdir(path)).not.toContain('log.ndjson');
      await write('two\n');
    });
    expect(await readFile(file, 'utf8')).toBe('one\ntwo\n');
    expect(await readFile(victim, 'utf8')).toBe('mine');
  });

  it('leaves nothing where the work fails', async () => {
    const path = await folder();
    const failing = writingTo(join(path, 'log.ndjson'), async (write) => {
      await write('one\n');
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(await readdir(path)).toEqual([]);
  });
});
