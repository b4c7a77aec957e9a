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
  stopsCleanly,
  temporaryDirectory,
  whyNoNobody,
} from '../support/processes/process.ts';

const skipped = whyNoNobody;

async function startsAndStops(cwd: string, prefix: readonly string[] = []) {
  const start = () => spawnDaybook({ cwd, prefix });
  const daybook = start();
  await daybook.ready;
  await stopsCleanly(daybook, start);
  expect(processesOf(cwd)).toEqual([]);
}

describe('who starts it', () => {
  it.skipIf(!isRoot)('may be root, with the data below a directory of root alone', async () => {
    const cwd = join(await temporaryDirectory(), 'private');
    await mkdir(cwd, { mode: 0o700 });
    await startsAndStops(cwd);
    await startsAndStops(cwd);
  });

  it.skipIf(skipped)(`may be an ordinary user${skipped ? ` (skipped: ${skipped})` : ''}`, async () => {
    const directory = await temporaryDirectory();
    const cwd = join(directory, 'own');
    await chmod(directory, 0o755);
    await mkdir(cwd, { mode: 0o700 });
    if (isRoot) await chown(cwd, nobody, nobody);
    const prefix = asNobody;
    await startsAndStops(cwd, prefix);
    await startsAndStops(cwd, prefix);
  });

  // As Kubernetes does at each start of a pod with an fsGroup.
  it.skipIf(skipped)('finds a directory that its group was given rights to', async () => {
    const directory = await temporaryDirectory();
    const cwd = join(directory, 'own');
    await chmod(directory, 0o755);
    await mkdir(cwd, { mode: 0o700 });
    if (isRoot) await chown(cwd, nobody, nobody);
    await startsAndStops(cwd, asNobody);
    spawnSync('chmod', ['-R', 'g+rwX', cwd]);
    await startsAndStops(cwd, asNobody);
  });
});
