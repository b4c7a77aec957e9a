import { spawnSync } from 'node:child_process';
import { chmod, chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  asNobody,
  isRoot,
  nobody,
  processesOf,
  spawnDaybook,
  temporaryDirectory,
  whyNoNobody,
} from '../support/processes/process.ts';

const skipped = whyNoNobody;

async function startsAndStops(cwd: string, prefix: readonly string[] = []) {
  const daybook = spawnDaybook({ cwd, prefix });
  await daybook.ready;
  daybook.kill('SIGTERM');
  const exit = await daybook.exited;
  return { exit, left: processesOf(cwd) };
}
const cleanly = { exit: { code: 0, signal: null }, left: [] };

describe('who starts it', () => {
  it.skipIf(!isRoot)('may be root, with the data below a directory of root alone', async () => {
    const cwd = join(await temporaryDirectory(), 'private');
    await mkdir(cwd, { mode: 0o700 });
    expect(await startsAndStops(cwd)).toEqual(cleanly);
    expect(await startsAndStops(cwd)).toEqual(cleanly);
  });

  it.skipIf(skipped)(`may be an ordinary user${skipped ? ` (skipped: ${skipped})` : ''}`, async () => {
    const directory = await temporaryDirectory();
    const cwd = join(directory, 'own');
    await chmod(directory, 0o755);
    await mkdir(cwd, { mode: 0o700 });
    if (isRoot) await chown(cwd, nobody, nobody);
    const prefix = asNobody;
    expect(await startsAndStops(cwd, prefix)).toEqual(cleanly);
    expect(await startsAndStops(cwd, prefix)).toEqual(cleanly);
  });

  // As Kubernetes does at each start of a pod with an fsGroup.
  it.skipIf(skipped)('finds a directory that its group was given rights to', async () => {
    const directory = await temporaryDirectory();
    const cwd = join(directory, 'own');
    await chmod(directory, 0o755);
    await mkdir(cwd, { mode: 0o700 });
    if (isRoot) await chown(cwd, nobody, nobody);
    expect(await startsAndStops(cwd, asNobody)).toEqual(cleanly);
    spawnSync('chmod', ['-R', 'g+rwX', cwd]);
    expect(await startsAndStops(cwd, asNobody)).toEqual(cleanly);
  });
});
