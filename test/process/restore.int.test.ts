import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notNeeded, originals } from '../../projections/kept/originals.ts';
import { projections } from '../../projections/projector/projections.ts';
import type { Json } from '../support/http/client.ts';
import { createDatabase, query } from '../support/postgres/database.ts';
import { rowsOf } from '../support/postgres/read-models.ts';
import {
  newCredentials,
  startTestService,
  type TestService,
  testMasterKey,
} from '../support/processes/service.ts';
import {
  createCustomer,
  eventually,
  expectStatus,
  payoutParties,
  quoteBody,
  untilTransaction,
} from '../support/resources/flows.ts';
import { clientFor, issueToken } from '../support/resources/tokens.ts';
import { startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';

const root = resolve(import.meta.dirname, '../..');
const page = await readFile(join(root, 'docs/how-to/restore.md'), 'utf8');
/** The commands of the page, in its order. */
const [backUp = '', makeTables = '', fillIn = ''] = [...page.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(
  ([, block = '']) => block,
);
const noPsql = spawnSync('psql', ['--version']).status !== 0;

/** Runs a command as an operator does. */
async function run(command: string, env: Record<string, string>) {
  const all = { PATH: process.env.PATH ?? '', HOME: tmpdir(), DAYBOOK_MASTER_KEY: testMasterKey, ...env };
  const child = spawn('sh', ['-ec', command], { cwd: root, env: all });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}

async function succeed(command: string, env: Record<string, string>): Promise<void> {
  const { code, output } = await run(command, env);
  expect(`${code} ${code === 0 ? '' : output}`).toBe('0 ');
}

const untilAllDelivered = (service: TestService) =>
  eventually(
    () =>
      query<{ n: number }>(
        service.databaseUrl,
        `select (select count(*) from daybook.webhook_events where state = 'PENDING')::int as n`,
      ),
    ([row]) => row?.n === 0,
  );

/** A payment that ends, and a customer. */
async function live({ client }: TestService): Promise<void> {
  const { account, payee } = await payoutParties(client, 50_000);
  const quote: Json = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
  expectStatus(await client.post(`/quotes/${quote.id}/execute`), 200);
  await untilTransaction(client, quote.transactionId, 'COMPLETED');
}

type Loss = {
  readonly log: string;
  readonly start: () => Promise<Record<string, string>>;
  /** What is left, and where. */
  readonly lose: (databaseUrl: string) => Promise<string>;
  readonly stop: () => Promise<void>;
};

let server: Awaited<ReturnType<typeof startEventStoreDb>>;
const losses: readonly Loss[] = [
  {
    log: 'EventStoreDB',
    async start() {
      server = await startEventStoreDb();
      return { EVENTSTORE_URL: server.url };
    },
    lose: () => createDatabase(),
    stop: () => server.close(),
  },
  {
    log: 'Postgres',
    start: async () => ({}),
    async lose(databaseUrl) {
      await query(databaseUrl, 'drop schema daybook cascade');
      await query(databaseUrl, 'drop schema daybook_jobs cascade');
      return databaseUrl;
    },
    stop: async () => undefined,
  },
];

describe.each(losses)('with the log in $log, when all else is lost', ({ start, lose, stop }) => {
  const credentials = newCredentials();
  let former: Receiver;
  let receiver: Receiver;
  let directory: string;
  let where: Record<string, string>;
  let env: Record<string, string>;
  let databaseUrl: string;
  let books: Awaited<ReturnType<typeof rowsOf>>;
  let ended: bigint;
  let heard: number;
  let heardByFormer: number;

  const startService = () => startTestService({ databaseUrl, variables: { ...where, ...variables } });
  const variables = {
    DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
    DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
  };
  const told = () => receiver.received.length + former.received.length;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'daybook-restore-'));
    [former, receiver, where] = [await startReceiver(), await startReceiver(), await start()];
    databaseUrl = await createDatabase();
    const service = await startService();
    for (const { url } of [former, receiver]) {
      expectStatus(await service.client.patch('/config', { webhookEndpoint: url }), 200);
      await live(service);
      await untilAllDelivered(service);
    }
    await remember(service);
    env = {
      ...where,
      ...variables,
      DAYBOOK_DATA_DIR: directory,
      BACKUP: directory,
      DATABASE_URL: databaseUrl,
    };
    if (!noPsql) await succeed(backUp, env);
  });
  afterAll(async () => {
    await Promise.all([former.close(), receiver.close()]);
    await stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Of the calls, how often each event came. */
  const ids = () => [...former.received, ...receiver.received].map(({ body }) => body.id);

  /** Receivers hear of what is new, each event once, and of nothing else. */
  async function expectOnlyNews(): Promise<void> {
    const service = await startService();
    await live(service);
    await untilAllDelivered(service);
    expect(former.received.length).toBe(heardByFormer);
    expect(new Set(ids()).size).toBe(told());
    const [log] = await query<{ since: number }>(
      databaseUrl,
      'select count(*)::int as since from daybook.webhook_events where position > $1',
      [ended],
    );
    expect(told() - heard).toBe(log?.since);
    await remember(service);
  }

  /** Stops the service, and knows how it was. */
  async function remember(service: TestService): Promise<void> {
    const [last] = await query<{ position: bigint }>(
      databaseUrl,
      `select position from daybook.checkpoints where name = 'projections'`,
    );
    [ended, heard, heardByFormer] = [last?.position ?? 0n, told(), former.received.length];
    await service.stop();
    books = await rowsOf(databaseUrl);
  }

  it.skipIf(noPsql)('the tokens of a backup work, but for those that were deleted since', async () => {
    const service = await startService();
    const [kept, deleted] = [
      await issueToken(service.client, ['VIEW']),
      await issueToken(service.client, ['VIEW']),
    ];
    await succeed(backUp, env);
    expectStatus(await service.client.delete(`/tokens/${deleted.id}`), 204);
    await remember(service);
    databaseUrl = await lose(databaseUrl);
    env = { ...env, DATABASE_URL: databaseUrl };
    await succeed(makeTables, env);
    await succeed(fillIn, env);
    const restored = await startService();
    expectStatus(await clientFor(restored.url, kept).get('/config'), 200);
    expectStatus(await clientFor(restored.url, deleted).get('/config'), 401);
    expectStatus(await restored.client.get(`/tokens/${deleted.id}`), 404);
    const listed: Json = expectStatus(await restored.client.get('/tokens'), 200);
    expect(listed.data.map(({ id }: Json) => id)).not.toContain(deleted.id);
    expectStatus(await restored.client.delete(`/tokens/${deleted.id}`), 404);
    await remember(restored);
    await succeed(backUp, env);
  });

  it.skipIf(noPsql)('the commands of the page bring it back, and nobody is told anything twice', async () => {
    databaseUrl = await lose(databaseUrl);
    env = { ...env, DATABASE_URL: databaseUrl };
    await succeed(makeTables, env);
    expect(await rowsOf(databaseUrl)).toEqual(books);
    await succeed(fillIn, env);
    const [kept] = await query<{ n: number }>(
      databaseUrl,
      'select count(*)::int as n from daybook.webhook_events',
    );
    expect(kept?.n).toBe(heard);
    await expectOnlyNews();
  });

  it('a second restore is refused, and changes nothing', async () => {
    const { code, output } = await run(makeTables, env);
    expect([code, output]).toEqual([1, expect.stringContaining('in use')]);
    expect(await rowsOf(databaseUrl)).toEqual(books);
  });

  it('a service that is started as if nothing had happened tells nobody anything twice', async () => {
    databaseUrl = await lose(databaseUrl);
    env = { ...env, DATABASE_URL: databaseUrl };
    await expectOnlyNews();
  });

  it('what happened since a moment is told again where that is asked for', async () => {
    databaseUrl = await lose(databaseUrl);
    env = { ...env, DATABASE_URL: databaseUrl };
    const since = new Date(Date.now() - 24 * 3_600_000).toISOString();
    const command = makeTables.trim().concat(` -- --webhooks-since ${since} --reactions-since ${since}`);
    await succeed(command, env);
    const service = await startService();
    // Also what went to the former endpoint goes to the one that is there now.
    await eventually(
      async () => told() - heard,
      (news) => news >= heard - 1,
    );
    await untilAllDelivered(service);
    const again = ids().slice(heard);
    expect(new Set(again).size).toBe(again.length);
    expect(former.received.length).toBe(heardByFormer);
    await remember(service);
  });
});

