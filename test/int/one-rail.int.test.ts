/** Processes of one installation, and the rail that each of them is connected to. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDatabaseWithTables, query } from '../support/postgres/database.ts';
import { spawnDaybook, temporaryDirectory } from '../support/processes/process.ts';
import { startTestService, type TestService } from '../support/processes/service.ts';

const DAYBOOK_RAIL = './docs/examples/my-rail.ts';
const production = {
  DAYBOOK_ENVIRONMENT: 'production',
  DAYBOOK_DATA_DIR: join(tmpdir(), 'daybook-one-rail'),
};

async function started(databaseUrl: string, variables: Record<string, string>): Promise<TestService> {
  const service = await startTestService({ databaseUrl, variables: { ...production, ...variables } });
  onTestFinished(() => service.stop());
  return service;
}

it('a process without the rail of another does not start beside it: it would fail what the rail has', async () => {
  const databaseUrl = await createDatabaseWithTables();
  const worker = await started(databaseUrl, { DAYBOOK_ROLES: 'projector,worker', DAYBOOK_RAIL });
  const without = { DAYBOOK_ROLES: 'api,projector' };
  await expect(started(databaseUrl, without)).rejects.toThrow(
    /^DAYBOOK_RAIL: is not set, and a process that is at work on this database \(connected from [^)]+\) has a rail\. Set the same/,
  );
  // One that hands no payment over needs none, and one with the same rail is as good.
  await started(databaseUrl, { DAYBOOK_ROLES: 'projector' });
  await started(databaseUrl, { DAYBOOK_ROLES: 'api', DAYBOOK_RAIL });
  await expect(started(databaseUrl, { DAYBOOK_RAIL: 'iso20022' })).rejects.toThrow(
    /^DAYBOOK_RAIL: is another one than that of a process that is at work on this database/,
  );
  expect(worker.databaseUrl).toBe(databaseUrl);
});

it('a rail is connected, and changed, once all processes are stopped', async () => {
  const databaseUrl = await createDatabaseWithTables();
  const without = await started(databaseUrl, {});
  await expect(started(databaseUrl, { DAYBOOK_RAIL })).rejects.toThrow(
    /^DAYBOOK_RAIL: is set, and a process that is at work on this database \(connected from [^)]+\) has no rail\./,
  );
  await without.stop();
  await started(databaseUrl, { DAYBOOK_RAIL });
});

it('what other processes see of a rail says nothing of it', async () => {
  const databaseUrl = await createDatabaseWithTables();
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  const url = 'http://127.0.0.1:9/path-that-nobody-else-knows';
  await started(databaseUrl, { DAYBOOK_RAIL: url, DAYBOOK_RAIL_SECRET: secret });
  const names = await query<{ name: string }>(
    databaseUrl,
    'select distinct application_name as name from pg_stat_activity where datname = current_database()',
  );
  const listening = names.map(({ name }) => name).filter((name) => name.startsWith('daybook-listen'));
  expect(listening).toEqual([expect.stringMatching(/^daybook-listen-rail-[0-9a-f]{12}$/)]);
});

describe('a start in production', () => {
  async function said(variables: Record<string, string>) {
    const DATABASE_URL = await createDatabaseWithTables();
    const cwd = await temporaryDirectory();
    const own = { DATABASE_URL, DAYBOOK_ENVIRONMENT: 'production', DAYBOOK_ROLES: 'api,projector' };
    const daybook = spawnDaybook({ cwd, variables: { ...own, ...variables } });
    await daybook.ready;
    daybook.kill('SIGTERM');
    await daybook.exited;
    return { starting: daybook.stdout().split('\n')[0], log: daybook.stderr() };
  }
  const warning = 'production has no rail: payments to the outside fail and are refunded; set DAYBOOK_RAIL';

  it('warns where there is no rail', async () => {
    const { starting, log } = await said({});
    expect(log).toContain(`"msg":"${warning}"`);
    expect(starting).not.toContain('rail');
  });

  it('names the rail that it has', async () => {
    const module = join(import.meta.dirname, '../..', DAYBOOK_RAIL);
    const ofModule = await said({ DAYBOOK_RAIL: module });
    expect(ofModule.log).not.toContain(warning);
    expect(ofModule.starting).toMatch(new RegExp(`, payments by the rail ${module}$`));
    const DAYBOOK_RAIL_SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    const ofService = await said({ DAYBOOK_RAIL: 'http://127.0.0.1:9/path', DAYBOOK_RAIL_SECRET });
    expect(ofService.starting).toMatch(/, payments by the rail at 127\.0\.0\.1:9$/);
  });
});
