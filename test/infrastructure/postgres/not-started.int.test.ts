import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../../../src/infrastructure/postgres/embedded.ts';

it('says why an embedded Postgres does not start, as its log has it', async () => {
  const log = createLog('silent');
  const directory = await mkdtemp(join(tmpdir(), 'daybook-not-started-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const { stop } = await startEmbeddedPostgres(directory, log);
  await stop();
  await rm(join(directory, 'cluster', 'global', 'pg_control'));
  await expect(startEmbeddedPostgres(directory, log)).rejects.toThrow(
    /^the embedded Postgres did not start: could not open file ".+pg_control": No such file or directory; see .+postgres\.log$/,
  );
});
