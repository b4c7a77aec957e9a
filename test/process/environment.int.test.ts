import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../support/http/client.ts';
import { spawnDaybook, temporaryDirectory, untilNothingRuns } from '../support/processes/process.ts';
import { expectStatus } from '../support/resources/flows.ts';

const failed = { code: 1, signal: null };

describe('an environment that is not valid', () => {
  it('is refused with all that is wrong at once, before anything is made', async () => {
    const cwd = await temporaryDirectory();
    const wrong = {
      PORT: '99999',
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://somewhere/else',
      DAYBOOK_ROLES: 'api,everything',
      DAYBOOK_SANDBOX_TIME_SCALE: '-1',
    };
    const daybook = spawnDaybook({ cwd, variables: wrong });
    expect(await daybook.exited).toEqual(failed);
    const said = daybook.stderr();
    expect(Object.keys(wrong).filter((name) => !said.includes(name))).toEqual([]);
    expect([daybook.stdout(), await readdir(cwd)]).toEqual(['', []]);
  });

  it('is refused with half of a token named beside the rest', async () => {
    const cwd = await temporaryDirectory();
    const wrong = { LOG_LEVEL: 'loud', DAYBOOK_BOOTSTRAP_CLIENT_ID: 'half' };
    const daybook = spawnDaybook({ cwd, variables: wrong });
    expect(await daybook.exited).toEqual(failed);
    expect(daybook.stderr()).toContain('LOG_LEVEL');
    expect(daybook.stderr()).toContain('DAYBOOK_BOOTSTRAP_CLIENT_SECRET');
  });

  it('never repeats a secret', async () => {
    const cwd = await temporaryDirectory();
    const variables = { DAYBOOK_BOOTSTRAP_CLIENT_ID: 'a b', DAYBOOK_BOOTSTRAP_CLIENT_SECRET: 'hush-hush' };
    const daybook = spawnDaybook({ cwd, variables });
    expect(await daybook.exited).toEqual(failed);
    expect(daybook.stderr()).not.toContain('hush');
  });
});

describe('a token given in the environment', () => {
  it('works, is not printed, and nothing is kept of it', async () => {
    const cwd = await temporaryDirectory();
    const credentials = { clientId: 'given', clientSecret: 'a-secret-of-my-own' };
    const variables = {
      DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
      DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
    };
    const daybook = spawnDaybook({ cwd, variables });
    expectStatus(await clientOf(await daybook.ready, credentials).get('/customers'), 200);
    expect(daybook.stdout() + daybook.stderr()).not.toContain(credentials.clientSecret);
    expect(await readdir(join(cwd, '.daybook'))).not.toContain('credentials');
    daybook.kill('SIGTERM');
    await daybook.exited;
  });
});

describe('variables for another Postgres', () => {
  it('do not say how its own is reached', async () => {
    const others = { PGSSLMODE: 'require', PGHOST: 'nowhere.invalid', PGPORT: '1', PGUSER: 'x' };
    const daybook = spawnDaybook({ cwd: await temporaryDirectory(), variables: others });
    await daybook.ready;
    daybook.kill('SIGTERM');
    expect(await daybook.exited).toEqual({ code: 0, signal: null });
  });
});

describe('a start that cannot work', () => {
  it.each(['', 'daybook-abc', 'daybook-abc:', 'daybook-abc:short'])(
    'refuses a token file that was cut short: "%s"',
    async (text) => {
      const cwd = await temporaryDirectory();
      const path = join(cwd, '.daybook/credentials');
      await mkdir(join(cwd, '.daybook'), { mode: 0o700 });
      await writeFile(path, text, { mode: 0o600 });
      const daybook = spawnDaybook({ cwd });
      expect(await daybook.exited).toEqual({ code: 1, signal: null });
      expect(daybook.stderr()).toMatch(/^DAYBOOK_DATA_DIR: [^\n]*\n$/);
      await untilNothingRuns(cwd);
    },
  );
});
