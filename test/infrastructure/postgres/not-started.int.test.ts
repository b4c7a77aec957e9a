import { appendFile, mkdtemp, rm } from 'node:fs/promises';
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

it('says why an embedded Postgres gives no connection, as its log has it since it was started', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-not-started-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const logFile = join(directory, 'postgres.log');
  const line =
    '2026-11-26 20:54:29.342 UTC [30776] LOG:  could not fork new process for connection: Resource temporarily unavailable\n';
  await appendFile(logFile, line);
  const { explained, stop } = await startEmbeddedPostgres(directory, createLog('silent'));
  onTestFinished(stop);
  const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
  expect(await explained(broken)).toBe(broken);
  await appendFile(logFile, line);
  expect(await explained(broken)).toMatchObject({
    message: expect.stringMatching(
      /^the embedded Postgres gave no connection: LOG: {2}could not fork new process for connection: Resource temporarily unavailable; see .+postgres\.log$/,
    ),
    next: expect.stringMatching(/--pids-limit/),
  });
  const other = new Error('a bug');
  expect(await explained(other)).toBe(other);
});
