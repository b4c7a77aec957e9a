import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newMasterKey } from '../../src/infrastructure/secrets/sealing.ts';
import { administratorOf, createDatabase, query } from '../support/postgres/database.ts';
import {
  asCounted,
  asNobody,
  isRoot,
  processesOf,
  spawnDaybook,
  stopsCleanly,
  temporaryDirectory,
  whyNoNobody,
} from '../support/processes/process.ts';
import { startTestService } from '../support/processes/service.ts';
import { poolerBefore } from '../support/servers/pooler.ts';
import { silentServer } from '../support/servers/silent-server.ts';
import { oidcToken } from '../support/wallets/wallets.ts';

type Variables = Readonly<Record<string, string>>;

type Options = { cwd?: string; prefix?: readonly string[] };

/** Starts it, and answers the one line that it ends with. */
async function refusalOf(variables: Variables, options: Options = {}) {
  const [line, ...others] = await refused(variables, options);
  expect(others.join('\n')).toBe('');
  return line;
}

/** The same where what is at work beside the start may have found it out before, and has logged it. */
async function refusalBesideOthers(variables: Variables, options: Options) {
  const lines = await refused(variables, options);
  const line = lines.pop();
  for (const other of lines) expect(JSON.parse(other)).toHaveProperty('err');
  return line;
}

async function refused(variables: Variables, options: Options): Promise<string[]> {
  const cwd = options.cwd ?? (await temporaryDirectory());
  const daybook = spawnDaybook({ ...options, cwd, variables });
  expect(await daybook.exited).toEqual({ code: 1, signal: null });
  expect(daybook.stdout()).not.toMatch(/client secret|ready at/);
  expect(processesOf(cwd)).toEqual([]);
  return daybook.stderr().trimEnd().split('\n');
}

async function at(changes: Partial<URL>): Promise<string> {
  return Object.assign(new URL(await createDatabase()), changes).href;
}