describe('a restore', () => {
  it('that was cut short keeps every process from starting, until it is run again', async () => {
    const service = await startTestService();
    await createCustomer(service.client);
    const { databaseUrl } = service;
    await service.stop();
    await query(databaseUrl, `insert into daybook.checkpoints values ('restoring', 0)`);
    await expect(startTestService({ databaseUrl })).rejects.toThrow(/daybook restore/);
    await succeed(makeTables, {
      DATABASE_URL: databaseUrl,
      DAYBOOK_DATA_DIR: await mkdtemp(join(tmpdir(), 'daybook-restore-')),
    });
    const next = await startTestService({ databaseUrl });
    await next.stop();
  });

  it('refuses what it does not know', async () => {
    for (const option of ['--help-me', '--webhooks-since yesterday', 'all']) {
      const { code, output } = await run(`${makeTables.trim()} -- ${option}`, {});
      expect([code, output]).toEqual([2, expect.stringContaining('error: ')]);
    }
  });
});

describe('every table', () => {
  it('is a read model, an original that the page backs up, or said not to be needed', async () => {
    const service = await startTestService();
    const rows = await query<{ name: string }>(
      service.databaseUrl,
      `select table_name as name from information_schema.tables
       where table_schema = 'daybook' and table_name not like 'kysely%'`,
    );
    await service.stop();
    const models = projections.flatMap(({ tables }) => tables);
    const known = new Set<string>([...models, ...originals, ...notNeeded]);
    expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  });

  it('that is an original stands on the page, in the order in which they are filled in', async () => {
    const listed = (block: string) =>
      /for table in ([\s\S]*?);/
        .exec(block)?.[1]
        ?.split(/[\s\\]+/)
        .filter(Boolean) ?? [];
    expect(listed(backUp)).toEqual([...originals]);
    expect(listed(fillIn)).toEqual([...originals]);
  });

  it('that is an original is on the list of what to back up', async () => {
    const operations = await readFile(join(root, 'docs/operations/backup.md'), 'utf8');
    expect(originals.filter((table) => !operations.includes(table))).toEqual([]);
  });
});
