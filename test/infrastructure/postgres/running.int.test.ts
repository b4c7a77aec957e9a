import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../../../src/infrastructure/postgres/embedded.ts';
import { runningPostgres } from '../../../src/infrastructure/postgres/running.ts';
import { sharedBuffers } from '../../../src/infrastructure/postgres/server/settings.ts';
import { query } from '../../support/postgres/database.ts';
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

it('a server keeps as many pages as the memory allows, and files of its log', async () => {
  const { administratorUrl, stop } = await startEmbeddedPostgres(
    await temporaryDirectory(),
    createLog('silent'),
  );
  onTestFinished(stop);
  const rows = await query<{ mib: string }>(
    administratorUrl,
    `select name, pg_size_bytes(current_setting(name)) / 1048576 as mib from pg_settings
     where name in ('shared_buffers', 'min_wal_size', 'max_wal_size') order by name`,
  );
  const [most, least, buffers] = rows.map(({ mib }) => Number(mib));
  expect(least).toBe(512);
  expect(most).toBeGreaterThan(512);
  expect(`${buffers}MB`).toBe(sharedBuffers());
});