describe('a start without its Postgres says so in one line', () => {
  it('where nothing listens', async () => {
    expect(await refusalOf({ DATABASE_URL: 'postgres://someone:hush-hush@127.0.0.1:1/none' })).toBe(
      'DATABASE_URL: Postgres at 127.0.0.1:1 refused the connection (ECONNREFUSED). Start it, or set DATABASE_URL to where it runs; unset, Daybook starts a Postgres of its own.',
    );
  });

  it('where the host is unknown', async () => {
    expect(await refusalOf({ DATABASE_URL: 'postgres://someone:hush-hush@nowhere.invalid/none' })).toMatch(
      /^DATABASE_URL: the host nowhere\.invalid is unknown \((ENOTFOUND|EAI_AGAIN)\)\. Correct the host in DATABASE_URL\.$/,
    );
  });

  it('where the password is wrong', async () => {
    const DATABASE_URL = await at({ password: 'hush-hush' });
    const { host, username } = new URL(DATABASE_URL);
    expect(await refusalOf({ DATABASE_URL })).toBe(
      `DATABASE_URL: Postgres at ${host} refused the password of the user ${username}. Correct the user and the password in DATABASE_URL.`,
    );
  });

  it('where there is no such database', async () => {
    const DATABASE_URL = await at({ pathname: '/nothing' });
    const { host } = new URL(DATABASE_URL);
    expect(await refusalOf({ DATABASE_URL })).toBe(
      `DATABASE_URL: Postgres at ${host} has no database nothing. Create it (createdb nothing), or correct the name in DATABASE_URL.`,
    );
  });

  it('where its user may not make what it needs', async () => {
    const owned = await createDatabase();
    const user = `weak_${randomUUID().slice(0, 8)}`;
    await query(administratorOf(owned), `create role ${user} login password 'weak'`);
    const DATABASE_URL = Object.assign(new URL(owned), { username: user, password: 'weak' }).href;
    const database = new URL(owned).pathname.slice(1);
    expect(await refusalOf({ DATABASE_URL })).toBe(
      `DATABASE_URL: the user ${user} may not create schemas in ${database}. Grant it: grant create on database "${database}" to "${user}"; or name another user in DATABASE_URL.`,
    );
    const service = await startTestService({ databaseUrl: owned });
    await service.stop();
    await query(owned, `grant create on database "${database}" to ${user}`);
    expect(await refusalOf({ DATABASE_URL })).toMatch(
      new RegExp(
        `^DATABASE_URL: the user ${user} lacks a right in ${database}: permission denied .*owner\\.$`,
      ),
    );
  });

  it.each(['refuses', 'forgets'] as const)(
    'where a pooler is before it that %s what is set for a connection',
    async (manner) => {
      const DATABASE_URL = await poolerBefore(await createDatabase(), manner);
      expect(await refusalOf({ DATABASE_URL })).toBe(
        `DATABASE_URL: what answers at ${new URL(DATABASE_URL).host} does not keep what is set for a connection, as a pooler does not. Name Postgres itself in DATABASE_URL.`,
      );
    },
  );

  it('where it cannot hold every character', async () => {
    const owned = await createDatabase();
    const { username, pathname } = new URL(owned);
    const name = `latin_${pathname.slice(1)}`;
    const encoding = `template template0 encoding 'LATIN1' locale 'C'`;
    await query(administratorOf(owned), `create database ${name} owner ${username} ${encoding}`);
    const DATABASE_URL = Object.assign(new URL(owned), { pathname: name }).href;
    expect(await refusalOf({ DATABASE_URL })).toBe(
      `DATABASE_URL: the database ${name} has the encoding LATIN1, and names and addresses have characters that it lacks. Make one with the encoding UTF8 (createdb --template=template0 --encoding=UTF8 NAME), and name it in DATABASE_URL.`,
    );
    await query(administratorOf(owned), `drop database ${name}`);
  });

  it('where the file of a certificate is not there', async () => {
    const search = '?sslmode=verify-full&sslrootcert=/nowhere/postgres-ca.crt';
    expect(await refusalOf({ DATABASE_URL: await at({ search }) })).toBe(
      'DATABASE_URL: the file /nowhere/postgres-ca.crt that it names cannot be read (ENOENT). Put it there for this user to read, or correct its path in DATABASE_URL.',
    );
  });

  it('where it speaks no TLS, and the log has how the address was taken', async () => {
    const [logged = '', ...told] = await refused(
      { DATABASE_URL: await at({ search: '?sslmode=require' }) },
      {},
    );
    expect(JSON.parse(logged)).toMatchObject({ level: 40, variable: 'DATABASE_URL', sslmode: 'require' });
    expect(told).toEqual([expect.stringMatching(/^DATABASE_URL: no connection to Postgres at .*SSL/)]);
  });

  it('where something else answers, or nothing does', async () => {
    const { port } = await silentServer();
    expect(await refusalOf({ DATABASE_URL: `postgres://someone:hush-hush@127.0.0.1:${port}/none` })).toMatch(
      new RegExp(
        `^DATABASE_URL: no connection to Postgres at 127\\.0\\.0\\.1:${port}: .+ correct DATABASE_URL\\.$`,
      ),
    );
  });
});

