import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startService } from '../../src/app/service.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { query } from '../support/postgres/database.ts';
import { newCredentials, startTestService, testConfig, testMasterKey } from '../support/processes/service.ts';
import { createCustomer } from '../support/resources/flows.ts';
import { type ServerLog, serverLog } from '../support/servers/eventstoredb-server/log.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';

/** An EventStoreDB with this log. */
async function eventStore(log: ServerLog): Promise<{ readonly EVENTSTORE_URL: string }> {
  const server = await startEventStoreDb({ log });
  onTestFinished(() => server.close());
  return { EVENTSTORE_URL: server.url };
}

type Variables = Record<string, string>;

/** An installation with a customer, whose log is where the variables say. */
async function installation(variables: Variables = {}): Promise<string> {
  const service = await startTestService({ variables });
  await createCustomer(service.client);
  await service.stop();
  return service.databaseUrl;
}

async function start(databaseUrl: string, variables: Variables = {}): Promise<void> {
  const config = testConfig(databaseUrl, newCredentials(), variables);
  const service = await startService(config, { log: createLog('silent') });
  await service.stop();
}

const inPostgres = (databaseUrl: string) =>
  query(databaseUrl, 'select stream, revision from daybook_log.events order by position');

/** The first events of a log, as a backup of that time has them. */
function earlier(log: ServerLog, events: number): ServerLog {
  const copy = serverLog();
  for (const event of log.all.slice(0, events)) copy.append(event.stream, 'any', [event]);
  return copy;
}

describe('read models of a log in Postgres', () => {
  it('are not joined to another log, into which nothing is written', async () => {
    const databaseUrl = await installation();
    for (const log of [serverLog(), await logOfAnother()]) {
      const there = log.all.length;
      await expect(start(databaseUrl, await eventStore(log))).rejects.toThrow(
        /^EVENTSTORE_URL: the log that it names .+ but the read models in this database follow the log [0-9a-f-]{36}\. Set EVENTSTORE_URL .+, or unset it .+ with `daybook restore`\.$/,
      );
      expect(log.all).toHaveLength(there);
    }
    await start(databaseUrl);
  });

  it('are not joined to an older state of it', async () => {
    const databaseUrl = await installation();
    await query(databaseUrl, 'alter table daybook_log.events disable trigger all');
    await query(
      databaseUrl,
      'delete from daybook_log.events where position = (select max(position) from daybook_log.events)',
    );
    const before = await inPostgres(databaseUrl);
    await expect(start(databaseUrl)).rejects.toThrow(
      /^DATABASE_URL: the log ends at position (\d+), but the read models have come to \d+: .+ backup/,
    );
    expect(await inPostgres(databaseUrl)).toEqual(before);
  });

  it('are known again where an earlier version has made them', async () => {
    const databaseUrl = await installation();
    await query(databaseUrl, 'delete from daybook.followed_log');
    await start(databaseUrl);
    await expect(start(databaseUrl, await eventStore(serverLog()))).rejects.toThrow(/follow the log/);
  });
});

describe('read models of a log in EventStoreDB', () => {
  it('are not joined to the log in Postgres, nor to that of another server', async () => {
    const databaseUrl = await installation(await eventStore(serverLog()));
    await expect(start(databaseUrl)).rejects.toThrow(
      /^EVENTSTORE_URL: is not set: the log in Postgres has no installation/,
    );
    expect(await inPostgres(databaseUrl)).toEqual([]);
    await expect(start(databaseUrl, await eventStore(await logOfAnother()))).rejects.toThrow(
      /follow the log/,
    );
  });

  it('are not joined to an older state of it, and are to the same one on another server', async () => {
    const log = serverLog();
    const databaseUrl = await installation(await eventStore(log));
    const events = log.all.length;
    const backup = earlier(log, events - 1);
    await expect(start(databaseUrl, await eventStore(backup))).rejects.toThrow(
      /^EVENTSTORE_URL: the log ends at position \d+, but the read models have come to \d+/,
    );
    expect(backup.all).toHaveLength(events - 1);
    await start(databaseUrl, await eventStore(earlier(log, events)));
  });
});

describe('two installations on one EventStoreDB', () => {
  it('have logs of their own by the prefix of their streams, and neither sees the other', async () => {
    const log = serverLog();
    const shared = await eventStore(log);
    const first = await installation({ ...shared, DAYBOOK_STREAM_PREFIX: 'north' });
    const second = await installation({ ...shared, DAYBOOK_STREAM_PREFIX: 'north_1' });
    const prefixes = new Set(log.all.map(({ stream }) => stream.split('.')[0]));
    expect([...prefixes]).toEqual(['north', 'north_1']);
    for (const databaseUrl of [first, second])
      expect(await query(databaseUrl, 'select count(*)::int as n from daybook.customers')).toEqual([
        { n: 1 },
      ]);
    await start(first, { ...shared, DAYBOOK_STREAM_PREFIX: 'north' });
    await expect(start(first, { ...shared, DAYBOOK_STREAM_PREFIX: 'north_1' })).rejects.toThrow(
      /follow the log/,
    );
  });
});

describe('on another log', () => {
  it.each(['start', 'rebuild', 'restore'])('`daybook %s` says so in one line and ends', async (command) => {
    const variables = {
      DATABASE_URL: await installation(),
      DAYBOOK_MASTER_KEY: testMasterKey,
      ...(await eventStore(await logOfAnother())),
    };
    const { code, stderr } = await daybook(command, variables);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^EVENTSTORE_URL: the log that it names is .+, but the read models .+\n$/);
  });
});

const front = resolve(import.meta.dirname, '../../bin/daybook');

const daybook = (command: string, variables: Variables) =>
  new Promise<{ readonly code: number | null; readonly stderr: string }>((answer) => {
    const env = { PATH: process.env.PATH, LOG_LEVEL: 'warn', PORT: '0', ...variables };
    const child = execFile(front, [command], { env }, (_error, _stdout, stderr) =>
      answer({ code: child.exitCode, stderr }),
    );
  });

async function logOfAnother(): Promise<ServerLog> {
  const log = serverLog();
  await installation(await eventStore(log));
  return log;
}
