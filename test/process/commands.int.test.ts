import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runningPostgres } from '../../src/infrastructure/postgres/running.ts';
import { spawnDaybook, temporaryDirectory } from '../support/process.ts';
import { connect } from '../support/raw-log.ts';

const front = resolve(import.meta.dirname, '../../bin/daybook');

function daybook(cwd: string, ...args: readonly string[]) {
  const env = { PATH: process.env.PATH, LOG_LEVEL: 'warn' };
  const { status, stdout, stderr } = spawnSync(front, args, { cwd, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('a command', () => {
  it.each([
    [[]],
    [['start']],
    [['demo']],
    [['rebuild']],
    [['keys', 'rotate']],
    [['parked']],
    [['parked', 'drop']],
  ])('%j says what it does and does nothing, asked for help', async (args) => {
    const cwd = await temporaryDirectory();
    const { status, stdout, stderr } = daybook(cwd, ...args, '--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: daybook/);
    expect(await readdir(cwd)).toEqual([]);
  });

  it.each([
    [['strt'], /unknown command 'strt'.*start/s],
    [['start', '--port', '1'], /unknown option '--port'/],
    [['keys', 'rotate', '--force'], /unknown option '--force'/],
    [['keys', 'rotate', 'now'], /too many arguments/],
    [['rebuild', 'ledger', 'legder'], /there is no read model legder\. There are: .*ledger/],
    [['parked', 'drop'], /missing required argument 'event'/],
  ])('%j is refused, and does nothing', async (args, message) => {
    const cwd = await temporaryDirectory();
    const { status, stderr } = daybook(cwd, ...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(await readdir(cwd)).toEqual([]);
  });
});

describe('beside a service with a database of its own', () => {
  it('rebuilds read models, and shows and gives up what is parked', async () => {
    const cwd = await temporaryDirectory();
    const service = spawnDaybook({ cwd });
    await service.ready;
    expect(daybook(cwd, 'rebuild', 'ledger', 'timers')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/Rebuilt ledger, timers from \d+ events/),
    });
    expect(daybook(cwd, 'parked').stdout).toBe('Nothing is parked.\n');
    const url = await runningPostgres(join(cwd, '.daybook', 'postgres'));
    const client = await connect(url ?? '');
    await client.query(
      `insert into daybook.parked_work (consumer, stream, revision, position, event_id, type, error, next_try_at)
       values ('reactions', 'account-1', 0, 1, 'event-1', 'AccountOpened', 'Error: no', now() + interval '1 day')`,
    );
    expect(daybook(cwd, 'parked').stdout).toMatch(
      /^event-1 {2}AccountOpened in account-1, for reactions\n {4}Error: no\n/,
    );
    expect(JSON.parse(daybook(cwd, 'parked', 'list', '--json').stdout)).toMatchObject({
      event_id: 'event-1',
    });
    expect(daybook(cwd, 'parked', 'drop', 'event-2')).toMatchObject({
      status: 1,
      stderr: 'Nothing is parked of the event event-2. `daybook parked` shows what is.\n',
    });
    expect(daybook(cwd, 'parked', 'drop', 'event-1').stdout).toBe('Dropped: 1.\n');
    expect(daybook(cwd, 'parked').stdout).toBe('Nothing is parked.\n');
    service.kill('SIGTERM');
    expect((await service.exited).code).toBe(0);
    expect(daybook(cwd, 'parked').stdout).toBe('Nothing is parked.\n');
  });
});
