/** Moving the log of an installation to EventStoreDB and back, as an operator does it. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuditor, dropAuditor } from '../../projections/auditor/roles.ts';
import { createReadDb, type ReadDb } from '../../projections/database.ts';
import { startService } from '../../src/app/service.ts';
import { createLog } from '../../src/infrastructure/observe/log.ts';
import { createPool } from '../../src/infrastructure/postgres/pool.ts';
import type { Json } from '../support/http/client.ts';
import { administratorOf, createDatabase, query } from '../support/postgres/database.ts';
import {
  newCredentials,
  startTestService,
  type TestService,
  testConfig,
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
import { type ServerLog, serverLog } from '../support/servers/eventstoredb-server/log.ts';
import { type EventStoreDbServer, startEventStoreDb } from '../support/servers/eventstoredb-server/server.ts';
import { type Receiver, startReceiver } from '../support/servers/receiver.ts';

type Variables = Record<string, string>;

const credentials = newCredentials();
const own = {
  DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
  DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
};
const root = resolve(import.meta.dirname, '../..');
/** The commands of the page, by where they copy the log to. */
const page = await readFile(resolve(root, 'docs/how-to/use-your-own-servers.md'), 'utf8');
const commands = new Map(
  [...page.matchAll(/^ *(bin\/daybook log copy (\w+))$/gm)].map(([, command = '', to]) => [to, command]),
);

let databaseUrl: string;
let data: ServerLog;
let server: EventStoreDbServer;
let receiver: Receiver;
let inEventStoreDb: Variables;

/** Runs a command to its end. */
const run = (command: string, variables: Variables) =>
  new Promise<{ readonly code: number | null; readonly output: string }>((answer) => {
    const env = {
      PATH: process.env.PATH,
      LOG_LEVEL: 'warn',
      DATABASE_URL: databaseUrl,
      DAYBOOK_MASTER_KEY: testMasterKey,
      ...variables,
    };
    const child = execFile('sh', ['-ec', command], { cwd: root, env }, (_error, stdout, stderr) =>
      answer({ code: child.exitCode, output: `${stdout}${stderr}` }),
    );
  });
const copyTo = (to: string) => run(commands.get(to) ?? 'exit 9', inEventStoreDb);
const trialBalance = (variables: Variables) => run('bin/daybook audit trial-balance', variables);

/** What is said of the read models, of a log that is right. */
async function compared(): Promise<Json> {
  const { code, output } = await run('bin/daybook audit verify --json', {});
  expect(code).toBe(0);
  return JSON.parse(output).readModels;
}

const start = (variables: Variables = {}): Promise<TestService> =>
  startTestService({ databaseUrl, variables: { ...own, ...variables } });

/** A payment that ends, and a customer; all webhooks are delivered. */
async function live(service: TestService): Promise<void> {
  const { client } = service;
  const { account, payee } = await payoutParties(client, 50_000);
  const quote: Json = expectStatus(await client.post('/quotes', quoteBody(account.id, payee.id)), 201);
  expectStatus(await client.post(`/quotes/${quote.id}/execute`), 200);
  await untilTransaction(client, quote.transactionId, 'COMPLETED');
  await createCustomer(client);
  await eventually(
    () =>
      query<{ n: number }>(
        databaseUrl,
        `select count(*)::int as n from daybook.webhook_events where state = 'PENDING'`,
      ),
    ([row]) => row?.n === 0,
  );
}

/** What callers see, and what the books say. */
async function seen({ client }: TestService): Promise<Json> {
  const pages = [
    '/customers',
    '/transactions',
    '/customers/internal-accounts',
    '/customers/external-accounts',
    '/platform/trial-balance',
  ];
  const answers: Json[] = [];
  for (const page of pages) answers.push(expectStatus(await client.get(page), 200).data);
  return answers;
}

const ids = () => receiver.received.map(({ body }) => body.id);
const heardTwice = () => ids().length - new Set(ids()).size;
const eventsOf = () =>
  query<Json>(
    databaseUrl,
    'select id, stream, revision, type, data, metadata from daybook_log.events order by position',
  );
