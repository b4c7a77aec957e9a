import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientOf } from '../support/http/client.ts';
import {
  credentialsIn,
  type Daybook,
  removeDirectory,
  spawnDaybook,
  temporaryDirectory,
  untilNothingRuns,
} from '../support/processes/process.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');
const curlLines = (text: string) => linesOf(text).filter((line) => line.startsWith('  curl '));
const paste = (cwd: string, line: string) =>
  spawnSync('sh', ['-c', `${line.replace('curl', 'curl -sS --fail-with-body')}`], { cwd, encoding: 'utf8' });

describe('a first start, with nothing set but the port', () => {
  let cwd: string;
  let daybook: Daybook;
  let url: string;
  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'daybook-process-'));
    daybook = spawnDaybook({ cwd });
    url = await daybook.ready;
  });
  afterAll(async () => {
    daybook.kill('SIGTERM');
    await daybook.exited;
    await removeDirectory(cwd);
  });

  it('says where it is ready', () => {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/2025-10-13$/);
    expect(linesOf(daybook.stdout()).filter((line) => line.includes('ready'))).toEqual([
      `Daybook is ready at ${url}`,
    ]);
  });

  it('prints the token that it keeps, and it works', async () => {
    const { clientId, clientSecret } = await credentialsIn(cwd);
    expect(daybook.stdout()).toContain(`client id      ${clientId}\n  client secret  ${clientSecret}\n`);
    expectStatus(await clientOf(url, { clientId, clientSecret }).get('/customers'), 200);
  });

  it('keeps the token for its owner alone', async () => {
    const { mode } = await stat(join(cwd, '.daybook/credentials'));
    expect(mode & 0o777).toBe(0o600);
    expect((await stat(join(cwd, '.daybook'))).mode & 0o777).toBe(0o700);
  });

  it('prints nothing but the announcement, and no secret on standard error', async () => {
    const { clientSecret } = await credentialsIn(cwd);
    expect(linesOf(daybook.stdout())).toHaveLength(10);
    expect(linesOf(daybook.stdout())[0]).toBe(
      'Starting Daybook (sandbox; api, projector, worker) with a Postgres of its own in .daybook, which the first start makes',
    );
    expect(daybook.stdout()).toContain(`\nDocumentation: ${new URL('/docs', url)}\n`);
    expect(daybook.stderr()).not.toContain(clientSecret);
  });

  it.skipIf(!hasCurl)('prints three requests that work as pasted', () => {
    const lines = curlLines(daybook.stdout());
    const answers = lines.map((line) => paste(cwd, line));
    expect(answers.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      Array(3).fill({ status: 0, stderr: '' }),
    );
    const [customer, accounts, rates] = answers.map(({ stdout }) => JSON.parse(stdout));
    expect(customer).toMatchObject({ fullName: 'Ada Lovelace' });
    expect(accounts.data[0]).toMatchObject({ customerId: customer.id });
    expect(rates.data).toHaveLength(1);
  });

  it('refuses a second process on the same data directory', async () => {
    const second = spawnDaybook({ cwd });
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(linesOf(second.stderr())).toEqual([
      `DAYBOOK_DATA_DIR: another Daybook is running on the data directory ${join(cwd, '.daybook')} (process ${daybook.pid} at ${url}). Stop it, or set DAYBOOK_DATA_DIR to another directory.`,
    ]);
    expectStatus(await clientOf(url, await credentialsIn(cwd)).get('/customers'), 200);
  });
});

describe('a second start on the same data directory', () => {
  it('finds what the first left, and does not print the secret again', async () => {
    const cwd = await temporaryDirectory();
    const first = spawnDaybook({ cwd });
    const client = clientOf(await first.ready, await credentialsIn(cwd));
    const body = { customerType: 'INDIVIDUAL', fullName: 'Ada Lovelace', region: 'US', currencies: ['USD'] };
    const { id } = expectStatus(await client.post('/customers', body), 201);
    first.kill('SIGTERM');
    await first.exited;
    const second = spawnDaybook({ cwd });
    const again = clientOf(await second.ready, await credentialsIn(cwd));
    expect(expectStatus(await again.get(`/customers/${id}`), 200).fullName).toBe('Ada Lovelace');
    expect(second.stdout()).not.toContain((await credentialsIn(cwd)).clientSecret);
    second.kill('SIGTERM');
    expect(await second.exited).toEqual({ code: 0, signal: null });
  });
});

describe('a process that was started as npm does it', () => {
  it('gives back what the start has left in memory, once nobody waits', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
    const flags = String(scripts.start)
      .split(' ')
      .filter((word) => word.startsWith('--'));
    const daybook = spawnDaybook({ cwd: await temporaryDirectory(), flags: [...flags, '--trace-gc'] });
    await daybook.ready;
    // The engine names collections that were asked for so.
    const collections = () => linesOf(daybook.stdout()).filter((line) => line.includes('testing'));
    await eventually(
      async () => collections(),
      ({ length }) => length > 0,
    );
    expect(collections()[0]).toContain('Mark-Compact (reduce)');
    daybook.kill('SIGTERM');
    await daybook.exited;
  });
});

describe('two starts at the same moment on the same data directory', () => {
  it('make one service, and one that refuses', async () => {
    const cwd = await temporaryDirectory();
    const both = [spawnDaybook({ cwd }), spawnDaybook({ cwd })];
    const outcomes = await Promise.allSettled(both.map(({ ready }) => ready));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const loser = both[outcomes.findIndex(({ status }) => status === 'rejected')];
    expect(loser?.stderr()).toContain('another Daybook is running on the data directory');
    for (const daybook of both) if (daybook !== loser) daybook.kill('SIGTERM');
    await Promise.all(both.map(({ exited }) => exited));
    await untilNothingRuns(cwd);
  });
});

describe('a data directory', () => {
  it.skipIf(!hasCurl).each(['with space', "with 'quote'", `${'long/'.repeat(30)}path`])(
    'may be: %s',
    async (name) => {
      const cwd = await temporaryDirectory();
      const daybook = spawnDaybook({ cwd, variables: { DAYBOOK_DATA_DIR: name } });
      await daybook.ready;
      const [, accounts = ''] = curlLines(daybook.stdout());
      expect(paste(cwd, accounts)).toMatchObject({ status: 0, stderr: '' });
      const second = spawnDaybook({ cwd, variables: { DAYBOOK_DATA_DIR: name } });
      expect(await second.exited).toMatchObject({ code: 1 });
      daybook.kill('SIGTERM');
      await daybook.exited;
      await untilNothingRuns(cwd);
    },
  );
});
