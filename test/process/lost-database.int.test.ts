import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newMasterKey } from '../../src/infrastructure/secrets/sealing.ts';
import { createDatabase } from '../support/postgres/database.ts';
import { processesOf, spawnDaybook, stopsCleanly, temporaryDirectory } from '../support/processes/process.ts';
import { newCredentials } from '../support/processes/service.ts';

type Variables = Readonly<Record<string, string>>;

async function starts(cwd: string, variables: Variables = {}): Promise<void> {
  const start = () => spawnDaybook({ cwd, variables });
  const daybook = start();
  await daybook.ready;
  await stopsCleanly(daybook, start);
}

async function refusalOf(cwd: string, variables: Variables = {}): Promise<string> {
  const daybook = spawnDaybook({ cwd, variables });
  expect(await daybook.exited).toEqual({ code: 1, signal: null });
  expect(processesOf(cwd)).toEqual([]);
  return daybook.stderr();
}

const told = (data: string) =>
  `DAYBOOK_DATA_DIR: ${data} is of an installation whose database is not in ${data}/postgres/cluster, and DATABASE_URL is not set. Put it back, set DATABASE_URL to where it is, or delete ${data} to start with nothing.\n`;

function toldOfFormer(cwd: string, url: string): string {
  const [data, { hostname, port, pathname }] = [join(cwd, '.daybook'), new URL(url)];
  return `DAYBOOK_DATA_DIR: ${data} is of an installation with the database ${pathname.slice(1)} of Postgres at ${hostname}:${port}, and DATABASE_URL is not set. Set DATABASE_URL to that, or delete ${data} to start with nothing.\n`;
}

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
    expect(await refusalOf(cwd)).toBe(toldOfFormer(cwd, DATABASE_URL));
  });

  it('gets none then either where the first token is given', async () => {
    const cwd = await temporaryDirectory();
    const [DATABASE_URL, next] = [await createDatabase(), await createDatabase()];
    const { clientId, clientSecret } = newCredentials();
    const given = {
      DAYBOOK_BOOTSTRAP_CLIENT_ID: clientId,
      DAYBOOK_BOOTSTRAP_CLIENT_SECRET: clientSecret,
    };
    const variables = { ...given, DAYBOOK_MASTER_KEY: newMasterKey() };
    await starts(cwd, { ...variables, DATABASE_URL });
    expect(await refusalOf(cwd, given)).toBe(toldOfFormer(cwd, DATABASE_URL));
    await starts(cwd, { ...variables, DATABASE_URL: next });
    expect(await refusalOf(cwd, given)).toBe(toldOfFormer(cwd, next));
    const { password } = new URL(next);
    expect(password).not.toBe('');
    expect(await readFile(join(cwd, '.daybook', 'database'), 'utf8')).not.toContain(password);
    await rm(join(cwd, '.daybook'), { recursive: true });
    await starts(cwd, given);
  });

  it('serves with another database where it cannot be written to', async () => {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, 'file'), '');
    const { clientId, clientSecret } = newCredentials();
    await starts(cwd, {
      DATABASE_URL: await createDatabase(),
      DAYBOOK_MASTER_KEY: newMasterKey(),
      DAYBOOK_DATA_DIR: join(cwd, 'file'),
      DAYBOOK_BOOTSTRAP_CLIENT_ID: clientId,
      DAYBOOK_BOOTSTRAP_CLIENT_SECRET: clientSecret,
    });
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