describe('a start without its EventStoreDB says so in one line', () => {
  it.each([
    [
      'esdb://admin:hush-hush@127.0.0.1:1?tls=false',
      /^EVENTSTORE_URL: .*127\.0\.0\.1:1: connect ECONNREFUSED/,
    ],
    [
      'esdb://nowhere.invalid:2113?tls=false',
      /^EVENTSTORE_URL: .*nowhere\.invalid:2113: Name resolution failed/,
    ],
    [
      'esdb://admin:hush-hush@127.0.0.1:1,127.0.0.1:2?tls=false',
      /^EVENTSTORE_URL: .*127\.0\.0\.1:1,127\.0\.0\.1:2: /,
    ],
    ['esdb+discover://127.0.0.1:1?tls=false', /^EVENTSTORE_URL: .*127\.0\.0\.1:1: Failed to discover/],
  ])('%s', async (EVENTSTORE_URL, told) => {
    const line = await refusalOf({ EVENTSTORE_URL });
    expect(line).toMatch(told);
    expect(line).not.toMatch(/hush|\n| at file:/);
    expect(line).toMatch(
      /correct host, port, user and tls in EVENTSTORE_URL; unset, the log is in Postgres\.$/,
    );
  });

  it('where the client does not take the address', async () => {
    expect(await refusalOf({ EVENTSTORE_URL: 'esdb://admin:hush-hush@127.0.0.1:1?tls=perhaps' })).toBe(
      'EVENTSTORE_URL: the client of EventStoreDB does not take the address: Unexpected "perhaps" at position 39, expected true or false. Correct it.',
    );
    expect(await refusalOf({ EVENTSTORE_URL: 'esdb://admin:hush-hush@127.0.0.1:1?tsl=false' })).toBe(
      'EVENTSTORE_URL: has an option that the client does not know: tsl',
    );
  });

  it('beside a Postgres that is not there either, in a line of its own', async () => {
    const cwd = await temporaryDirectory();
    const variables = { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c', EVENTSTORE_URL: 'esdb://127.0.0.1:1' };
    const daybook = spawnDaybook({ cwd, variables });
    expect(await daybook.exited).toEqual({ code: 1, signal: null });
    expect(daybook.stderr()).toMatch(/^DATABASE_URL: .*\nEVENTSTORE_URL: .*\n$/);
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe('a start without an address of its own says so in one line', () => {
  it('where the port is taken', async () => {
    const { port } = await silentServer();
    expect(await refusalOf({ PORT: port })).toBe(
      `PORT: the port ${port} of 127.0.0.1 is in use (EADDRINUSE). Stop what listens there, or set PORT to another one, or to 0 for a free one.`,
    );
  });

  it('where the port for metrics is taken', async () => {
    const { port } = await silentServer();
    expect(await refusalOf({ DAYBOOK_METRICS_ADDRESS: `127.0.0.1:${port}` })).toBe(
      `DAYBOOK_METRICS_ADDRESS: the port ${port} of 127.0.0.1 is in use (EADDRINUSE). Stop what listens there, or set DAYBOOK_METRICS_ADDRESS to another one.`,
    );
  });

  it('where the host for metrics is not this machine', async () => {
    expect(await refusalOf({ DAYBOOK_METRICS_ADDRESS: '192.0.2.1:9464' })).toMatch(
      / Set DAYBOOK_METRICS_ADDRESS to 127\.0\.0\.1:9464, or to 0\.0\.0\.0:9464 for all\.$/,
    );
  });

  it('where the host is not this machine', async () => {
    expect(await refusalOf({ HOST: '192.0.2.1' })).toMatch(
      /^HOST: 192\.0\.2\.1 is no address of this machine \(EADDRNOTAVAIL\)\. Set HOST to /,
    );
  });
});

describe('a start without its data directory says so in one line', () => {
  it('where it is a file, or below one', async () => {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, 'file'), '');
    const told = (path: string, code: string) =>
      `DAYBOOK_DATA_DIR: ${join(cwd, path)} is not a directory (${code}). Set DAYBOOK_DATA_DIR to a directory.`;
    expect(await refusalOf({ DAYBOOK_DATA_DIR: 'file' }, { cwd })).toBe(told('file', 'EEXIST'));
    expect(await refusalOf({ DAYBOOK_DATA_DIR: 'file/data' }, { cwd })).toBe(told('file/data', 'ENOTDIR'));
  });

  it.each(['/proc/daybook', '/proc/daybook/data', '/proc/1/daybook'])(
    'where none can be made: %s',
    async (path) => {
      expect(await refusalOf({ DAYBOOK_DATA_DIR: path })).toMatch(
        new RegExp(
          `^DAYBOOK_DATA_DIR: ${path} (cannot be made there|cannot be written by this user) \\((ENOENT|EACCES)\\)\\. `,
        ),
      );
    },
  );

  // Between those few that Node itself does not start with, and those that do for a service at rest.
  it.skipIf(!isRoot || whyNoNobody).each([
    [12, refusalOf],
    [25, refusalBesideOthers],
  ])('where its user may have no more than %i processes', async (most, told) => {
    const cwd = await temporaryDirectory();
    await chmod(cwd, 0o777);
    const options = { cwd, prefix: [...asCounted, 'prlimit', `--nproc=${most}`, '--'] };
    expect(await told({ DAYBOOK_DATA_DIR: 'data' }, options)).toMatch(
      /^DAYBOOK_DATA_DIR: the embedded Postgres .+ 128 processes and threads or more \(ulimit -u, --pids-limit\)\.$/,
    );
  });

  it.skipIf(whyNoNobody)('where it cannot be written', async () => {
    const cwd = await temporaryDirectory();
    await chmod(cwd, 0o755);
    await mkdir(join(cwd, 'data'), { mode: 0o755 });
    const options = { cwd, prefix: asNobody };
    for (const name of ['data', 'other'])
      expect(await refusalOf({ DAYBOOK_DATA_DIR: name }, options)).toBe(
        `DAYBOOK_DATA_DIR: ${join(cwd, name)} cannot be written by this user (EACCES). Give the user rights to it, or set DAYBOOK_DATA_DIR to another directory.`,
      );
  });

  it.skipIf(whyNoNobody)('where it cannot be entered', async () => {
    const cwd = await temporaryDirectory();
    await chmod(cwd, 0o755);
    await mkdir(join(cwd, 'data'), { mode: isRoot ? 0o700 : 0 });
    expect(await refusalOf({ DAYBOOK_DATA_DIR: 'data' }, { cwd, prefix: asNobody })).toBe(
      `DAYBOOK_DATA_DIR: ${join(cwd, 'data')} cannot be written by this user (EACCES). Give the user rights to it, or set DAYBOOK_DATA_DIR to another directory.`,
    );
  });
});

describe('a start with a data directory that is not all its own says so in one line', () => {
  it.skipIf(whyNoNobody)('where a file in it cannot be read', async () => {
    const cwd = await temporaryDirectory();
    await chmod(cwd, 0o755);
    const key = join(cwd, 'data', 'master-key');
    await mkdir(join(cwd, 'data'));
    await chmod(join(cwd, 'data'), 0o777);
    await writeFile(key, newMasterKey(), { mode: 0o600 });
    expect(await refusalOf({ DAYBOOK_DATA_DIR: 'data' }, { cwd, prefix: asNobody })).toBe(
      `DAYBOOK_DATA_DIR: ${key} cannot be read by this user (EACCES). Give the user rights to it, or start Daybook as the user whose it is.`,
    );
  });

  it('where its path is too long', async () => {
    expect(await refusalOf({ DAYBOOK_DATA_DIR: 'x'.repeat(300) })).toMatch(
      /^DAYBOOK_DATA_DIR: \/.*x is too long a path \(ENAMETOOLONG\)\. Set DAYBOOK_DATA_DIR to a shorter one\.$/,
    );
  });
});

describe('a start without its rates says so in one line', () => {
  it('where the file is missing', async () => {
    const cwd = await temporaryDirectory();
    expect(await refusalOf({ DAYBOOK_RATES_FILE: 'rates.json' }, { cwd })).toMatch(
      new RegExp(
        `^DAYBOOK_RATES_FILE: the rates file ${cwd}/rates\\.json cannot be read: ENOENT.* those that come with Daybook\\.$`,
      ),
    );
  });

  it('where the file is none', async () => {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, 'rates.json'), '{');
    expect(await refusalOf({ DAYBOOK_RATES_FILE: 'rates.json' }, { cwd })).toMatch(
      /^DAYBOOK_RATES_FILE: the rates in .*rates\.json cannot be used: The rates file is not JSON: expected /,
    );
    await writeFile(join(cwd, 'rates.json'), '{"base":"EUR"}');
    expect(await refusalOf({ DAYBOOK_RATES_FILE: 'rates.json' }, { cwd })).toMatch(
      /^DAYBOOK_RATES_FILE: the rates in .*rates\.json cannot be used: The rates file is not valid.*date: .*base: /,
    );
  });
});

describe('a start with a wrong master key says so in one line', () => {
  it('where the file is gone from beside its database, and makes no other', async () => {
    const cwd = await temporaryDirectory();
    const daybook = spawnDaybook({ cwd });
    await daybook.ready;
    daybook.kill('SIGTERM');
    await daybook.exited;
    const path = join(cwd, '.daybook/master-key');
    const key = await readFile(path, 'utf8');
    await rm(path);
    expect(await refusalOf({}, { cwd })).toBe(
      `DAYBOOK_DATA_DIR: ${join(cwd, '.daybook')} has a database, and the file ${path} that its secrets are sealed under is gone. Put the file back, from where it is kept beside the backups, or set DAYBOOK_MASTER_KEY to what was in it.`,
    );
    expect(await readdir(join(cwd, '.daybook'))).not.toContain('master-key');
    const start = () => spawnDaybook({ cwd, variables: { DAYBOOK_MASTER_KEY: key.trim() } });
    const again = start();
    await again.ready;
    await stopsCleanly(again, start);
  });

  it('where the file was cut short', async () => {
    const cwd = await temporaryDirectory();
    const path = join(cwd, '.daybook', 'master-key');
    await mkdir(join(cwd, '.daybook'), { mode: 0o700 });
    await writeFile(path, newMasterKey().slice(0, 20), { mode: 0o600 });
    expect(await refusalOf({}, { cwd })).toBe(
      `DAYBOOK_DATA_DIR: what is in the file ${path} is no master key. Put the file back, from where it is kept beside the backups, or set DAYBOOK_MASTER_KEY to what was in it.`,
    );
  });

  it('and names the key that sealed', async () => {
    const databaseUrl = await createDatabase();
    const before = await startTestService({ databaseUrl });
    await oidcToken(before.client, 'ada');
    await before.stop();
    expect(await refusalOf({ DATABASE_URL: databaseUrl, DAYBOOK_MASTER_KEY: newMasterKey() })).toMatch(
      /^DAYBOOK_MASTER_KEY: a secret was sealed under the master key [0-9a-f]{16}, which is neither .*; set the key that this database was used with$/,
    );
  });
});

describe('a variable that is misspelt', () => {
  it('keeps it from starting, since what it says would not hold', async () => {
    const cwd = await temporaryDirectory();
    expect(await refusalOf({ DAYBOOK_ENVIROMENT: 'production' }, { cwd })).toBe(
      'DAYBOOK_ENVIROMENT: there is no such variable; DAYBOOK_ENVIRONMENT is meant, or unset it',
    );
    expect(await readdir(cwd)).toEqual([]);
  });

  it('does not, where it is like no other', async () => {
    const cwd = await temporaryDirectory();
    const daybook = spawnDaybook({ cwd, variables: { DAYBOOK_COLOUR: 'blue' } });
    await daybook.ready;
    daybook.kill('SIGTERM');
    await daybook.exited;
    expect(JSON.parse(daybook.stderr())).toMatchObject({ level: 40, variable: 'DAYBOOK_COLOUR' });
  });
});

describe('a start that has failed', () => {
  it('ends the process also where what was loaded stays open', async () => {
    const cwd = await temporaryDirectory();
    await writeFile(join(cwd, 'rail.mjs'), `setInterval(() => {}, 1_000); throw new Error('no rail')`);
    const DATABASE_URL = await createDatabase();
    const production = { DAYBOOK_ENVIRONMENT: 'production', LOG_LEVEL: 'error' };
    const variables = { ...production, DATABASE_URL, DAYBOOK_RAIL: './rail.mjs' };
    expect(await refusalOf(variables, { cwd })).toMatch(/no rail/);
  });
});
