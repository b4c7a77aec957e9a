import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newMasterKey } from '../../src/infrastructure/secrets/sealing.ts';
import { createDatabase } from '../support/postgres/database.ts';
import { processesOf, spawnDaybook, temporaryDirectory } from '../support/processes/process.ts';

type Variables = Readonly<Record<string, string>>;

async function starts(cwd: string, variables: Variables = {}): Promise<void> {
  const daybook = spawnDaybook({ cwd, variables });
  await daybook.ready;
  daybook.kill('SIGTERM');
  expect(await daybook.exited).toEqual({ code: 0, signal: null });
}

async function refusalOf(cwd: string): Promise<string> {
  const daybook = spawnDaybook({ cwd });
  expect(await daybook.exited).toEqual({ code: 1, signal: null });
  expect(processesOf(cwd)).toEqual([]);
  return daybook.stderr();
}

const told = (data: string) =>
  `DAYBOOK_DATA_DIR: ${data} is of an installation whose database is not in ${data}/postgres/cluster, and DATABASE_URL is not set. Put it back, set DATABASE_URL to where it is, or delete ${data} to start with nothing.\n`;

describe('a data directory whose database is not there', () => {
  it('gets no empty one in its place, on which all would be paid again', async () => {
    const cwd = await temporaryDirectory();
    const data = join(cwd, '.daybook');
    await starts(cwd);
    await rename(join(data, 'postgres', 'cluster'), join(cwd, 'cluster'));
    expect(await refusalOf(cwd)).toBe(told(data));
    await rename(join(data, 'postgres'), join(cwd, 'postgres'));
    expect(await refusalOf(cwd)).toBe(told(data));
    await rename(join(cwd, 'postgres'), join(data, 'postgres'));
    await rename(join(cwd, 'cluster'), join(data, 'postgres', 'cluster'));
    await starts(cwd);
  });

  it('gets none where DATABASE_URL is not set any more', async () => {
    const cwd = await temporaryDirectory();
    const DATABASE_URL = await createDatabase();
    await starts(cwd, { DATABASE_URL, DAYBOOK_MASTER_KEY: newMasterKey() });
    expect(await refusalOf(cwd)).toBe(told(join(cwd, '.daybook')));
  });

  it('and one that lacks a file is not taken for none', async () => {
    const cwd = await temporaryDirectory();
    await mkdir(join(cwd, '.daybook', 'postgres', 'cluster', 'base'), { recursive: true });
    expect(await refusalOf(cwd)).toBe(
      `DAYBOOK_DATA_DIR: the embedded Postgres did not start: ${cwd}/.daybook/postgres/cluster lacks its file PG_VERSION. Mend what it names, or put a copy of the directory back.\n`,
    );
  });
});

describe('a file of the data directory that cannot be used', () => {
  it('ends the start, and the Postgres that it has started', async () => {
    const cwd = await temporaryDirectory();
    const credentials = join(cwd, '.daybook', 'credentials');
    await starts(cwd);
    const text = await readFile(credentials);
    await rm(credentials);
    await mkdir(credentials);
    expect(await refusalOf(cwd)).toContain('EISDIR');
    await rm(credentials, { recursive: true });
    await writeFile(credentials, text);
    await starts(cwd);
  });

  it('is named where the administrator of its Postgres has no password', async () => {
    const cwd = await temporaryDirectory();
    await starts(cwd);
    const password = join(cwd, '.daybook', 'postgres', 'password');
    await rm(password);
    expect(await refusalOf(cwd)).toBe(
      `DAYBOOK_DATA_DIR: the file ${password}, or service-password beside it, is empty or is gone. Put it back, or a copy of the directory.\n`,
    );
  });
});
