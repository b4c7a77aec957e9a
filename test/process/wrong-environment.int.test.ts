import { describe, expect, it, onTestFinished } from 'vitest';
import { startService } from '../../src/app/service.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { createDatabase, query } from '../support/postgres/database.ts';
import { forgetFounding } from '../support/postgres/former-installation.ts';
import { spawnDaybook, temporaryDirectory } from '../support/processes/process.ts';
import { newCredentials, testConfig } from '../support/processes/service.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';

const failed = { code: 1, signal: null };

async function startAndStop(cwd: string, variables: Record<string, string>): Promise<void> {
  const daybook = spawnDaybook({ cwd, variables });
  await daybook.ready;
  daybook.kill('SIGTERM');
  await daybook.exited;
}

/** What a start says that is refused. */
async function refusal(cwd: string, variables: Record<string, string> = {}): Promise<string> {
  const daybook = spawnDaybook({ cwd, variables });
  const started = await daybook.ready.catch(() => undefined);
  if (started) daybook.kill('SIGTERM');
  expect([started, await daybook.exited]).toEqual([undefined, failed]);
  return daybook.stderr();
}

describe('a data directory of production', () => {
  it('is not started without DAYBOOK_ENVIRONMENT, and says in one line what to set', async () => {
    const cwd = await temporaryDirectory();
    await startAndStop(cwd, { DAYBOOK_ENVIRONMENT: 'production' });
    const said = await refusal(cwd);
    expect(said).toMatch(
      /^DAYBOOK_ENVIRONMENT is sandbox, but .* production: set DAYBOOK_ENVIRONMENT=production, or DAYBOOK_DATA_DIR to the directory of another installation\n$/,
    );
    expect(said.trim().split('\n')).toHaveLength(1);
    await startAndStop(cwd, { DAYBOOK_ENVIRONMENT: 'production' });
  });

  it('is not started as a sandbox with the token of another platform either', async () => {
    const cwd = await temporaryDirectory();
    await startAndStop(cwd, { DAYBOOK_ENVIRONMENT: 'production' });
    const token = {
      DAYBOOK_BOOTSTRAP_CLIENT_ID: 'somebody-else',
      DAYBOOK_BOOTSTRAP_CLIENT_SECRET: 'a-secret-of-my-own',
    };
    expect(await refusal(cwd, token)).toContain('DAYBOOK_ENVIRONMENT=production');
  });
});

describe('a data directory of a sandbox', () => {
  it('is not started as production', async () => {
    const cwd = await temporaryDirectory();
    await startAndStop(cwd, {});
    expect(await refusal(cwd, { DAYBOOK_ENVIRONMENT: 'production' })).toContain(
      'DAYBOOK_ENVIRONMENT=sandbox',
    );
  });
});

const production = { DAYBOOK_ENVIRONMENT: 'production' };

async function start(
  databaseUrl: string,
  credentials = newCredentials(),
  variables: Record<string, string> = {},
) {
  const service = await startService(testConfig(databaseUrl, credentials, variables), {
    log: createLog('silent'),
  });
  await service.stop();
}

describe('an installation from before installations were founded', () => {
  it('is production where one of its platforms is', async () => {
    const databaseUrl = await createDatabase();
    await start(databaseUrl, newCredentials(), production);
    await forgetFounding(databaseUrl);
    await expect(start(databaseUrl)).rejects.toThrow(
      /DAYBOOK_ENVIRONMENT=production, or DATABASE_URL to the database of another installation$/,
    );
    await expect(start(databaseUrl)).rejects.toThrow(/DAYBOOK_ENVIRONMENT=production/);
    await start(databaseUrl, newCredentials(), production);
  });

  it('gives tokens of production to a platform of production, whatever a sandbox made of them', async () => {
    const databaseUrl = await createDatabase();
    const credentials = newCredentials();
    await start(databaseUrl, credentials, production);
    await forgetFounding(databaseUrl);
    await query(databaseUrl, `update daybook.api_tokens set environment = 'sandbox'`);
    await start(databaseUrl, credentials, production);
    const tokens = await query(databaseUrl, 'select distinct environment from daybook.api_tokens');
    expect(tokens).toEqual([{ environment: 'production' }]);
  });

  it('is known by its tokens where nothing else of it is left', async () => {
    const databaseUrl = await createDatabase();
    await start(databaseUrl, newCredentials(), production);
    await query(databaseUrl, 'drop schema daybook_log cascade');
    await query(databaseUrl, 'truncate daybook.followed_log, daybook.checkpoints');
    await expect(start(databaseUrl)).rejects.toThrow(/DAYBOOK_ENVIRONMENT=production/);
  });
});

describe('a log in EventStoreDB', () => {
  it('says what the installation is, whatever database stands beside it', async () => {
    const eventStore = await startEventStoreDb();
    onTestFinished(() => eventStore.close());
    const log = { EVENTSTORE_URL: eventStore.url };
    await start(await createDatabase(), newCredentials(), { ...log, ...production });
    const other = start(await createDatabase(), newCredentials(), log);
    await expect(other).rejects.toThrow(
      /DAYBOOK_ENVIRONMENT=production, or DAYBOOK_STREAM_PREFIX and DATABASE_URL to the database of another/,
    );
  });
});

describe('processes that start at once on an empty database', () => {
  it('agree on what it is, and the others do not start', async () => {
    const databaseUrl = await createDatabase();
    const starts = await Promise.allSettled(
      [{}, production, {}, production].map((variables) => start(databaseUrl, newCredentials(), variables)),
    );
    const [first, second, ...others] = starts.map(({ status }) => status);
    expect([first, second].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(others).toEqual([first, second]);
  });
});