const copied = () =>
  data.all.map(({ id, stream, revision, type, data: told, metadata }) => ({
    id,
    stream: stream.replace('daybook.', ''),
    revision: `${revision}`,
    type,
    data: JSON.parse(Buffer.from(told).toString()),
    metadata: JSON.parse(Buffer.from(metadata).toString()),
  }));

let before: Json;

const auditor = { name: `auditor_${credentials.clientSecret.slice(0, 8).toLowerCase()}`, password: 'p4ss' };
const auditorUrl = () =>
  Object.assign(new URL(databaseUrl), { username: auditor.name, password: auditor.password }).href;
/** As an operator, who makes and drops roles. */
async function withRoles(work: (db: ReadDb) => Promise<unknown>): Promise<void> {
  const db = createReadDb(createPool({ url: administratorOf(databaseUrl), max: 1, name: 'auditor' }));
  await work(db).finally(() => db.destroy());
}
/** What the auditor sees of what money moved, against the books of the service. */
async function expectSeenByAuditor(): Promise<void> {
  const [seen] = await query<Json>(auditorUrl(), 'select count(*)::int as n from auditor.postings');
  const [booked] = await query<Json>(databaseUrl, 'select count(*)::int as n from daybook.postings');
  expect(booked?.n).toBeGreaterThan(0);
  expect(seen).toEqual(booked);
}

/** Where the tree of the log has its leaves, and how far it has come, against the places of the log's events. */
async function expectTreeAt(places: readonly bigint[]): Promise<void> {
  const [tree] = await query<{ positions: string[]; position: string }>(
    databaseUrl,
    `select position::text, (select array_agg(p::text order by n, i) from daybook.log_tiles,
       unnest(positions) with ordinality as u (p, i) where level = 0) as positions from daybook.log_tree`,
  );
  const leaves = tree?.positions ?? [];
  expect(leaves.length).toBeGreaterThan(0);
  expect(leaves).toEqual(places.slice(0, leaves.length).map(String));
  expect(tree?.position).toBe(leaves.at(-1));
}

const placesInPostgres = async () =>
  (
    await query<{ position: string }>(
      databaseUrl,
      'select position::text from daybook_log.events e order by e.position',
    )
  ).map(({ position }) => BigInt(position));

beforeAll(async () => {
  databaseUrl = await createDatabase();
  data = serverLog();
  [server, receiver] = [await startEventStoreDb({ log: data }), await startReceiver()];
  inEventStoreDb = { EVENTSTORE_URL: server.url };
  const service = await start();
  expectStatus(await service.client.patch('/config', { webhookEndpoint: receiver.url }), 200);
  await live(service);
  before = await seen(service);
  await service.stop();
  await withRoles((db) => createAuditor(db, auditor.name, { ...auditor, readsLog: true }));
});
afterAll(async () => {
  await withRoles((db) => dropAuditor(db, auditor.name));
  await receiver.close();
  await server.close();
});

