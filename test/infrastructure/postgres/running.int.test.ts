import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../../../src/infrastructure/postgres/embedded.ts';
import { runningPostgres } from '../../../src/infrastructure/postgres/running.ts';
import { temporaryDirectory } from '../../support/processes/process.ts';

it('the server of a directory is not taken for that of a copy, which its passwords would open', async () => {
  const [directory, copy] = [await temporaryDirectory(), await temporaryDirectory()];
  const { url, stop } = await startEmbeddedPostgres(directory, createLog('silent'));
  onTestFinished(stop);
  expect(await runningPostgres(directory)).toMatchObject({ url });
  await mkdir(join(copy, 'cluster'));
  for (const file of ['password', 'service-password', 'cluster/postmaster.pid'])
    await copyFile(join(directory, file), join(copy, file));
  expect(await runningPostgres(copy)).toBeUndefined();
});
