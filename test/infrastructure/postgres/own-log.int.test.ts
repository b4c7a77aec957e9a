import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/infrastructure/observe/log.ts';
import { startEmbeddedPostgres } from '../../../src/infrastructure/postgres/embedded.ts';
import { query } from '../../support/postgres/database.ts';

it('has errors in the log of an embedded Postgres, and no rows', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'daybook-own-log-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const { url, stop } = await startEmbeddedPostgres(directory, createLog('silent'));
  await query(url, 'create schema own; create table own.kept (secret text primary key, n int check (n > 0))');
  const keep = (n: number) => query(url, 'insert into own.kept values ($1, $2)', ['a-secret', n]);
  await keep(1);
  await expect(keep(0)).rejects.toThrow('kept_n_check');
  await expect(keep(2)).rejects.toThrow('kept_pkey');
  await stop();
  const log = await readFile(join(directory, 'postgres.log'), 'utf8');
  expect(log).toContain('kept_n_check');
  expect(log).toContain('kept_pkey');
  expect(log).not.toContain('a-secret');
});