describe('`daybook log copy`', () => {
  it('is refused while the service runs, without the address, to another log, and while a platform goes back', async () => {
    const service = await start();
    expect(await copyTo('eventstoredb')).toEqual({
      code: 1,
      output: expect.stringContaining('Daybook runs on this database'),
    });
    await service.stop();
    const named = inEventStoreDb;
    inEventStoreDb = {};
    expect(await copyTo('eventstoredb')).toEqual({
      code: 1,
      output: expect.stringContaining('EVENTSTORE_URL'),
    });
    const foreign = await startEventStoreDb();
    const another = await startTestService({ variables: { EVENTSTORE_URL: foreign.url } });
    await another.stop();
    inEventStoreDb = { EVENTSTORE_URL: foreign.url };
    expect(await copyTo('eventstoredb')).toEqual({
      code: 1,
      output: expect.stringContaining('have different events'),
    });
    await foreign.close();
    inEventStoreDb = named;
    await query(
      databaseUrl,
      `insert into daybook.sandbox_snapshots (id, platform_id, position, events, streams, created_at, restoring)
       values ('Snapshot:1', 'Platform:1', 1, 1, '[]', now(), 1)`,
    );
    expect(await copyTo('eventstoredb')).toEqual({
      code: 1,
      output: expect.stringContaining('on its way back to a snapshot'),
    });
    await query(databaseUrl, 'delete from daybook.sandbox_snapshots');
    expect(data.all).toEqual([]);
  });

  it('goes on where it was cut short, and leaves the same events in the same order', async () => {
    server.faults.appends.push(
      ...Array(30).fill('written, position unknown'),
      ...Array(20).fill('unavailable'),
    );
    expect((await copyTo('eventstoredb')).code).toBe(1);
    const then = data.all.length;
    expect(then).toBeGreaterThan(0);
    expect(then).toBeLessThan((await eventsOf()).length);
    server.faults.appends.length = 0;
    const { code, output } = await copyTo('eventstoredb');
    expect(output).toMatch(
      /Compared \d+ events: the same in both logs, in the same order\. SHA-256 [0-9a-f]{64}\n/,
    );
    expect(output).toMatch(
      /Built the read models from \d+ events\.\nKeep EVENTSTORE_URL set, and start\.\n$/,
    );
    expect(code).toBe(0);
    expect(copied()).toEqual(await eventsOf());
    await expectTreeAt(data.all.map(({ position }) => position));
    expect(await copyTo('eventstoredb')).toEqual({
      code: 0,
      output: 'The log is in EventStoreDB already.\n',
    });
  });

  it('leaves a database that the former log is not joined to', async () => {
    const config = testConfig(databaseUrl, credentials);
    await expect(startService(config, { log: createLog('silent') })).rejects.toThrow(
      /^EVENTSTORE_URL: is not set: there is a copy of the log in Postgres, but the read models in this database follow the one in EventStoreDB/,
    );
  });

  it('leaves a log that nobody takes for the one that goes on', async () => {
    const refused = /^EVENTSTORE_URL: is not set: there is a copy of the log in Postgres/;
    expect(await trialBalance({})).toEqual({ code: 1, output: expect.stringMatching(refused) });
    expect(await trialBalance(inEventStoreDb)).toMatchObject({ code: 0 });
    expect(await trialBalance({ DATABASE_URL: auditorUrl() })).toEqual({
      code: 1,
      output: expect.stringContaining('may not read the log'),
    });
    await withRoles((db) =>
      expect(createAuditor(db, 'another', { password: 'p', readsLog: true })).rejects.toThrow(
        'The log is in EventStoreDB',
      ),
    );
  });

  it('changes nothing that callers see, and nobody is told anything twice', async () => {
    const service = await start(inEventStoreDb);
    expect(await seen(service)).toEqual(before);
    const heard = ids().length;
    await live(service);
    expect(ids().length).toBeGreaterThan(heard);
    expect(heardTwice()).toBe(0);
    await expectSeenByAuditor();
    before = await seen(service);
    await service.stop();
  });

  it('goes back, after what was there before', async () => {
    const there = (await eventsOf()).length;
    expect((await copyTo('postgres')).output).toMatch(/Unset EVENTSTORE_URL, and start\.\n$/);
    expect((await eventsOf()).length).toBeGreaterThan(there);
    expect(await eventsOf()).toEqual(copied());
    await expectTreeAt(await placesInPostgres());
    const service = await start();
    expect(await seen(service)).toEqual(before);
    await live(service);
    expect(heardTwice()).toBe(0);
    await expectSeenByAuditor();
    await service.stop();
    const left = /^EVENTSTORE_URL: names a copy of the log/;
    expect(await trialBalance(inEventStoreDb)).toEqual({ code: 1, output: expect.stringMatching(left) });
    expect(await trialBalance({})).toMatchObject({ code: 0 });
  });

  it('builds the read models where that was cut short, before which no process starts', async () => {
    await query(databaseUrl, `insert into daybook.checkpoints (name, position) values ('moving', 0)`);
    await expect(start()).rejects.toThrow('daybook log copy');
    expect(await compared()).toEqual({
      compared: false,
      because: 'a restore, or a move of the log, is building them',
    });
    expect(await copyTo('postgres')).toEqual({
      code: 0,
      output: expect.stringContaining('Built the read models'),
    });
    expect(await compared()).toMatchObject({ compared: true });
    const service = await start();
    expectStatus(await service.client.get('/customers'), 200);
    await service.stop();
  });
});
